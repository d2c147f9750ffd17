// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session is moved to the list of parked ones while a reader under RCU stands on it: the reader goes round the other
 * list and never meets its head.
 *
 * pattern: an entry is moved between two RCU lists without a grace period
 * upstream: the class of endless RCU walks by list_move() (hlist_nulls exists because of it; netfilter, tipc, batman-adv)
 * finding: sess_park() and sess_unpark() move an entry between two RCU lists without a grace period, and
 *	the reader goes round the other one
 * never: sess_sum(), which reads; a list that is broken
 * must: ^likely: sess_sum\(\) .*goes round a list without end
 * not: list .*corrupt
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/sess-park.ko
 */
#include "crash.h"
#include <linux/rculist.h>
#include <linux/random.h>

#define NR_SESS		64

struct sess {
	struct list_head node;
	u32 id, parked;
	u64 bytes;
	unsigned long last;
};

struct sess_table {
	spinlock_t lock;
	struct list_head active;
	u32 nr_active, walks;
	u64 total;
	struct list_head parked;
	u32 nr_parked, moves;
	u64 pad[8];
	struct sess *all[NR_SESS];
};

static struct sess_table *table;

static noinline u64 sess_account(struct sess *s)
{
	udelay(900);			/* reads the counters of the hardware */
	return READ_ONCE(s->bytes) + READ_ONCE(s->last);
}

static noinline u64 sess_sum(struct sess_table *t)
{
	struct sess *s;
	u64 sum = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(s, &t->active, node)
		sum += sess_account(s);
	rcu_read_unlock();
	return sum;
}

static int sess_acct(void *data)
{
	struct sess_table *t = data;

	for (;;) {
		t->total = sess_sum(t);
		t->walks++;
		cond_resched();
	}
	return 0;
}

static noinline void sess_park(struct sess_table *t, struct sess *s)
{
	list_del_rcu(&s->node);
	list_add_tail_rcu(&s->node, &t->parked);
	s->parked = 1;
	t->nr_active--;
	t->nr_parked++;
	t->moves++;
}

static noinline void sess_unpark(struct sess_table *t, struct sess *s)
{
	list_del_rcu(&s->node);
	list_add_tail_rcu(&s->node, &t->active);
	s->parked = 0;
	t->nr_active++;
	t->nr_parked--;
}

static struct sess *sess_pick(struct sess_table *t, u32 parked)
{
	u32 i, start = get_random_u32() % NR_SESS;

	for (i = 0; i < NR_SESS; i++) {
		struct sess *s = t->all[(start + i) % NR_SESS];

		if (s->parked == parked)
			return s;
	}
	return NULL;
}

static int sess_idle(void *data)
{
	struct sess_table *t = data;

	for (;;) {
		spin_lock(&t->lock);
		sess_park(t, sess_pick(t, 0));
		spin_unlock(&t->lock);
		msleep(5);
		if (t->nr_active > 8)
			continue;
		msleep(30000);		/* a quiet time; then all come back */
		spin_lock(&t->lock);
		while (t->nr_parked)
			sess_unpark(t, sess_pick(t, 1));
		spin_unlock(&t->lock);
	}
	return 0;
}

static int __init sess_init(void)
{
	int i;

	table = kzalloc(sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	spin_lock_init(&table->lock);
	INIT_LIST_HEAD(&table->active);
	INIT_LIST_HEAD(&table->parked);
	for (i = 0; i < NR_SESS; i++) {
		struct sess *s = kzalloc(sizeof(*s), GFP_KERNEL);

		if (!s)
			return -ENOMEM;
		s->id = i;
		s->bytes = i * 1000;
		list_add_tail(&s->node, &table->active);
		table->all[i] = s;
		table->nr_active++;
	}
	run_thread(sess_acct, table, 1, "sess-acct");
	msleep(1500);
	return run_thread(sess_idle, table, 0, "sess-idle");
}
module_init(sess_init);
