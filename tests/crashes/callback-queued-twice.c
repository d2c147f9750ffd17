// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Two ways of removal give one filter to call_rcu().  RCU calls the callback once, and then what it has set
 * to NULL, while "cruncher" computes on that CPU.
 *
 * pattern: call_rcu() of one rcu_head by two paths
 * upstream: the class of double call_rcu() (cls_* filters, ipmr, sctp transports; what CONFIG_DEBUG_OBJECTS_RCU_HEAD finds)
 * finding: RCU's callbacks had one without a function: its rcu_head was queued twice, or its memory overwritten
 * never: "cruncher"; rcu_do_batch() as author; an unloaded module
 * must: ^likely: rcu_do_batch\(\) warned: .*call_rcu\(\) twice
 * region: ^likely: .*call_rcu\(\) twice
 * not: cruncher
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/callback-queued-twice.ko
 */
#include <linux/rcupdate.h>
#include "crash.h"

struct filter {
	u64 key[6];
	struct rcu_head rcu;
	char name[64];
};

static struct filter *active;
static unsigned long freed;

static void free_filter(struct rcu_head *head)
{
	struct filter *f = container_of(head, struct filter, rcu);

	freed += f->key[0];
}

static noinline void expire_filter(struct filter *f)
{
	call_rcu(&f->rcu, free_filter);
}

static noinline void delete_filter(struct filter *f)
{
	call_rcu(&f->rcu, free_filter);
}

static int remover(void *unused)
{
	struct filter *f = active;

	msleep(500);
	expire_filter(f);
	delete_filter(f);
	msleep(100000);
	return 0;
}

static int cruncher(void *unused)
{
	for (;;) {
		freed++;
		cond_resched();
	}
	return 0;
}

static int __init filter_init(void)
{
	active = kzalloc(sizeof(*active), GFP_KERNEL);
	run_thread(cruncher, NULL, 1, "cruncher");
	return run_thread(remover, NULL, 1, "remover");
}
module_init(filter_init);
