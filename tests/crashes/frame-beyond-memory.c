// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A table names frames of memory by number, of which one is far behind the end of memory: its struct page is not there.  It is
 * none of vmalloc().
 *
 * pattern: pfn_to_page() of a number that was not checked
 * upstream: the class of missing pfn_valid() (mm/memory_hotplug, xen, drm/ttm)
 * finding: pin_frame() used the struct page of a frame that does not exist
 * never: virt_to_page() of an address of vmalloc()
 * not: vmalloc\(\)
 * guest: insmod /test/frame-beyond-memory.ko
 * guest: sleep 30
 */
#include "crash.h"

static unsigned long frames[] = { 0x1000, 0x1001, 0x40000000 };
static u64 pinned;

static noinline void pin_frame(unsigned long frame)
{
	struct page *page = pfn_to_page(frame);

	get_page(page);
	pinned++;
	put_page(page);
}

static int pinner(void *unused)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(frames); i++) {
		msleep(200);
		pin_frame(READ_ONCE(frames[i]));
	}
	return 0;
}

static int __init pin_init(void)
{
	return run_thread(pinner, NULL, -1, "pinner");
}
module_init(pin_init);
