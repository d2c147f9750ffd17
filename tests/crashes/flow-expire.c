// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A flow already handed to call_rcu() is freed directly by another path and reused; the RCU core calls what lies there.
 *
 * pattern: kfree() of an object whose rcu_head is still queued
 * upstream: the class of mixed kfree()/kfree_rcu() of one object by two paths (nf_tables sets, act_ct, cls_flower double delete)
 * finding: the RCU core called the func of an rcu_head that lies in memory now owned by a log line ("conn ... closed"): it was a struct flow, queued by flow_gc() with call_rcu(); conn_close() (conn-close) then freed the same flow with kfree() before the grace period ended, and conn-log's entry took the slot
 * never: the RCU core or the interrupted task as the cause; flow-dump (a slow but correct reader) as the culprit; conn-log as an overrun; an unloaded module's callback
 * guest: insmod /test/flow-expire.ko
 */
#include "crash.h"
#include <linux/rculist.h>

struct conn;

struct flow {
	struct list_head node;
	struct conn *conn;
	struct rcu_head rcu;
	u32 key[40];
	u64 packets, bytes;
};

struct conn {
	u32 id, state;
	struct flow *flow;
};

struct conn_line {
	char text[sizeof(struct flow)];
};

static LIST_HEAD(flows);
static DEFINE_SPINLOCK(flow_lock);
static struct conn *conns[128];
static struct conn_line *lines[512];
static u64 dumped, released;

static void flow_release(struct rcu_head *head)
{
	released++;
	kfree(container_of(head, struct flow, rcu));
}

static int flow_dump(void *unused)
{
	struct flow *f;
	int i;

	msleep(1000);
	rcu_read_lock();
	for (i = 0; i < 3000; i++) {
		list_for_each_entry_rcu(f, &flows, node)
			dumped += f->packets;
		udelay(1000);
	}
	rcu_read_unlock();
	return 0;
}

static noinline void flow_expire(struct flow *f)
{
	spin_lock_bh(&flow_lock);
	list_del_rcu(&f->node);
	spin_unlock_bh(&flow_lock);
	call_rcu(&f->rcu, flow_release);
}

static int flow_gc(void *unused)
{
	msleep(1500);
	flow_expire(conns[40]->flow);
	return 0;
}

static noinline void conn_close(struct conn *c)
{
	c->state = 7;
	kfree(c->flow);
}

static int conn_closer(void *unused)
{
	msleep(2000);
	conn_close(conns[40]);
	return 0;
}

static int conn_log(void *unused)
{
	int i, at;

	msleep(1900);
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!(i % 8))
			msleep(10);
		lines[i] = kmalloc(sizeof(struct conn_line), GFP_KERNEL);
		if (!lines[i])
			break;
		for (at = 0; at + 20 < sizeof(struct conn_line); at += 18)
			scnprintf(lines[i]->text + at, 20, "conn %05d closed; ", i);
	}
	return 0;
}

static int __init flow_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(conns); i++) {
		conns[i] = kzalloc(sizeof(*conns[i]), GFP_KERNEL);
		if (!conns[i])
			return -ENOMEM;
		conns[i]->id = i;
		conns[i]->flow = kzalloc(sizeof(struct flow), GFP_KERNEL);
		if (!conns[i]->flow)
			return -ENOMEM;
		conns[i]->flow->conn = conns[i];
		conns[i]->flow->packets = 3 * i;
		list_add_tail_rcu(&conns[i]->flow->node, &flows);
	}
	run_thread(flow_dump, NULL, 0, "flow-dump");
	run_thread(flow_gc, NULL, 1, "flow-gc");
	run_thread(conn_closer, NULL, 1, "conn-close");
	return run_thread(conn_log, NULL, 1, "conn-log");
}
module_init(flow_init);
