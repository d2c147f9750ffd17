// SPDX-License-Identifier: GPL-2.0-only
/*
 * Firmware names more channels than a scan request has room for; they go over the association behind it.
 *
 * pattern: count from device or air not checked against an array
 * upstream: CVE-2019-17133, 4ac2813cc867 ("cfg80211: wext: avoid copying malformed SSIDs"); CVE-2021-28660 rtl8188eu
 * finding: scan_set_channels() of "fwevent" wrote behind its struct scan_req into the neighbour
 * never: supplicant, assoc_poll(), which die of it
 * must: likely: assoc_poll\(\) of module chan_list used [0-9a-f]{16} as a pointer, out of an object that was overwritten .*the numbers at the end of the object in front
 * shows: the list assocs leads to the entry
 * guest: insmod /test/chan-list.ko
 */
#include "crash.h"

struct scan_req {
	u32 n_channels;
	u32 flags;
	u16 channels[28];
};

struct assoc {
	struct list_head node;
	u8 bssid[6];
	u16 aid;
	u64 beacons;
	u32 rssi, state;
	u8 pad[24];
};

struct fw_event {
	u16 type;
	u16 count;
	u16 channels[40];
};

static struct scan_req *reqs[64];
static LIST_HEAD(assocs);
static DEFINE_SPINLOCK(assoc_lock);

static noinline struct assoc *assoc_new(int aid)
{
	struct assoc *a = kzalloc(sizeof(*a), GFP_KERNEL);

	if (!a)
		return NULL;
	a->aid = aid;
	spin_lock(&assoc_lock);
	list_add_tail(&a->node, &assocs);
	spin_unlock(&assoc_lock);
	return a;
}

static noinline void scan_set_channels(struct scan_req *req, const struct fw_event *event)
{
	int i;

	req->n_channels = event->count;
	for (i = 0; i < event->count; i++)
		req->channels[i] = event->channels[i];
}

/* The request of which the neighbour is an association. */
static struct scan_req *scan_next(void)
{
	struct assoc *a;
	int i;

	for (i = 0; i < 64; i++)
		list_for_each_entry(a, &assocs, node)
			if (reqs[i] && (void *)(reqs[i] + 1) == (void *)a)
				return reqs[i];
	return reqs[0];
}

static noinline void assoc_poll(void)
{
	struct assoc *a;

	spin_lock(&assoc_lock);
	list_for_each_entry(a, &assocs, node)
		if (!a->state)
			a->beacons++;
	spin_unlock(&assoc_lock);
}

static int supplicant(void *unused)
{
	for (;;) {
		assoc_poll();
		msleep(300);
	}
	return 0;
}

static int fwevent(void *data)
{
	struct fw_event *event = kzalloc(sizeof(*event), GFP_KERNEL);
	int i;

	if (!event)
		return -ENOMEM;
	msleep(400);
	for (i = 0; i < 40; i++)
		event->channels[i] = 36 + 4 * i;
	event->count = 40;
	scan_set_channels(data, event);
	kfree(event);
	return 0;
}

static int __init wl_init(void)
{
	int i;

	BUILD_BUG_ON(sizeof(struct scan_req) != 64 || sizeof(struct assoc) != 64);
	for (i = 0; i < 64; i++) {
		reqs[i] = kzalloc(sizeof(*reqs[i]), GFP_KERNEL);
		assoc_new(i);
	}
	run_thread(supplicant, NULL, 0, "supplicant");
	return run_thread(fwevent, scan_next(), 1, "fwevent");
}
module_init(wl_init);
