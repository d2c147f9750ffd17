// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two wait for one completion; complete() wakes one of them.
 *
 * pattern: complete() where complete_all() was needed
 * upstream: the class of "use complete_all() for several waiters" (firmware loader, remoteproc, mei)
 * finding: drain_step() ran complete() once, which woke "valve"; "operator" waits for the same completion
 * never: that drain_step() did not run; "valve"
 * must: ^likely: (operator|valve)-[0-9]+ waits .*drain_step\(\).*complete\(\) woke (operator|valve)-
 * not: holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/pump-drain.ko
 */
#include <linux/completion.h>
#include "crash.h"

struct pump {
	struct completion drained;
	struct delayed_work drain;
	unsigned int litres;
};

static struct pump *pump;

static void drain_step(struct work_struct *work)
{
	struct pump *p = container_of(to_delayed_work(work), struct pump, drain);

	if (p->litres) {
		p->litres -= 10;
		schedule_delayed_work(&p->drain, HZ / 20);
		return;
	}
	complete(&p->drained);
}

static noinline void pump_close(struct pump *p)
{
	wait_for_completion(&p->drained);
	pr_info("pump: %s sees it empty\n", current->comm);
}

static int closer(void *data)
{
	msleep(100);
	pump_close(data);
	return 0;
}

static int __init pump_init(void)
{
	pump = kzalloc(sizeof(*pump), GFP_KERNEL);
	if (!pump)
		return -ENOMEM;
	init_completion(&pump->drained);
	INIT_DELAYED_WORK(&pump->drain, drain_step);
	pump->litres = 100;
	schedule_delayed_work(&pump->drain, HZ / 20);
	run_thread(closer, pump, -1, "valve");
	return run_thread(closer, pump, -1, "operator");
}
module_init(pump_init);
