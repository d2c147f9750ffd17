// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A transmit function frees a packet in its error path, and so does its caller.  Two later packets,
 * which have nothing to do with it, are then one piece of memory; "receiver", which reads its queue, dies.
 *
 * pattern: kfree_skb() in the error path of the callee and of the caller
 * upstream: the class of "fix double free of skb" (for example in the xmit functions of can and wireless)
 * finding: a packet was freed twice, by port_send(); or that the queue of receiver is damaged, cause not known
 * never: receiver() or the network's core as who damaged it; that a queue or its lock was never set up
 * not: receiver
 * guest: insmod /test/skb-freed-twice.ko
 */
#include <linux/skbuff.h>
#include "crash.h"

static struct sk_buff_head queue;

static noinline int port_xmit(struct sk_buff *skb)
{
	if (skb->len > 64) {
		kfree_skb(skb);
		return -EMSGSIZE;
	}
	skb_queue_tail(&queue, skb);
	return 0;
}

static noinline void port_send(unsigned int len)
{
	struct sk_buff *skb = alloc_skb(256, GFP_KERNEL);
	struct sk_buff *other = alloc_skb(256, GFP_KERNEL);

	skb_put(skb, len);
	if (port_xmit(skb)) {
		kfree_skb(other);
		kfree_skb(skb);
	}
}

static int receiver(void *unused)
{
	while (!kthread_should_stop()) {
		struct sk_buff *skb = skb_dequeue(&queue);

		if (skb)
			kfree_skb(skb);
		else
			msleep(20);
	}
	return 0;
}

static int sender(void *unused)
{
	int i;

	for (;;) {
		for (i = 0; i < 40; i++)
			port_send(20);
		msleep(100);
		port_send(100);
	}
	return 0;
}

static int __init port_init(void)
{
	skb_queue_head_init(&queue);
	run_thread(receiver, NULL, 0, "receiver");
	return run_thread(sender, NULL, 0, "sender");
}
module_init(port_init);
