// SPDX-License-Identifier: GPL-2.0-only
/*
 * A flow is given to call_rcu() as it expires, and freed at once by the path that removes it.  Its memory is a label when RCU
 * comes to call what stood in it.
 *
 * pattern: kfree() of an object whose rcu_head is queued
 * upstream: the class of double free by call_rcu() and kfree() (net: sched, ovs flow tables)
 * finding: RCU called a callback that is text: the head lay in memory that flow_remove() freed, given out again to a label
 * never: the interrupted or idle task; RCU as author; NULL; a module that is gone
 * must: ^likely: An object given to call_rcu\(\).* freed or overwritten before: rcu_do_batch\(\)
 * not: poison|NULL|swapper
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/freed-before-rcu-did.ko
 */
#include "crash.h"

struct flow {
	u64 key[30];
	struct rcu_head rcu;
};

static char *labels[300];
static unsigned long freed;

static void flow_free(struct rcu_head *rcu)
{
	freed++;
}

static noinline void flow_expire(struct flow *f)
{
	call_rcu(&f->rcu, flow_free);
}

static noinline void flow_remove(struct flow *f)
{
	kfree(f);
}

static int remover(void *unused)
{
	struct flow *f = kzalloc(sizeof(*f), GFP_KERNEL);
	int i;

	msleep(300);
	preempt_disable();
	flow_expire(f);
	flow_remove(f);
	for (i = 0; i < 300; i++) {
		labels[i] = kmalloc(sizeof(*f), GFP_ATOMIC);
		memset(labels[i], 'k', sizeof(*f));
	}
	preempt_enable();
	return 0;
}

static int __init flow_init(void)
{
	return run_thread(remover, NULL, 1, "remover");
}
module_init(flow_init);
