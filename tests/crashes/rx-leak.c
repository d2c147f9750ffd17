// SPDX-License-Identifier: GPL-2.0-only
/*
 * A receiver forgets the buffer of each frame that is too short.
 *
 * pattern: buffer not freed on an error path of receive (skb leaks of many drivers' rx)
 * finding: rx_frame()/rx_poll() leaks objects of kmalloc-2k, unreclaimable, until the memory is full
 * never: head, shell, tail; cached, whose 24 MB are meant
 * must: shown: Memory ran out, and the kernel's own objects .*most in the cache kmalloc-2k
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/rx-leak.ko
 * guest: while :; do head -c 3000000 /dev/zero | tail -c 2000000 >/dev/null; done
 */
#include "crash.h"

struct rx_buf {
	u32 len;
	u32 csum;
	u8 data[1600];
};

struct rx_ring {
	struct timer_list poll;
	struct rx_buf *slots[32];
	unsigned int next;
	u64 good, runts, no_memory;
};

struct page_cache {
	struct page *pages[6144];
	unsigned int count;
};

static struct rx_ring ring;
static struct page_cache *cache;

static noinline void rx_deliver(struct rx_ring *r, struct rx_buf *buf)
{
	r->good++;
	kfree(buf);
}

static noinline void rx_frame(struct rx_ring *r, struct rx_buf *buf)
{
	if (buf->len < 60) {
		r->runts++;
		return;
	}
	rx_deliver(r, buf);
}

static noinline struct rx_buf *rx_alloc(struct rx_ring *r)
{
	struct rx_buf *buf = kmalloc(sizeof(*buf), GFP_ATOMIC | __GFP_NOWARN | __GFP_NOMEMALLOC);

	if (!buf)
		r->no_memory++;
	return buf;
}

static void rx_poll(struct timer_list *timer)
{
	struct rx_ring *r = container_of(timer, struct rx_ring, poll);
	struct rx_buf *buf;
	int i;

	for (i = 0; i < 200; i++) {
		buf = rx_alloc(r);
		if (!buf)
			break;
		buf->len = r->next++ % 4 ? 40 : 1500;
		rx_frame(r, buf);
	}
	mod_timer(timer, jiffies + 2);
}

static int cached(void *data)
{
	struct page_cache *c = data;

	while (c->count < 6144) {
		c->pages[c->count] = alloc_page(GFP_KERNEL);
		if (!c->pages[c->count++])
			break;
	}
	for (;;)
		msleep_interruptible(1000);
	return 0;
}

static int __init rx_init(void)
{
	cache = kvzalloc(sizeof(*cache), GFP_KERNEL);
	if (!cache)
		return -ENOMEM;
	run_thread(cached, cache, -1, "cached");
	timer_setup(&ring.poll, rx_poll, 0);
	mod_timer(&ring.poll, jiffies + HZ);
	return 0;
}
module_init(rx_init);
