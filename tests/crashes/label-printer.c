// SPDX-License-Identifier: GPL-2.0-only
/*
 * A work item of an ordered workqueue waits for a completion that a later item of that queue gives.
 *
 * pattern: wait_for_completion() in a work item, for what one behind it does
 * upstream: the class of ordered workqueues of hci, mt76, ath and drm schedulers
 * finding: the kworker that runs job_print() waits for itself: ribbon_feed(), which completes, is queued behind it on
 *	the ordered workqueue "printer"
 * never: "spooler"; a device that does not answer
 * must: ^likely: kworker/.*waits for itself.*ribbon_feed
 * not: spooler
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/label-printer.ko
 */
#include <linux/completion.h>
#include "crash.h"

struct printer {
	struct workqueue_struct *jobs;
	struct work_struct print, feed;
	struct completion ribbon_ready;
	unsigned int labels, ribbon;
};

static struct printer printer;

static noinline void printer_load(struct printer *p)
{
	reinit_completion(&p->ribbon_ready);
	queue_work(p->jobs, &p->feed);
	wait_for_completion(&p->ribbon_ready);
}

static void job_print(struct work_struct *work)
{
	struct printer *p = container_of(work, struct printer, print);

	while (p->labels) {
		if (!p->ribbon)
			printer_load(p);
		p->ribbon--;
		p->labels--;
	}
}

static void ribbon_feed(struct work_struct *work)
{
	struct printer *p = container_of(work, struct printer, feed);

	p->ribbon = 100;
	complete(&p->ribbon_ready);
}

static int spooler(void *data)
{
	struct printer *p = data;

	for (;;) {
		p->labels += 40;
		queue_work(p->jobs, &p->print);
		flush_work(&p->print);
		msleep(300);
	}
	return 0;
}

static int __init printer_init(void)
{
	printer.jobs = alloc_ordered_workqueue("printer", 0);
	INIT_WORK(&printer.print, job_print);
	INIT_WORK(&printer.feed, ribbon_feed);
	init_completion(&printer.ribbon_ready);
	printer.ribbon = 100;
	return run_thread(spooler, &printer, -1, "spooler");
}
module_init(printer_init);
