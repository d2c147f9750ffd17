// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver's thread keeps every buffer that it allocates.  The task whose allocation fails is
 * another, small one; user space has nearly nothing.
 *
 * pattern: slab leak of a driver, noticed as out of memory
 * finding: out of memory, panic_on_oom; most of it unreclaimable slab (kmalloc-4k), allocated by
 *	"collector", collect() of this module where kmem events were recorded
 * never: the task that invoked the OOM killer; any user process
 * must: ^shown: .*unreclaimable slab.*kmalloc
 * not: head|tail|sh-
 * guest: epitaph events +kmem:kmalloc >/dev/null
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/memory-of-the-driver.ko
 * guest: while :; do head -c 1000000 /dev/zero | tail -c 10 >/dev/null; done
 */
#include "crash.h"

struct kept {
	struct kept *next;
	u8 data[4000];
};

static struct kept *all;

static noinline int collect(void)
{
	struct kept *k = kmalloc(sizeof(*k), GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);

	if (!k) {
		msleep(20);
		return 0;
	}
	k->next = all;
	all = k;
	return 1;
}

static int collector(void *unused)
{
	int n = 0;

	for (;;)
		if (collect() && !(++n % 400))
			msleep(1);
	return 0;
}

static int __init collector_init(void)
{
	return run_thread(collector, NULL, -1, "collector");
}
module_init(collector_init);
