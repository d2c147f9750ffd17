// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver takes pages straight from the page allocator and loses them.  No counter of the kernel has them: neither slab nor
 * shmem nor a process.  An allocation of another task is the one that fails.
 *
 * pattern: leak of alloc_pages() in a receive path
 * upstream: the class of page leaks in network drivers' error paths
 * finding: out of memory, panic_on_oom; most of the memory is in none of the counters that the kernel printed: pages that kernel code
 *	took directly; thread "fetcher" (fetch_pages()) where that was recorded
 * never: the invoker; a process or tmpfs or slab as the one that has it
 * must: ^shown: Memory ran out, and [0-9]+ % of it is in none
 * not: head-|init-|slab\) have|tmpfs
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/pages-in-no-counter.ko
 * guest: while :; do head -c 1000000 /dev/zero | tail -c 10 >/dev/null; done
 */
#include <linux/gfp.h>
#include "crash.h"

static unsigned long fetched;

static noinline void fetch_pages(void)
{
	if (alloc_pages(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY, 2))
		fetched++;
}

static int fetcher(void *unused)
{
	int i;

	for (;;) {
		for (i = 0; i < 200; i++)
			fetch_pages();
		msleep(10);
	}
	return 0;
}

static int __init fetch_init(void)
{
	return run_thread(fetcher, NULL, 1, "fetcher");
}
module_init(fetch_init);
