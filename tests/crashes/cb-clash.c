// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Two layers keep their own in skb->cb: the lower one writes a time over the upper one's pointer.
 *
 * pattern: the control buffer of a packet belongs to one layer at a time
 * upstream: the class of "don't rely on skb->cb across layers" (IPCB after GSO, qdisc_skb_cb, tipc, can)
 * finding: frag_done() reads q out of skb->cb, where shaper_enqueue() has written its time to send since: the "pointer" is a time in ns
 * never: that user space gave the address; freed memory; that frag_put() gave back the queue too early; that q was never set
 * must: ^likely: .*frag_done\(\).* that is no pointer, but the time
 * not: user space|freed|never set
 * guest: insmod /test/cb-clash.ko
 */
#include "crash.h"
#include <linux/ktime.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>

struct frag_queue {
	refcount_t refs;
	u32 id;
	u32 fragments, bytes;
	spinlock_t lock;
};

struct frag_cb {
	struct frag_queue *q;
	u16 offset, len;
};

#define FRAG_CB(skb) ((struct frag_cb *)(skb)->cb)

struct shaper_cb {
	u64 time_to_send;
};

#define SHAPER_CB(skb) ((struct shaper_cb *)(skb)->cb)

struct shaper {
	struct sk_buff_head queue;
	u64 ns_per_byte, next;
	bool on;
	void (*sent)(struct sk_buff *skb);
};

static struct shaper shaper0 = { .ns_per_byte = 2000 };

static noinline void frag_put(struct frag_queue *q)
{
	if (refcount_dec_and_test(&q->refs))
		kfree(q);
}

static noinline void frag_done(struct sk_buff *skb)
{
	struct frag_queue *q = FRAG_CB(skb)->q;

	spin_lock(&q->lock);
	q->fragments++;
	q->bytes += skb->len;
	spin_unlock(&q->lock);
	frag_put(q);
	kfree_skb(skb);
}

static noinline void shaper_enqueue(struct shaper *shaper, struct sk_buff *skb)
{
	if (!shaper->on) {
		shaper->sent(skb);
		return;
	}
	shaper->next = max(shaper->next, ktime_get_real_ns()) + skb->len * shaper->ns_per_byte;
	SHAPER_CB(skb)->time_to_send = shaper->next;
	skb_queue_tail(&shaper->queue, skb);
}

static noinline void shaper_run(struct shaper *shaper)
{
	struct sk_buff *skb;

	while ((skb = skb_dequeue(&shaper->queue))) {
		if (SHAPER_CB(skb)->time_to_send > ktime_get_real_ns()) {
			skb_queue_head(&shaper->queue, skb);
			break;
		}
		shaper->sent(skb);
	}
}

static noinline int frag_send(struct shaper *shaper, u32 id)
{
	struct frag_queue *q = kzalloc(sizeof(*q), GFP_KERNEL);
	struct sk_buff *skb;
	int i;

	if (!q)
		return -ENOMEM;
	refcount_set(&q->refs, 1);
	spin_lock_init(&q->lock);
	q->id = id;
	for (i = 0; i < 4; i++) {
		skb = alloc_skb(256, GFP_KERNEL);
		if (!skb)
			break;
		skb_put_zero(skb, 200);
		refcount_inc(&q->refs);
		FRAG_CB(skb)->q = q;
		FRAG_CB(skb)->offset = i * 200;
		shaper_enqueue(shaper, skb);
	}
	frag_put(q);
	return 0;
}

static int frag_thread(void *data)
{
	struct shaper *shaper = data;
	u32 id;

	for (id = 0;; id++) {
		frag_send(shaper, id);
		msleep(20);
		shaper_run(shaper);
		if (id == 50)
			shaper->on = true;
	}
	return 0;
}

static int __init shaper_init(void)
{
	skb_queue_head_init(&shaper0.queue);
	shaper0.sent = frag_done;
	return run_thread(frag_thread, &shaper0, -1, "frag-tx");
}
module_init(shaper_init);
