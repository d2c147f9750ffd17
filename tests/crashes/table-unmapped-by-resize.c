// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table in vmalloc memory is replaced and unmapped at once, while a reader still has the old one.
 *
 * pattern: vfree() without waiting for readers
 * upstream: the class of hash tables resized under readers (for example ipset, dm-bufio)
 * finding: a pointer to memory where nothing is mapped, in look_up(); why: not known, or unmapped
 * never: an index out of range as likely; a bit flip; "resizer" without evidence
 * must: ^shown: look_up\(\) .*where no memory is
 * not: resizer|index|bit
 * guest: insmod /test/table-unmapped-by-resize.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

static u32 *table;

static noinline u32 look_up(u32 *t, unsigned int key)
{
	return READ_ONCE(t[key & 0x3fff]);
}

static int reader(void *unused)
{
	u32 *t = table;
	unsigned int key;
	u32 sum = 0;

	for (key = 0;; key += 7) {
		sum += look_up(t, key);
		if (key % 1000 == 0)
			msleep(20);
	}
	return sum;
}

static int resizer(void *unused)
{
	u32 *old = table;

	msleep(900);
	table = vzalloc(0x20000);
	vfree(old);
	return 0;
}

static int __init table_init(void)
{
	table = vzalloc(0x10000);
	run_thread(reader, NULL, -1, "reader");
	return run_thread(resizer, NULL, -1, "resizer");
}
module_init(table_init);
