// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A receiver trusts the length of a frame, and skb_put() finds no room.
 *
 * pattern: length of a device not checked against the buffer
 * upstream: the class of skb_over_panic() in USB network drivers
 * finding: BUG in skb_panic(), by rx_fixup(); the length exceeded the buffer
 * never: the network core; freed memory
 * must: ^shown: The kernel stopped what .*rx_fixup\(\).*skb_over_panic
 * not: freed
 * guest: insmod /test/frame-longer-than-buffer.ko
 */
#include <linux/skbuff.h>
#include "crash.h"

static noinline void rx_fixup(struct sk_buff *skb, unsigned int length)
{
	memset(skb_put(skb, length), 0, length);
}

static void receive_frame(struct work_struct *work)
{
	struct sk_buff *skb = alloc_skb(256, GFP_KERNEL);
	unsigned int length = 4000;

	OPTIMIZER_HIDE_VAR(length);
	rx_fixup(skb, length);
	kfree_skb(skb);
}
static DECLARE_WORK(frame, receive_frame);

static int __init rx_init(void)
{
	schedule_work(&frame);
	return 0;
}
module_init(rx_init);
