// SPDX-License-Identifier: GPL-2.0-only
/*
 * A work item of a queue that memory reclaim needs waits for one of a queue that needs memory.
 *
 * pattern: flush_work() of system_wq from a WQ_MEM_RECLAIM queue
 * upstream: the class of "workqueue: WQ_MEM_RECLAIM ... is flushing !WQ_MEM_RECLAIM" (nvme, hv, md)
 * finding: panic_on_warn; the work function reset_work() on queue resets flushes scan_work() of "events"
 * never: a hang; a deadlock that happened; the workqueue code as broken
 * must: ^shown: .*resets:reset_work
 * not: hang|deadlock
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/reclaim-queue-flushes-events.ko
 */
#include "crash.h"

static struct workqueue_struct *resets;

static void scan_work(struct work_struct *unused)
{
	msleep(100);
}
static DECLARE_WORK(scan, scan_work);

static noinline void scan_stop(void)
{
	flush_work(&scan);
}

static void reset_work(struct work_struct *unused)
{
	schedule_work(&scan);
	scan_stop();
}
static DECLARE_WORK(reset, reset_work);

static int __init reset_init(void)
{
	resets = alloc_workqueue("resets", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	queue_work(resets, &reset);
	return 0;
}
module_init(reset_init);
