// SPDX-License-Identifier: GPL-2.0-only
/*
 * A callback of call_rcu() takes a mutex, which "loader" sometimes holds while it sleeps.
 *
 * pattern: a mutex in an RCU callback
 * upstream: the class of sleeping RCU callbacks (call_rcu() where queue_rcu_work() is needed)
 * finding: kv_evict(), a callback of RCU, slept in a softirq
 * never: "loader"; the task that was interrupted
 * must: ^shown: kv_evict\(\) .*slept in a timer or another softirq
 * not: loader|swapper
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/cache-evict.ko
 * guest: sleep 30
 */
#include <linux/rcupdate.h>
#include "crash.h"

struct kv {
	u64 key, value;
	struct rcu_head rcu;
};

static DEFINE_MUTEX(kv_lock);
static u64 evicted, loads;

static void kv_evict(struct rcu_head *rcu)
{
	struct kv *kv = container_of(rcu, struct kv, rcu);

	mutex_lock(&kv_lock);
	evicted += kv->value;
	mutex_unlock(&kv_lock);
	kfree(kv);
}

static int expirer(void *unused)
{
	for (;;) {
		struct kv *kv = kzalloc(sizeof(*kv), GFP_KERNEL);

		if (kv) {
			kv->value = 1;
			call_rcu(&kv->rcu, kv_evict);
		}
		msleep(10);
	}
	return 0;
}

static int loader(void *unused)
{
	for (;;) {
		mutex_lock(&kv_lock);
		loads++;
		if (loads % 40 == 0)
			msleep(60);
		mutex_unlock(&kv_lock);
		msleep(20);
	}
	return 0;
}

static int __init kv_init(void)
{
	run_thread(loader, NULL, 0, "loader");
	return run_thread(expirer, NULL, 1, "expirer");
}
module_init(kv_init);
