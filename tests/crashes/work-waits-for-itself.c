// SPDX-License-Identifier: GPL-2.0-only
/*
 * A work item flushes another one of the same ordered workqueue: that one stands behind it.
 *
 * pattern: flush_work() from within the same queue
 * finding: hung kworker in reset_work() waits for flush of stats_work(), which is queued behind it on
 *	the ordered workqueue; at least: waits in __flush_work, no lock
 * never: a lock's owner; the workqueue's code; lack of memory
 * must: ^shown: .*kworker.* waits for itself: it runs reset_work\(\) .*stats_work\(\)
 * not: mutex|holds
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/work-waits-for-itself.ko
 */
#include "crash.h"

static struct workqueue_struct *queue;
static struct work_struct reset, stats;

static noinline void stats_work(struct work_struct *work)
{
	pr_info("stats\n");
}

static noinline void reset_work(struct work_struct *work)
{
	queue_work(queue, &stats);
	flush_work(&stats);
	pr_info("reset\n");
}

static int __init queue_init(void)
{
	queue = alloc_ordered_workqueue("card-events", 0);
	INIT_WORK(&reset, reset_work);
	INIT_WORK(&stats, stats_work);
	queue_work(queue, &reset);
	return 0;
}
module_init(queue_init);
