// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sender keeps the mailbox' mutex while it waits for the answer; the answer's work stands in an ordered queue
 * behind a statistics work, which waits for the mutex.
 *
 * pattern: waiting for a completion with a mutex held that what completes it needs, indirectly
 * upstream: the class of mailbox/firmware command deadlocks (qcom smd, brcmfmac, ath11k)
 * finding: deadlock: "fw-update" has the mutex and waits for a completion of mbox_rx(), which is queued
 *	behind mbox_stat() on an ordered workqueue, which waits for the mutex
 * never: a device that does not answer
 * must: ^likely: A deadlock: .*(fw-update-[0-9]+ waits for the work item mbox_rx\(\), queued behind)
 * not: does not answer
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/mbox-order.ko
 */
#include <linux/completion.h>
#include "crash.h"

struct mbox_msg {
	u32 id, len;
	int status;
	struct completion done;
};

struct mbox {
	struct mutex lock;
	struct workqueue_struct *wq;
	struct work_struct rx, stat;
	struct timer_list irq, tick;
	struct mbox_msg *current_msg;
	u32 sent, received, stats;
};

static struct mbox *mbox;

static void mbox_rx(struct work_struct *work)
{
	struct mbox *mb = container_of(work, struct mbox, rx);
	struct mbox_msg *msg = mb->current_msg;

	mb->received++;
	if (msg) {
		msg->status = 0;
		complete(&msg->done);
	}
}

static void mbox_stat(struct work_struct *work)
{
	struct mbox *mb = container_of(work, struct mbox, stat);

	mutex_lock(&mb->lock);
	mb->stats = mb->sent - mb->received;
	mutex_unlock(&mb->lock);
}

static void mbox_irq(struct timer_list *t)
{
	struct mbox *mb = from_timer(mb, t, irq);

	queue_work(mb->wq, &mb->rx);
}

static void mbox_tick(struct timer_list *t)
{
	struct mbox *mb = from_timer(mb, t, tick);

	queue_work(mb->wq, &mb->stat);
	mod_timer(&mb->tick, jiffies + HZ / 2);
}

static noinline int mbox_send(struct mbox *mb, u32 id, u32 len)
{
	struct mbox_msg msg = { .id = id, .len = len, .status = -EINPROGRESS };

	init_completion(&msg.done);
	mutex_lock(&mb->lock);
	mb->current_msg = &msg;
	mb->sent++;
	mod_timer(&mb->irq, jiffies + (len > 256 ? HZ : 1));	/* the device answers */
	wait_for_completion(&msg.done);
	mb->current_msg = NULL;
	mutex_unlock(&mb->lock);
	return msg.status;
}

static int fw_update(void *data)
{
	u32 i;

	for (i = 0; i < 3; i++) {
		msleep(130);
		mbox_send(data, i, 16);
	}
	mbox_send(data, i, 4096);
	return 0;
}

static int __init mbox_probe(void)
{
	mbox = kzalloc(sizeof(*mbox), GFP_KERNEL);
	if (!mbox)
		return -ENOMEM;
	mutex_init(&mbox->lock);
	mbox->wq = alloc_ordered_workqueue("mbox0", 0);
	if (!mbox->wq)
		return -ENOMEM;
	INIT_WORK(&mbox->rx, mbox_rx);
	INIT_WORK(&mbox->stat, mbox_stat);
	timer_setup(&mbox->irq, mbox_irq, 0);
	timer_setup(&mbox->tick, mbox_tick, 0);
	mod_timer(&mbox->tick, jiffies + HZ / 2);
	return run_thread(fw_update, mbox, -1, "fw-update");
}
module_init(mbox_probe);
