// SPDX-License-Identifier: GPL-2.0-only
/*
 * An ordered workqueue runs a work item that waits for its firmware for ever.  "closer" flushes another item of it, with
 * a mutex held that "client" wants.
 *
 * pattern: one slow work item on an ordered workqueue, as of hci and sound
 * finding: closer waits for the work item save_work(), which stands behind load_work(); that runs in a worker and
 *	waits for a completion
 * never: "client"; a deadlock; the workqueue as broken; the firmware's worker holds the mutex
 * must: ^shown: .*(closer|kworker).*load_work
 * not: deadlock
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/work-behind-a-sleeper.ko
 */
#include <linux/completion.h>
#include "crash.h"

static DECLARE_COMPLETION(firmware);
static DEFINE_MUTEX(card_lock);
static struct workqueue_struct *card_wq;

static noinline void load_work(struct work_struct *unused)
{
	wait_for_completion(&firmware);
}

static noinline void save_work(struct work_struct *unused)
{
}

static DECLARE_WORK(load, load_work);
static DECLARE_WORK(save, save_work);

static int client(void *unused)
{
	msleep(700);
	mutex_lock(&card_lock);
	mutex_unlock(&card_lock);
	return 0;
}

static int closer(void *unused)
{
	msleep(300);
	queue_work(card_wq, &load);
	queue_work(card_wq, &save);
	mutex_lock(&card_lock);
	flush_work(&save);
	mutex_unlock(&card_lock);
	return 0;
}

static int __init card_init(void)
{
	card_wq = alloc_ordered_workqueue("card", 0);
	run_thread(client, NULL, -1, "client");
	return run_thread(closer, NULL, -1, "closer");
}
module_init(card_init);
