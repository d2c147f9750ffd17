// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A trap that came before is dropped without its memory being freed; the kernel panics in who asks for memory next.
 *
 * pattern: missing kfree() on the path that drops a duplicate
 * upstream: the class of memory leaks on drop paths (tipc, batman-adv, mac80211, CVE-2019-19062 kind)
 * finding: trap_store() loses each duplicate without kfree(): the objects of kmalloc-2k are of module
 *	trap_dup
 * never: the task that asked last
 * must: ^shown: .*kmalloc-2k.* point to link_trap_ops of module trap_dup
 * not: (head|tail|sh)-[0-9]+ has
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/trap-dup.ko
 * guest: while :; do head -c 1000000 /dev/zero | tail -c 10 >/dev/null; done
 */
#include "crash.h"

struct trap;

struct trap_ops {
	int (*format)(struct trap *t);
};

struct trap {
	struct list_head node;
	const struct trap_ops *ops;
	u32 seq, len, source;
	char text[1900];
};

struct trap_log {
	struct list_head kept;
	struct delayed_work rx;
	u32 nr_kept, received, duplicates, last_seq;
};

static struct trap_log *log;

static int trap_format(struct trap *t)
{
	t->len = snprintf(t->text, sizeof(t->text), "trap %u of agent %u: link down", t->seq, t->source);
	return t->len;
}

static const struct trap_ops link_trap_ops = { .format = trap_format };

static noinline struct trap *trap_receive(struct trap_log *l, u32 seq)
{
	struct trap *t = kmalloc(sizeof(*t), GFP_KERNEL);

	if (!t)
		return NULL;
	t->ops = &link_trap_ops;
	t->seq = seq;
	t->source = seq % 7;
	t->ops->format(t);
	return t;
}

static void trap_expire(struct trap_log *l)
{
	struct trap *t = list_first_entry(&l->kept, struct trap, node);

	list_del(&t->node);
	l->nr_kept--;
	kfree(t);
}

static noinline void trap_store(struct trap_log *l, struct trap *t)
{
	if (t->seq <= l->last_seq) {
		l->duplicates++;
		return;
	}
	l->last_seq = t->seq;
	list_add_tail(&t->node, &l->kept);
	if (++l->nr_kept > 64)
		trap_expire(l);
}

static void trap_rx(struct work_struct *work)
{
	struct trap_log *l = container_of(to_delayed_work(work), struct trap_log, rx);
	int i;

	for (i = 0; i < 128; i++) {
		struct trap *t = trap_receive(l, l->last_seq + (i % 8 == 0));

		if (!t)
			break;
		l->received++;
		trap_store(l, t);
	}
	schedule_delayed_work(&l->rx, 1);
}

static int __init trap_init(void)
{
	log = kzalloc(sizeof(*log), GFP_KERNEL);
	if (!log)
		return -ENOMEM;
	INIT_LIST_HEAD(&log->kept);
	INIT_DELAYED_WORK(&log->rx, trap_rx);
	schedule_delayed_work(&log->rx, HZ);
	return 0;
}
module_init(trap_init);
