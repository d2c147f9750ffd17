// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver has taken the memory page by page and has given every second page back.  A third is free, but in
 * single pages: a request for eight in one piece calls for the OOM killer, and the kernel panics as told.
 *
 * pattern: fragmentation by pages that can not be moved; requests of order 3
 * upstream: fb05e7a89f50, net: don't wait for order-3 page allocation
 * finding: out of memory although much is free: the request is for 8 pages in one piece, and what is free is in smaller ones
 * never: "asker" took the memory; a leak; that no memory was free; a user's process
 * must: ^shown: A request for 8 pages .*smaller pieces
 * region: ^shown: A request for 8 pages
 * not: asker
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/free-in-single-pages.ko
 */
#include "crash.h"

static struct list_head taken = LIST_HEAD_INIT(taken);

static noinline void take_pages(void)
{
	struct page *page, *next;
	bool give = false;

	for (;;) {
		page = alloc_page(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
		if (!page)
			break;
		list_add(&page->lru, &taken);
	}
	list_for_each_entry_safe(page, next, &taken, lru) {
		if (page_to_pfn(page) & 1) {
			list_del(&page->lru);
			__free_page(page);
			give = true;
		}
	}
	pr_debug("given back: %d\n", give);
}

static noinline void ask(void)
{
	int i;

	for (i = 0; i < 100000; i++) {
		if (!__get_free_pages(GFP_KERNEL, 3))
			msleep(20);
	}
}

static int asker(void *unused)
{
	msleep(500);
	ask();
	return 0;
}

static int holder(void *unused)
{
	take_pages();
	run_thread(asker, NULL, 1, "asker");
	msleep(1000000);
	return 0;
}

static int __init holder_init(void)
{
	return run_thread(holder, NULL, 0, "holder");
}
module_init(holder_init);
