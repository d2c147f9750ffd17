// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tunnel puts its header in front of each packet and trusts that there is room; a packet comes from a sender that left none.
 *
 * pattern: skb_push() without skb_cow_head()
 * upstream: the class of "skb_under_panic" of syzbot: ipvlan, ip6_tunnel, vti, mac802154, lowpan
 * finding: BUG in skb_panic() by skb_push() in tun_encap() of this module: 24 bytes in front, and the packet has less room
 * never: probe_send(), which made a packet of its own; the network's core; freed memory; a length of the packet that is too large
 * must: ^shown: The kernel stopped what tun_encap\(\) .*skb_under_panic
 * region: ^shown: The kernel stopped what tun_encap\(\)
 * not: probe_send|freed
 * guest: insmod /test/header-without-room.ko
 */
#include <linux/skbuff.h>
#include "crash.h"

struct tunnel_header {
	__be32 words[6];
};

static struct sk_buff_head queue;

static noinline void tun_encap(struct sk_buff *skb)
{
	struct tunnel_header *header = skb_push(skb, sizeof(*header));

	memset(header, 0, sizeof(*header));
}

static int tunnel(void *unused)
{
	struct sk_buff *skb;

	for (;;) {
		msleep(50);
		while ((skb = skb_dequeue(&queue))) {
			tun_encap(skb);
			consume_skb(skb);
		}
	}
	return 0;
}

static noinline void probe_send(unsigned int room)
{
	struct sk_buff *skb = alloc_skb(512, GFP_KERNEL);

	if (!skb)
		return;
	skb_reserve(skb, room);
	skb_put_zero(skb, 64);
	skb_queue_tail(&queue, skb);
}

static int prober(void *unused)
{
	int i;

	for (i = 0; i < 10; i++) {
		msleep(100);
		probe_send(i < 9 ? 32 : 8);
	}
	return 0;
}

static int __init tunnel_init(void)
{
	skb_queue_head_init(&queue);
	run_thread(tunnel, NULL, 0, "tunnel");
	run_thread(prober, NULL, 1, "prober");
	return 0;
}
module_init(tunnel_init);
