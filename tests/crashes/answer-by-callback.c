// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A work item waits for a copy by an engine, which calls complete() by a pointer, and which loses the last one.  Behind it,
 * on the same ordered workqueue, is a work item that completes something else.
 *
 * pattern: a DMA engine that loses a transfer; its callback is complete() itself
 * upstream: the class of dmaengine clients with desc->callback = complete (spi, mtd, mmc)
 * finding: the kworker that runs job_copy() waits for "copied", which the engine did not complete
 * never: that it waits for itself; tally_work(), which completes "tallied"; "collector"
 * must: ^shown: .*for a completion in job_copy\(\)
 * not: waits for itself|tally_work
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/answer-by-callback.ko
 */
#include <linux/completion.h>
#include "crash.h"

struct engine {
	struct timer_list timer;
	void (*done)(void *arg);
	void *arg;
	u32 transfers;
};

struct copier {
	struct workqueue_struct *jobs;
	struct work_struct copy, tally;
	struct completion copied, tallied;
	u32 copies, tallies;
};

static struct engine engine;
static struct copier copier;

static void engine_tick(struct timer_list *timer)
{
	struct engine *e = container_of(timer, struct engine, timer);

	if (++e->transfers < 40)
		e->done(e->arg);
}

static noinline void engine_start(struct engine *e, void (*done)(void *arg), void *arg)
{
	e->done = done;
	e->arg = arg;
	mod_timer(&e->timer, jiffies + HZ / 20);
}

static void job_copy(struct work_struct *work)
{
	struct copier *c = container_of(work, struct copier, copy);

	init_completion(&c->copied);
	engine_start(&engine, (void (*)(void *))complete, &c->copied);
	wait_for_completion(&c->copied);
	c->copies++;
}

static void tally_work(struct work_struct *work)
{
	struct copier *c = container_of(work, struct copier, tally);

	c->tallies = c->copies;
	complete(&c->tallied);
}

static int collector(void *data)
{
	struct copier *c = data;

	for (;;) {
		queue_work(c->jobs, &c->copy);
		queue_work(c->jobs, &c->tally);
		wait_for_completion(&c->tallied);
		msleep(10);
	}
	return 0;
}

static int __init copier_init(void)
{
	timer_setup(&engine.timer, engine_tick, 0);
	copier.jobs = alloc_ordered_workqueue("copier", 0);
	INIT_WORK(&copier.copy, job_copy);
	INIT_WORK(&copier.tally, tally_work);
	init_completion(&copier.tallied);
	return run_thread(collector, &copier, -1, "collector");
}
module_init(copier_init);
