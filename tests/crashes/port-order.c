// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Reset takes port and then hub, the scan work hub and then port.  A third, which waits longest, is reported.
 *
 * pattern: ABBA of two mutexes, with an onlooker that is the first to be reported
 * upstream: the class of lock inversion between a device's lock and its parent's (usb hub/port, drm, media)
 * finding: deadlock: "port-reset" has the lock of a port and waits for that of the hub, which the kworker
 *	in hub_scan() has, which waits for that of the port
 * never: "port-mon", which only waits
 * must: ^shown: A deadlock: .*(kworker/[^ ,]*, port-reset-[0-9]+|port-reset-[0-9]+, kworker)
 * region: ^likely: A deadlock: .*(kworker/[^ ,]*, port-reset-[0-9]+|port-reset-[0-9]+, kworker)
 * not: port-mon-
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/port-order.ko
 */
#include "crash.h"

struct hub;

struct hub_port {
	struct hub *hub;
	struct mutex lock;
	u32 nr, resets, status;
};

struct hub {
	struct mutex lock;
	struct hub_port port[2];
	struct work_struct scan;
	u32 scans, budget_ma;
	u64 reads;
};

static struct hub *hub;

static noinline u32 port_status(struct hub_port *p)
{
	u32 status;

	mutex_lock(&p->lock);
	p->hub->reads++;
	status = p->status;
	mutex_unlock(&p->lock);
	return status;
}

static noinline void hub_power(struct hub *h, int ma)
{
	mutex_lock(&h->lock);
	h->budget_ma += ma;
	mutex_unlock(&h->lock);
}

static noinline void port_reset(struct hub_port *p)
{
	mutex_lock(&p->lock);
	p->resets++;
	p->status = 0;
	msleep(1500);			/* the line settles */
	hub_power(p->hub, -500);
	p->status = 3;
	mutex_unlock(&p->lock);
}

static void hub_scan(struct work_struct *work)
{
	struct hub *h = container_of(work, struct hub, scan);
	int i;

	mutex_lock(&h->lock);
	h->scans++;
	for (i = 0; i < ARRAY_SIZE(h->port); i++) {
		mutex_lock(&h->port[i].lock);
		h->port[i].status |= 0x100;
		mutex_unlock(&h->port[i].lock);
	}
	mutex_unlock(&h->lock);
}

static int port_mon(void *data)
{
	for (;;) {
		port_status(data);
		msleep(100);
	}
	return 0;
}

static int port_resetter(void *data)
{
	msleep(1000);
	port_reset(data);
	return 0;
}

static int hub_ticker(void *data)
{
	msleep(2000);
	schedule_work(&hub->scan);
	for (;;)
		msleep(1000);
	return 0;
}

static int __init hub_init(void)
{
	int i;

	hub = kzalloc(sizeof(*hub), GFP_KERNEL);
	if (!hub)
		return -ENOMEM;
	mutex_init(&hub->lock);
	for (i = 0; i < ARRAY_SIZE(hub->port); i++) {
		hub->port[i].hub = hub;
		hub->port[i].nr = i;
		mutex_init(&hub->port[i].lock);
	}
	INIT_WORK(&hub->scan, hub_scan);
	run_thread(port_mon, &hub->port[1], -1, "port-mon");
	run_thread(hub_ticker, hub, -1, "hub-tick");
	return run_thread(port_resetter, &hub->port[1], -1, "port-reset");
}
module_init(hub_init);
