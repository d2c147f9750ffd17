// SPDX-License-Identifier: GPL-2.0-only
/*
 * A route has a chain of aliases, by plain pointers.  An alias is put in front of it twice and leads to itself; the callback of
 * RCU that frees the chain counts it first and does not come to the end.
 *
 * pattern: an element is pushed twice on a singly linked chain; a callback of RCU walks it
 * upstream: the class of circular singly linked chains (fib alias, nexthop groups, conntrack extensions)
 * finding: fib_count_chain(), called by the callback of RCU fib_free_rcu(), goes round: an alias leads to itself (alias->next == alias), as fib_alias_add() put it twice into the chain
 * never: RCU or ksoftirqd as guilty; fib-show; a lock; fib-del, which only called call_rcu()
 * must: fib_(count_chain|free_rcu)\(\).*(goes round|without end|itself|circle)
 * not: fib-show|waits for|lock for
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/fib-alias.ko
 */
#include <linux/rcupdate.h>
#include "crash.h"

struct alias {
	u32 tos, prio;
	u64 hits;
	struct alias *next;
};

struct route {
	u32 dst, plen;
	struct alias *chain;
	u32 aliases;
	struct rcu_head rcu;
};

static struct route __rcu *routes[8];
static u64 shown;

static noinline u32 fib_count_chain(struct route *r)
{
	struct alias *a;
	u32 n = 0;

	for (a = r->chain; a; a = READ_ONCE(a->next))
		if (a->tos != 255)
			n++;
	return n;
}

static void fib_free_rcu(struct rcu_head *head)
{
	struct route *r = container_of(head, struct route, rcu);
	u32 n = fib_count_chain(r);

	while (n--) {
		struct alias *a = r->chain;

		r->chain = a->next;
		kfree(a);
	}
	kfree(r);
}

static noinline void fib_alias_add(struct route *r, struct alias *a)
{
	a->next = r->chain;
	r->chain = a;
	r->aliases++;
}

static noinline void fib_add(u32 i)
{
	struct route *r = kzalloc(sizeof(*r), GFP_KERNEL);
	u32 n;

	if (!r)
		return;
	r->dst = 0x0a000000 + (i << 8);
	r->plen = 24;
	for (n = 0; n < 3; n++) {
		struct alias *a = kzalloc(sizeof(*a), GFP_KERNEL);

		if (!a)
			break;
		a->tos = n * 4;
		fib_alias_add(r, a);
		if (i == 5 && n == 2)
			fib_alias_add(r, a);
	}
	rcu_assign_pointer(routes[i], r);
}

static noinline void fib_del(u32 i)
{
	struct route *r = rcu_dereference_protected(routes[i], 1);

	RCU_INIT_POINTER(routes[i], NULL);
	if (r)
		call_rcu(&r->rcu, fib_free_rcu);
}

static int fib_deleter(void *unused)
{
	u32 i;

	for (i = 0; i < 8; i++) {
		msleep(200);
		fib_del(i);
	}
	return 0;
}

static int fib_show(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		struct route *r;

		rcu_read_lock();
		r = rcu_dereference(routes[i & 7]);
		if (r)
			shown += r->aliases;
		rcu_read_unlock();
		msleep(30);
	}
	return 0;
}

static int __init fib_init(void)
{
	u32 i;

	for (i = 0; i < 8; i++)
		fib_add(i);
	run_thread(fib_show, NULL, 0, "fib-show");
	return run_thread(fib_deleter, NULL, 1, "fib-del");
}
module_init(fib_init);
