// SPDX-License-Identifier: GPL-2.0-only
/*
 * A card is removed, its clock before the work that reads it.
 *
 * pattern: supplier of a work's data torn down before cancel_delayed_work_sync() (stmmac, bcmgenet, sfc PTP)
 * finding: stats_poll() finds nic->ptp NULL, because nic_remove() of "unbind", asleep now, made it so too early
 * never: the workqueue, the worker
 * must: shown: ptp_read\(\) of module nic_remove read 8 bytes at a NULL pointer, which stats_poll\(\)
 * shows: unbind-[0-9]+ slept in nic_drain_rx\(\) of this module, with [0-9a-f]{16} too
 * guest: insmod /test/nic-remove.ko
 */
#include "crash.h"

struct ptp_clock_dev {
	u64 offset;
	u32 addend;
	u32 flags;
	u64 last_read;
};

struct nic {
	char name[16];
	struct delayed_work stats_work;
	struct ptp_clock_dev *ptp;
	u64 rx_packets, tx_packets;
	u32 rx_pending;
	bool removing;
};

static struct nic *nic;

static noinline void ptp_create(struct nic *n)
{
	n->ptp = kzalloc(sizeof(*n->ptp), GFP_KERNEL);
}

static noinline void ptp_destroy(struct nic *n)
{
	kfree(n->ptp);
	n->ptp = NULL;
}

static noinline u64 ptp_read(struct ptp_clock_dev *ptp)
{
	ptp->last_read = ktime_get_ns() + ptp->offset;
	return ptp->last_read;
}

static void stats_poll(struct work_struct *work)
{
	struct nic *n = container_of(work, struct nic, stats_work.work);

	n->rx_packets += n->rx_pending;
	usleep_range(1000, 2000);
	n->tx_packets += ptp_read(n->ptp) & 7;
	schedule_delayed_work(&n->stats_work, HZ / 50);
}

static noinline void nic_drain_rx(struct nic *n)
{
	while (n->rx_pending) {
		n->rx_pending--;
		msleep(20);
	}
}

static noinline void nic_remove(struct nic *n)
{
	n->removing = true;
	ptp_destroy(n);
	nic_drain_rx(n);
	cancel_delayed_work_sync(&n->stats_work);
	kfree(n);
}

static int unbind(void *data)
{
	msleep(500);
	nic_remove(data);
	return 0;
}

static int __init nic_init(void)
{
	nic = kzalloc(sizeof(*nic), GFP_KERNEL);
	if (!nic)
		return -ENOMEM;
	strscpy(nic->name, "nic0", sizeof(nic->name));
	nic->rx_pending = 40;
	ptp_create(nic);
	INIT_DELAYED_WORK(&nic->stats_work, stats_poll);
	schedule_delayed_work(&nic->stats_work, HZ / 50);
	return run_thread(unbind, nic, -1, "unbind");
}
module_init(nic_init);
