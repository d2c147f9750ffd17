// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A receive page is given back but stays in the ring; the channel table that gets the page is overwritten by frames.
 *
 * pattern: put_page() of a page that the hardware (DMA) still writes to
 * upstream: the class of rx page reuse bugs (ixgbe/ice/gve page_count, mlx5 page pool double put, xen-netfront)
 * finding: a page has two owners: the rx ring (ring->buf[3].page) and a channel's slot table; rx_drop() (nic-rx) put the page of a bad frame but left it in the ring, chan_open() got it from the allocator, and the DMA (nic-dma) wrote a frame over its function pointers.  chan_dispatch() then called frame data ("GET /ind..."/"Host: ...")
 * never: chan_dispatch() or chan-ctl as the cause; an overrun from a neighbour; freed memory of the channel (it is live); NULL
 * guest: insmod /test/rx-ring.ko
 */
#include "crash.h"
#include <linux/completion.h>
#include <linux/gfp.h>

struct chan;

struct chan_slot {
	int (*handle)(struct chan *ch, u64 *count);
	u64 count;
};

struct chan {
	struct chan_slot *slot;		/* a page of them */
	u32 nr;
};

struct rx_buf {
	struct page *page;
	u32 len, flags;
};

struct rx_ring {
	struct rx_buf buf[8];
	u32 drops, frames;
};

static struct rx_ring *ring;
static struct chan *chans[16];
static DECLARE_COMPLETION(link_event);

static int chan_echo(struct chan *ch, u64 *count)
{
	return ++*count & 0xff;
}

static noinline struct chan *chan_open(u32 nr)
{
	struct chan *ch = kzalloc(sizeof(*ch), GFP_KERNEL);
	int i;

	if (!ch)
		return NULL;
	ch->nr = nr;
	ch->slot = (void *)__get_free_page(GFP_KERNEL | __GFP_ZERO);
	for (i = 0; ch->slot && i < PAGE_SIZE / sizeof(struct chan_slot); i++)
		ch->slot[i].handle = chan_echo;
	return ch;
}

static noinline int chan_dispatch(struct chan *ch, unsigned int op)
{
	struct chan_slot *s = &ch->slot[op];

	return s->handle(ch, &s->count) + 1;
}

static int chan_ctl(void *unused)
{
	int i;

	wait_for_completion(&link_event);
	for (i = 0; i < ARRAY_SIZE(chans); i++)
		chans[i] = chan_open(i);
	for (;;) {
		msleep(100);
		for (i = 0; i < ARRAY_SIZE(chans); i++)
			chan_dispatch(chans[i], 5);
	}
	return 0;
}

static noinline void rx_drop(struct rx_ring *r, struct rx_buf *buf)
{
	r->drops++;
	buf->flags = 0;
	put_page(buf->page);
}

static int nic_rx(void *unused)
{
	msleep(1000);
	rx_drop(ring, &ring->buf[3]);		/* a frame with a bad FCS */
	complete(&link_event);
	return 0;
}

static noinline void dma_write(struct rx_buf *buf)
{
	static const char frame[] = "GET /index.html HTTP/1.1\r\nHost: appliance.example\r\n";
	char *to = page_address(buf->page);
	int i;

	for (i = 0; i < 1024; i++)
		WRITE_ONCE(to[i], frame[i % (sizeof(frame) - 1)]);
	buf->len = 1024;
}

static int nic_dma(void *unused)
{
	int i;

	msleep(3000);
	for (i = 0; i < ARRAY_SIZE(ring->buf); i++) {
		dma_write(&ring->buf[i]);
		ring->frames++;
		msleep(30);
	}
	return 0;
}

static int __init nic_init(void)
{
	int i;

	ring = kzalloc(sizeof(*ring), GFP_KERNEL);
	if (!ring)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(ring->buf); i++) {
		ring->buf[i].page = alloc_page(GFP_KERNEL);
		if (!ring->buf[i].page)
			return -ENOMEM;
	}
	run_thread(chan_ctl, NULL, 1, "chan-ctl");
	run_thread(nic_rx, NULL, 1, "nic-rx");
	return run_thread(nic_dma, NULL, 0, "nic-dma");
}
module_init(nic_init);
