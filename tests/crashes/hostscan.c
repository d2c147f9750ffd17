// SPDX-License-Identifier: GPL-2.0-only
/*
 * A work waits for the answer that another work of the same ordered queue gives.
 *
 * pattern: completion given by a work behind the waiter on an ordered workqueue (hci, ath11k, qla2xxx, mt76)
 * finding: host_reset_work() waits for fw_ready; fw_event_work(), which gives it, is queued behind it on "host_wq"
 * never: ifdown (waits for the queue), iomon
 * must: likely: kworker/.* waits for itself: it runs host_reset_work\(\) of module hostscan, and waits for a completion of fw_event_work\(\)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/hostscan.ko
 * guest: while :; do read line </proc/uptime; sleep 0.5; done
 */
#include <linux/completion.h>
#include "crash.h"

struct host {
	char name[16];
	struct workqueue_struct *wq;
	struct work_struct reset_work;
	struct work_struct event_work;
	struct timer_list doorbell;
	struct completion fw_ready;
	u32 events, resets, doorbells;
	bool booting;
};

static struct host *host;

static void fw_event_work(struct work_struct *work)
{
	struct host *h = container_of(work, struct host, event_work);

	h->events++;
	if (h->booting) {
		h->booting = false;
		complete(&h->fw_ready);
	}
}

static noinline void fw_boot(struct host *h)
{
	reinit_completion(&h->fw_ready);
	h->booting = true;
	wait_for_completion(&h->fw_ready);
}

static void host_reset_work(struct work_struct *work)
{
	struct host *h = container_of(work, struct host, reset_work);

	h->resets++;
	fw_boot(h);
}

static void doorbell(struct timer_list *t)
{
	struct host *h = from_timer(h, t, doorbell);

	h->doorbells++;
	queue_work(h->wq, &h->event_work);
	mod_timer(&h->doorbell, jiffies + 3);
}

static noinline void host_quiesce(struct host *h)
{
	flush_workqueue(h->wq);
}

static int ifdown(void *data)
{
	for (;;) {
		msleep(45);
		host_quiesce(data);
	}
	return 0;
}

static int iomon(void *data)
{
	struct host *h = data;
	u32 seen = 0;

	for (;;) {
		seen += h->events;
		msleep(30);
	}
	return seen;
}

static int ehd(void *data)
{
	struct host *h = data;

	msleep(800);
	queue_work(h->wq, &h->reset_work);
	for (;;)
		msleep(100);
	return 0;
}

static int __init hostscan_init(void)
{
	host = kzalloc(sizeof(*host), GFP_KERNEL);
	if (!host)
		return -ENOMEM;
	strscpy(host->name, "host7", sizeof(host->name));
	host->wq = alloc_ordered_workqueue("host_wq", 0);
	if (!host->wq)
		return -ENOMEM;
	INIT_WORK(&host->reset_work, host_reset_work);
	INIT_WORK(&host->event_work, fw_event_work);
	init_completion(&host->fw_ready);
	timer_setup(&host->doorbell, doorbell, 0);
	mod_timer(&host->doorbell, jiffies + 3);
	run_thread(ifdown, host, -1, "ifdown");
	run_thread(iomon, host, -1, "iomon");
	return run_thread(ehd, host, -1, "ehd");
}
module_init(hostscan_init);
