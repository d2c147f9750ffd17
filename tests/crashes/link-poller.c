// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A work item polls with cond_resched() on CPU 1 for a flag that another work item of the same per-CPU pool would set.
 *
 * pattern: a busy work item hogs the concurrency of a bound worker pool; all later works of that CPU starve
 * upstream: the class of "use WQ_UNBOUND / WQ_CPU_INTENSIVE" fixes (which 6.5's cpu_intensive detection was made for)
 * finding: cfgd waits in flush_work() for port_apply, which is pending on the pool of CPU 1 and never started; the pool's only running worker is in link_poll() of this module, polling lk->up, which link_event() would set - itself pending behind it in the same pool.  Guilty is link_poll() (runs, never sleeps, so the pool starts no other worker)
 * never: cfgd or port_apply() as the cause; a lock; lack of memory for workers; a lost work item; a soft lockup or hardware that hangs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/link-poller.ko
 */
#include "crash.h"

struct link {
	char name[16];
	bool up;
	u64 polls;
	u32 applied;
	struct work_struct poll, event, apply;
};

static noinline bool link_sample(struct link *lk)
{
	lk->polls++;
	return READ_ONCE(lk->up);
}

static void link_poll(struct work_struct *work)
{
	struct link *lk = container_of(work, struct link, poll);

	while (!link_sample(lk)) {
		udelay(5);
		cond_resched();
	}
}

static void link_event(struct work_struct *work)
{
	struct link *lk = container_of(work, struct link, event);

	WRITE_ONCE(lk->up, true);
}

static void port_apply(struct work_struct *work)
{
	struct link *lk = container_of(work, struct link, apply);

	lk->applied++;
}

static int cfgd(void *data)
{
	struct link *lk = data;

	for (;;) {
		queue_work_on(1, system_wq, &lk->apply);
		flush_work(&lk->apply);
		schedule_timeout_idle(HZ);
	}
	return 0;
}

static int link_phy(void *data)
{
	struct link *lk = data;

	msleep(1500);
	queue_work_on(1, system_wq, &lk->poll);
	msleep(300);
	queue_work_on(1, system_wq, &lk->event);
	return 0;
}

static int __init link_init(void)
{
	struct link *lk = kzalloc(sizeof(*lk), GFP_KERNEL);

	if (!lk)
		return -ENOMEM;
	strscpy(lk->name, "sfp0", sizeof(lk->name));
	INIT_WORK(&lk->poll, link_poll);
	INIT_WORK(&lk->event, link_event);
	INIT_WORK(&lk->apply, port_apply);
	run_thread(cfgd, lk, 0, "cfgd");
	return run_thread(link_phy, lk, 0, "link-phy");
}
module_init(link_init);
