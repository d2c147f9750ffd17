// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver gives pages back twice.  The kernel notices when "builder", who has nothing to do with it, allocates them.
 *
 * pattern: put_page() once too often
 * upstream: the class of "BUG: Bad page state in process", in syzbot's list at all times
 * finding: the panic is for panic_on_taint, by "Bad page state": a page with a reference count that is not 0 (-1): freed
 *	once too often, by whom is not known
 * never: "builder" or buffer_build() as the culprit; bad memory as shown; out of memory
 * must: ^shown: .*Bad page state .*nonzero _refcount
 * not: buffer_build
 * append: panic_on_taint=0x20
 * guest: insmod /test/pages-put-twice.ko
 */
#include "crash.h"

static noinline void ring_free(struct page *pages)
{
	put_page(pages);
}

static noinline void buffer_build(void)
{
	int i;

	for (i = 0; i < 5000; i++)
		if (!alloc_pages(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY | __GFP_COMP, 4))
			break;
}

static int builder(void *unused)
{
	msleep(1000);
	buffer_build();
	return 0;
}

static int __init ring_init(void)
{
	struct page *pages = alloc_pages(GFP_KERNEL | __GFP_COMP, 4);

	ring_free(pages);
	ring_free(pages);
	return run_thread(builder, NULL, raw_smp_processor_id(), "builder");
}
module_init(ring_init);
