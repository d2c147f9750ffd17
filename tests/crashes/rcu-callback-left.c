// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module gives objects to call_rcu() and is removed, without rcu_barrier(), while a CPU has not yet called
 * all of the callbacks.  The next one is called where the module was.
 *
 * pattern: a missing rcu_barrier() at the end of a module; Documentation/RCU/rcubarrier.rst
 * finding: RCU called a function in the memory of this module, which had been unloaded
 * never: swapper, ksoftirqd or the task interrupted; the kernel's RCU code; the module "dummy"
 * must: ^shown: The CPU jumped to ffffffffc
 * not: ksoftirqd|swapper|dummy
 * modules: dummy
 * guest: load_modules /lib/modules
 * guest: insmod /test/rcu-callback-left.ko
 * guest: rmmod rcu_callback_left
 */
#include <linux/rcupdate.h>
#include "crash.h"

struct rule {
	struct rcu_head rcu;
	int id;
};

static void rule_free(struct rcu_head *head)
{
	udelay(100);
	kfree(container_of(head, struct rule, rcu));
}

static noinline void rule_release(struct rule *r)
{
	call_rcu(&r->rcu, rule_free);
}

static int __init rule_init(void)
{
	return 0;
}

static void release_all(struct work_struct *unused)
{
	int i;

	for (i = 0; i < 5000; i++) {
		struct rule *r = kzalloc(sizeof(*r), GFP_KERNEL);

		if (r)
			rule_release(r);
	}
}

static DECLARE_WORK(work, release_all);

static void __exit rule_exit(void)
{
	/* The other CPU has the callbacks then, and the grace period of rmmod is not behind them. */
	schedule_work_on(!raw_smp_processor_id(), &work);
	flush_work(&work);
}
module_init(rule_init);
module_exit(rule_exit);
