// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module gives an object to call_rcu() and is removed, without rcu_barrier(), while a reader makes the
 * grace period long.  The callback is then called where the module was.
 *
 * pattern: a missing rcu_barrier() at the end of a module; Documentation/RCU/rcubarrier.rst
 * finding: RCU called a function in the memory of this module, which had been unloaded
 * never: swapper, ksoftirqd or the task interrupted; the kernel's RCU code; the module "dummy"
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

static void __exit rule_exit(void)
{
	int i;

	for (i = 0; i < 100000; i++) {
		struct rule *r = kzalloc(sizeof(*r), GFP_KERNEL);

		if (r)
			rule_release(r);
	}
}
module_init(rule_init);
module_exit(rule_exit);
