// SPDX-License-Identifier: GPL-2.0-only
/*
 * A station is freed by RCU and stays in its list.  "survey" gets its memory.
 *
 * pattern: call_rcu() without list_del_rcu()
 * upstream: the class of use after free by readers of an RCU list (mac80211 stations, batman-adv, tipc)
 * finding: sta_lookup() used a pointer that is text, read from memory that was freed by sta_reclaim(), called by RCU
 * never: "survey"; RCU
 * must: ^likely: sta_lookup\(\) .*the list or tree stations still has that
 * not: survey
 * guest: insmod /test/sta-table.ko
 * guest: sleep 60
 */
#include <linux/rculist.h>
#include "crash.h"

struct sta_stats {
	u64 rx, tx;
};

struct sta {
	u32 aid, idle;
	struct sta_stats *stats;
	struct list_head list;
	struct rcu_head rcu;
	u8 caps[40];
};

static LIST_HEAD(stations);
static struct sta_stats all_stats[32];
static u64 seen;
static char *notes[512];

static void sta_reclaim(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct sta, rcu));
}

static noinline void sta_expire(struct sta *s)
{
	s->idle = 0;
	call_rcu(&s->rcu, sta_reclaim);
}

static noinline void sta_lookup(u32 aid)
{
	struct sta *s;

	rcu_read_lock();
	list_for_each_entry_rcu(s, &stations, list) {
		if (s->aid == aid)
			break;
		seen += s->stats->rx;
	}
	rcu_read_unlock();
}

static int roamer(void *unused)
{
	for (;;) {
		sta_lookup(1000);
		msleep(30);
	}
	return 0;
}

static int aging(void *unused)
{
	struct sta *s;
	u32 n = 0;

	msleep(900);
	list_for_each_entry(s, &stations, list)
		if (++n == 7) {
			sta_expire(s);
			break;
		}
	return 0;
}

static int survey(void *unused)
{
	int i;

	msleep(1300);
	for (i = 0; i < ARRAY_SIZE(notes); i++) {
		notes[i] = kmalloc(sizeof(struct sta), GFP_KERNEL);
		if (notes[i])
			snprintf(notes[i], sizeof(struct sta), "channel %d: noise -92 dBm, busy 31 percent, load of the last minute", i);
	}
	return 0;
}

static int __init sta_init(void)
{
	int i;

	for (i = 0; i < 32; i++) {
		struct sta *s = kzalloc(sizeof(*s), GFP_KERNEL);

		if (!s)
			return -ENOMEM;
		s->aid = i;
		s->stats = &all_stats[i];
		list_add_tail_rcu(&s->list, &stations);
	}
	run_thread(survey, NULL, -1, "survey");
	run_thread(aging, NULL, -1, "aging");
	return run_thread(roamer, NULL, -1, "roamer");
}
module_init(sta_init);
