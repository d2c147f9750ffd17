// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A cache of addresses is filled from all ports and listens to their events afterwards.  A port goes away in between; who frees
 * it has said so to all who listened.
 *
 * pattern: a table is filled before its notifier is registered: the event in between is lost
 * upstream: drawn from Debian's changelog: "RDMA/core: Fix stale RoCE GIDs during netdev events at registration"
 * finding: gid_query() of gid-user used a port that port_del() of port-mgr had freed; gid_fill() had put it into the table, and gid_register() registered the notifier only afterwards, so that gid_event() was never called for it
 * never: port_del() freed what it should not; gid_query(); who got the memory anew
 * must: ^likely: gid_query\(\) .*freed under it: port-mgr-[0-9]+
 * not: twice|overwritten|deadlock
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/gid-cache.ko
 */
#include <linux/notifier.h>
#include "crash.h"

struct port;

struct port_ops {
	u32 (*mtu)(struct port *p);
};

struct port {
	u32 num, mtu;
	u8 gid[16];
	u64 counters[7];
	const struct port_ops *ops;
	u64 vlan[20];
};

static BLOCKING_NOTIFIER_HEAD(port_chain);
static DEFINE_MUTEX(port_lock);
static DEFINE_MUTEX(gid_lock);
static struct port *ports[8], *gids[8];
static char *descriptions[700];

static u32 port_mtu(struct port *p)
{
	return p->mtu;
}

static const struct port_ops port_ops = { .mtu = port_mtu };

static noinline void gid_fill(void)
{
	int i;

	mutex_lock(&gid_lock);
	for (i = 0; i < 8; i++)
		gids[i] = READ_ONCE(ports[i]);
	mutex_unlock(&gid_lock);
}

static int gid_event(struct notifier_block *nb, unsigned long num, void *port)
{
	mutex_lock(&gid_lock);
	gids[num] = NULL;
	mutex_unlock(&gid_lock);
	return NOTIFY_OK;
}

static struct notifier_block gid_nb = { .notifier_call = gid_event };

static noinline void gid_register(void)
{
	gid_fill();
	msleep(300);		/* the device answers slowly */
	blocking_notifier_chain_register(&port_chain, &gid_nb);
}

static noinline u32 gid_query(void)
{
	u32 i, sum = 0;

	mutex_lock(&gid_lock);
	for (i = 0; i < 8; i++)
		if (gids[i])
			sum += gids[i]->ops->mtu(gids[i]);
	mutex_unlock(&gid_lock);
	return sum;
}

static noinline void port_del(u32 num)
{
	struct port *p;

	mutex_lock(&port_lock);
	p = ports[num];
	WRITE_ONCE(ports[num], NULL);
	blocking_notifier_call_chain(&port_chain, num, p);
	mutex_unlock(&port_lock);
	kfree(p);
}

static noinline void port_describe(int i)
{
	descriptions[i] = kmalloc(256, GFP_KERNEL);
	if (descriptions[i])
		memset(descriptions[i], 'p', 256);
}

static int port_mgr(void *unused)
{
	int i;

	msleep(200);
	port_del(2);
	for (i = 0; i < ARRAY_SIZE(descriptions); i++)
		port_describe(i);
	msleep(2000);
	port_del(5);
	return 0;
}

static int gid_user(void *unused)
{
	u32 sum = 0;

	msleep(100);
	gid_register();
	msleep(500);
	for (;;) {
		sum += gid_query();
		msleep(50);
	}
	return sum;
}

static int __init gid_init(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		ports[i] = kzalloc(sizeof(*ports[i]), GFP_KERNEL);
		if (!ports[i])
			return -ENOMEM;
		ports[i]->num = i;
		ports[i]->mtu = 1500;
		ports[i]->ops = &port_ops;
	}
	run_thread(port_mgr, NULL, 0, "port-mgr");
	return run_thread(gid_user, NULL, 1, "gid-user");
}
module_init(gid_init);
