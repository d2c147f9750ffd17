// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver takes pages for ever, and never gives one back: neither slab, nor tmpfs, nor tasks have the memory.
 *
 * pattern: alloc_pages() without a limit; a leak of a ring's buffers
 * upstream: the class of page leaks in network drivers (rx buffers, page_pool)
 * finding: out of memory; by the kernel's own report most of the memory is in no counter (not slab, not tasks, not shmem):
 *	pages that kernel code took itself
 * never: the task that invoked the killer; slab; tmpfs; user tasks as who took it
 * must: ^shown: Memory ran out
 * not: slab|tmpfs
 * guest: echo 2 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/pages-in-no-counter.ko
 */
#include "crash.h"

static struct page *last;
static bool full;

static noinline void ring_refill(void)
{
	struct page *page = alloc_pages(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY, 0);

	if (page) {
		page->private = (unsigned long)last;
		last = page;
	} else {
		full = true;
		msleep(10);
	}
}

static int filler(void *unused)
{
	while (!kthread_should_stop()) {
		ring_refill();
		cond_resched();
	}
	return 0;
}

/* It asks for a little, and is the one for which there is none. */
static int logger(void *unused)
{
	while (!kthread_should_stop()) {
		if (READ_ONCE(full))
			kmalloc(3000, GFP_KERNEL);
		else
			msleep(50);
	}
	return 0;
}

static int __init ring_init(void)
{
	run_thread(logger, NULL, -1, "logger");
	return run_thread(filler, NULL, -1, "filler");
}
module_init(ring_init);
