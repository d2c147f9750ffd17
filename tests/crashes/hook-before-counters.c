// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A hook of netfilter is registered before its counters are allocated.  The first packet that "sender" sends to
 * 127.0.0.1 comes in by the softirq, under sender, who is innocent.
 *
 * pattern: the hook is live before its state exists
 * upstream: the class of nf_register_net_hook() before pernet state (nf_tables, ipvs, synproxy)
 * finding: NULL pointer (+0x10) in count_packet() of this module, in the receiving softirq
 * never: sender; the loopback device; the network core; freed memory
 * must: ^shown: count_packet\(\) .*0x10 of a NULL
 * not: sender|freed
 * guest: insmod /test/hook-before-counters.ko
 */
#include <linux/in.h>
#include <linux/inet.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/rtnetlink.h>
#include <net/sock.h>
#include "crash.h"

struct counters {
	u64 bytes;
	u64 drops;
	u64 packets;
};

static struct counters *counters;

static noinline unsigned int count_packet(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	struct counters *c = READ_ONCE(counters);

	WRITE_ONCE(c->packets, READ_ONCE(c->packets) + 1);
	return NF_ACCEPT;
}

static const struct nf_hook_ops hook = {
	.hook = count_packet,
	.pf = NFPROTO_IPV4,
	.hooknum = NF_INET_LOCAL_IN,
	.priority = NF_IP_PRI_FILTER,
};

static int sender(void *unused)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct msghdr msg = { .msg_name = &to, .msg_namelen = sizeof(to) };
	struct kvec text = { "hello", 5 };
	struct socket *sock;

	rtnl_lock();
	dev_change_flags(init_net.loopback_dev, init_net.loopback_dev->flags | IFF_UP, NULL);
	rtnl_unlock();
	msleep(300);
	if (sock_create_kern(&init_net, AF_INET, SOCK_DGRAM, IPPROTO_UDP, &sock))
		return 0;
	for (;;) {
		kernel_sendmsg(sock, &msg, &text, 1, 5);
		msleep(100);
	}
	return 0;
}

static int __init hook_init(void)
{
	int ret = nf_register_net_hook(&init_net, &hook);

	return ret ?: run_thread(sender, NULL, 1, "sender");
}
module_init(hook_init);
