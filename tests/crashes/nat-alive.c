// SPDX-License-Identifier: GPL-2.0-only
/*
 * A namespace ends: its keepalive work is cancelled, then its states are flushed, and each flushed
 * state queues the work anew.  The namespace is freed before the work runs.
 *
 * pattern: delayed work queued again behind cancel_delayed_work_sync()
 * upstream: CVE-2026-31406 xfrm: Fix work re-schedule after cancel in xfrm_nat_keepalive_net_fini()
 * finding: the work nat_alive_work() uses an object that nat_net_exit() of nat-cleanup freed about 200 ms before; a pointer in it is damaged as the allocator's link stands there
 * never: that the pointer was overwritten by a neighbour; kworker as guilty; hardware; nat-peer
 * must: likely: nat_alive_work\(\) .*allocator's link
 * not: neighbour|hardware|nat-peer|bit
 * guest: insmod /test/nat-alive.ko
 */
#include "crash.h"

struct nat_stats {
	u64 sent, failed;
};

struct nat_net {
	u32 id, states;
	char name[104];
	u64 born;
	u64 last;
	struct nat_stats *stats;
	u64 pad[12];
};

static struct nat_net *nat_current;
static struct nat_stats nat_stats[4];
static void nat_alive_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(nat_alive, nat_alive_work);

static void nat_alive_work(struct work_struct *work)
{
	struct nat_net *net = nat_current;

	net->stats->sent++;
	net->last = jiffies;
}

static noinline void nat_state_delete(struct nat_net *net)
{
	net->states--;
	schedule_delayed_work(&nat_alive, HZ / 5);
}

static noinline void nat_state_flush(struct nat_net *net)
{
	while (net->states)
		nat_state_delete(net);
}

static noinline void nat_net_exit(struct nat_net *net)
{
	cancel_delayed_work_sync(&nat_alive);
	nat_state_flush(net);
	kfree(net);
}

static int nat_cleanup(void *data)
{
	msleep(900);
	nat_net_exit(data);
	for (;;)
		msleep(1000);
	return 0;
}

static int nat_peer(void *data)
{
	for (;;) {
		nat_stats[1].sent++;
		msleep(30);
	}
	return 0;
}

static int __init nat_init(void)
{
	struct nat_net *net = kzalloc(sizeof(*net), GFP_KERNEL);

	if (!net)
		return -ENOMEM;
	BUILD_BUG_ON(offsetof(struct nat_net, stats) != 128);
	net->states = 3;
	net->stats = nat_stats;
	strscpy(net->name, "init_net", sizeof(net->name));
	nat_current = net;
	schedule_delayed_work(&nat_alive, HZ / 5);
	run_thread(nat_peer, NULL, 0, "nat-peer");
	return run_thread(nat_cleanup, net, 1, "nat-cleanup");
}
module_init(nat_init);
