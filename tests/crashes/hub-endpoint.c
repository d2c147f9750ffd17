// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list cursor is used after the loop found nothing: it points into the head's own structure, which is read as an endpoint.
 *
 * pattern: list_for_each_entry() cursor used after the end of the loop
 * upstream: the class of Jakob Koschel's 2022 series ("usb: gadget: fix type confusion after list iterator", many)
 * finding: ep_find() in hub_enable() returned no real endpoint: id 6 is not on hub->eps (hub-unplug removed it, correctly), and the cursor after the loop is container_of(&hub->eps), i.e. memory of struct hub itself; its label text is read as ep->ops and followed.  The endpoint list is intact; the fault is the missing "not found" check in ep_find()
 * never: a freed or reused endpoint as what was dereferenced; hub-unplug's free as the cause; memory corruption; an overrun
 * guest: insmod /test/hub-endpoint.ko
 */
#include "crash.h"

struct ep;

struct ep_ops {
	int (*enable)(struct ep *ep);
};

struct ep {
	u32 id, flags;
	const struct ep_ops *ops;
	u64 enables;
	struct list_head node;
};

struct hub {
	u64 serial;
	char label[32];
	struct list_head eps;
	spinlock_t lock;
	u32 unplugs;
};

static struct hub *hub;

static int ep_start(struct ep *ep)
{
	return ++ep->enables;
}

static const struct ep_ops bulk_ops = { .enable = ep_start };

static noinline struct ep *ep_find(struct hub *h, u32 id)
{
	struct ep *ep;

	spin_lock(&h->lock);
	list_for_each_entry(ep, &h->eps, node)
		if (ep->id == id)
			break;
	spin_unlock(&h->lock);
	return ep;
}

static noinline int hub_enable(struct hub *h, u32 id)
{
	struct ep *ep = ep_find(h, id);

	if (!ep)
		return -ENOENT;
	return ep->ops->enable(ep) + 1;
}

static int hub_poll(void *unused)
{
	for (;;) {
		hub_enable(hub, 2);
		hub_enable(hub, 6);
		msleep(2500);
	}
	return 0;
}

static int hub_unplug(void *unused)
{
	struct ep *ep;

	msleep(700);
	spin_lock(&hub->lock);
	list_for_each_entry(ep, &hub->eps, node) {
		if (ep->id == 6) {
			list_del(&ep->node);
			hub->unplugs++;
			break;
		}
	}
	spin_unlock(&hub->lock);
	msleep(1);
	kfree(ep);
	return 0;
}

static int __init hub_init(void)
{
	int i;

	hub = kzalloc(sizeof(*hub), GFP_KERNEL);
	if (!hub)
		return -ENOMEM;
	strscpy(hub->label, "usb3-hub rear panel, port 1..7", sizeof(hub->label));
	INIT_LIST_HEAD(&hub->eps);
	spin_lock_init(&hub->lock);
	for (i = 1; i < 8; i++) {
		struct ep *ep = kzalloc(sizeof(*ep), GFP_KERNEL);

		if (!ep)
			return -ENOMEM;
		ep->id = i;
		ep->ops = &bulk_ops;
		list_add_tail(&ep->node, &hub->eps);
	}
	run_thread(hub_poll, NULL, 0, "hub-poll");
	return run_thread(hub_unplug, NULL, 1, "hub-unplug");
}
module_init(hub_init);
