// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pages of a ring of vmalloc() are looked up as if it were of kmalloc().
 *
 * pattern: virt_to_page() of a vmalloc() address
 * upstream: the class of "fix virt_to_page() of vmalloc memory" (sg_init_one() of such buffers in crypto, wireless,
 *	mtd)
 * finding: ring_pin() took the struct page of an address of vmalloc(): virt_to_page() is not for it
 * never: freed memory; a broken index
 * must: ^likely: .*ring_pin\(\).*vmalloc
 * not: freed
 * guest: insmod /test/audio-ring.ko
 * guest: sleep 30
 */
#include <linux/vmalloc.h>
#include "crash.h"

struct ring {
	void *buffer;
	size_t bytes;
	struct page *pages[16];
};

static struct ring *ring;

static noinline void ring_pin(struct ring *r)
{
	size_t at;

	for (at = 0; at < r->bytes; at += PAGE_SIZE) {
		struct page *page = virt_to_page(r->buffer + at);

		get_page(page);
		r->pages[at / PAGE_SIZE] = page;
	}
}

static int player(void *data)
{
	msleep(300);
	ring_pin(data);
	return 0;
}

static int __init ring_init(void)
{
	ring = kzalloc(sizeof(*ring), GFP_KERNEL);
	if (!ring)
		return -ENOMEM;
	ring->bytes = 8 * PAGE_SIZE;
	ring->buffer = vzalloc(ring->bytes);
	if (!ring->buffer)
		return -ENOMEM;
	return run_thread(player, ring, -1, "player");
}
module_init(ring_init);
