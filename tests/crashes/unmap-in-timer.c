// SPDX-License-Identifier: GPL-2.0-only
/*
 * A watchdog timer of a driver tears down its ring, of which the mapping may be given back by a task alone.
 *
 * pattern: vunmap() or dma_free_coherent() in an interrupt or a timer
 * upstream: the class of BUG_ON(in_interrupt()) in vunmap(): bnx2i, mvneta, r6040, ata sata_mv, fsl_hcalls
 * finding: BUG in vunmap() because ring_free() of this module called it in the timer function ring_timeout(); a task has to do that
 * never: the task that was interrupted ("hasher"); the allocator of mappings as damaged; a double unmap
 * must: ^likely: A check in vunmap\(\), called by ring_free\(\) .*in an interrupt, a timer
 * region: ^likely: A check in vunmap\(\), called by ring_free\(\)
 * not: hasher|damaged|twice
 * guest: insmod /test/unmap-in-timer.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

struct ring {
	struct timer_list watchdog;
	struct page *pages[2];
	void *map;
	unsigned int heads;
};

static struct ring ring;
static u32 hash;

static noinline void ring_free(struct ring *r)
{
	vunmap(r->map);
	r->map = NULL;
	__free_page(r->pages[0]);
	__free_page(r->pages[1]);
}

static noinline void ring_timeout(struct timer_list *timer)
{
	struct ring *r = container_of(timer, struct ring, watchdog);

	r->heads = 0;
	ring_free(r);
}

static noinline void hash_some(void)
{
	int i;

	for (i = 0; i < 100000; i++)
		hash = hash * 31 + i;
	cond_resched();
}

static int hasher(void *unused)
{
	for (;;)
		hash_some();
	return 0;
}

static int __init ring_init(void)
{
	ring.pages[0] = alloc_page(GFP_KERNEL);
	ring.pages[1] = alloc_page(GFP_KERNEL);
	if (!ring.pages[0] || !ring.pages[1])
		return -ENOMEM;
	ring.map = vmap(ring.pages, 2, VM_MAP, PAGE_KERNEL);
	if (!ring.map)
		return -ENOMEM;
	run_thread(hasher, NULL, 0, "hasher");
	run_thread(hasher, NULL, 1, "hasher");
	timer_setup(&ring.watchdog, ring_timeout, 0);
	mod_timer(&ring.watchdog, jiffies + HZ);
	return 0;
}
module_init(ring_init);
