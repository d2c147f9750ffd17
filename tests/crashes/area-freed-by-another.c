// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "resizer" frees its table of vmalloc() in the error path and in its caller.  In between "painter" was given
 * areas, among them that one.  "painter" reads what it has, and dies.
 *
 * pattern: vfree() twice
 * upstream: the class of double vfree() in error paths (xt tables, dm targets, fbdev)
 * finding: an access in the area of vmalloc() where no page is mapped: the area was freed
 * never: "painter" freed or reads beyond its area; an unloaded module; bad hardware
 * must: ^likely: paint\(\) .*area of vmalloc.*given back
 * not: guard page|unloaded
 * guest: insmod /test/area-freed-by-another.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

#define AREA (16 * PAGE_SIZE)
#define AREAS 200

static u8 *areas[AREAS];
static unsigned long sum;

static noinline void free_table(void *table)
{
	vfree(table);
	vm_unmap_aliases();
}

static noinline unsigned long paint(void)
{
	int i;

	for (i = 0; i < AREAS; i++)
		sum += READ_ONCE(areas[i][0x1230]);
	return sum;
}

static int painter(void *unused)
{
	int i;

	msleep(500);
	for (i = 0; i < AREAS; i++)
		areas[i] = vzalloc(AREA);
	for (;;) {
		paint();
		msleep(5);
	}
	return 0;
}

static int resizer(void *unused)
{
	void *table = vzalloc(AREA);

	msleep(200);
	free_table(table);
	msleep(1500);
	free_table(table);
	return 0;
}

static int __init areas_init(void)
{
	run_thread(painter, NULL, 0, "painter");
	return run_thread(resizer, NULL, 1, "resizer");
}
module_init(areas_init);
