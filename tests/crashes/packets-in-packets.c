// SPDX-License-Identifier: GPL-2.0-only
/*
 * A receiver hangs each part of a message into the list of the part before it, without a limit.  When it frees the
 * message, the kernel's functions call one another, once for each part, until the stack is full.
 *
 * pattern: nesting of skbs that a remote decides
 * upstream: fac8e0f57969, tunnels: Don't apply GRO to multiple layers of encapsulation
 * finding: stack overflow: skb_release_data() and kfree_skb_list*() go round; drop_message() of this module freed it
 * never: a large local variable; the network code as author; a damaged stack pointer
 * must: ^shown: .*stack was full.*again and again
 * region: ^shown: .*stack was full.*again and again
 * not: large
 * guest: insmod /test/packets-in-packets.ko
 */
#include <linux/skbuff.h>
#include "crash.h"

static noinline void drop_message(struct sk_buff *skb)
{
	kfree_skb(skb);
	msleep(10);
}

static int receiver(void *unused)
{
	struct sk_buff *message = NULL;
	int i;

	for (i = 0; i < 3000; i++) {
		struct sk_buff *part = alloc_skb(64, GFP_KERNEL);

		if (!part)
			return 0;
		skb_shinfo(part)->frag_list = message;
		message = part;
	}
	msleep(300);
	drop_message(message);
	return 0;
}

static int __init receiver_init(void)
{
	return run_thread(receiver, NULL, 1, "receiver");
}
module_init(receiver_init);
