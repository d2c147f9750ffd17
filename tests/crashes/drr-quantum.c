// SPDX-License-Identifier: GPL-2.0-only
/*
 * A packet scheduler is given a weight that makes its quantum nothing; its tasklet turns without end.
 *
 * pattern: quantum of 0 in a round robin of deficits
 * upstream: d9e15a273306 ("pkt_sched: fq: do not accept silly TCA_FQ_QUANTUM")
 * finding: drr_dequeue() of the tasklet drr_run() loops without end; drr_change() by "tc" left quantum 0
 * never: the task interrupted
 * must: drr_dequeue\(\) of module drr_quantum (goes round a loop that it leaves by what it adds up|, and let no task run)|CPU [0-9]+ was in a softirq, in drr_
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/drr-quantum.ko
 */
#include <linux/interrupt.h>
#include "crash.h"

struct flow {
	struct list_head node;
	int deficit;
	unsigned int backlog;
	u32 id;
};

struct sched_drr {
	spinlock_t lock;
	struct list_head active;
	struct flow flows[8];
	unsigned int mtu, quantum;
	u64 sent;
	struct tasklet_struct run;
	struct timer_list arrive;
};

static struct sched_drr *drr;

static noinline struct flow *drr_dequeue(struct sched_drr *q)
{
	struct flow *flow;

	for (;;) {
		flow = list_first_entry_or_null(&q->active, struct flow, node);
		if (!flow || flow->deficit > 0)
			return flow;
		flow->deficit += q->quantum;
		list_move_tail(&flow->node, &q->active);
	}
}

static void drr_run(struct tasklet_struct *tasklet)
{
	struct sched_drr *q = container_of(tasklet, struct sched_drr, run);
	struct flow *flow;

	spin_lock(&q->lock);
	while ((flow = drr_dequeue(q))) {
		flow->deficit -= 1000;
		q->sent += 1000;
		if (!--flow->backlog)
			list_del_init(&flow->node);
	}
	spin_unlock(&q->lock);
}

static void drr_arrive(struct timer_list *timer)
{
	struct sched_drr *q = container_of(timer, struct sched_drr, arrive);
	int i;

	spin_lock(&q->lock);
	for (i = 0; i < 8; i++) {
		q->flows[i].backlog += 3;
		if (list_empty(&q->flows[i].node))
			list_add_tail(&q->flows[i].node, &q->active);
	}
	spin_unlock(&q->lock);
	tasklet_schedule(&q->run);
	mod_timer(timer, jiffies + HZ / 50);
}

static noinline void drr_change(struct sched_drr *q, unsigned int weight)
{
	spin_lock_bh(&q->lock);
	q->quantum = q->mtu / weight;
	spin_unlock_bh(&q->lock);
}

static int tc(void *data)
{
	msleep(1000);
	drr_change(data, 2);
	msleep(1000);
	drr_change(data, 2048);
	return 0;
}

static int __init drr_init(void)
{
	int i;

	drr = kzalloc(sizeof(*drr), GFP_KERNEL);
	if (!drr)
		return -ENOMEM;
	spin_lock_init(&drr->lock);
	INIT_LIST_HEAD(&drr->active);
	for (i = 0; i < 8; i++) {
		INIT_LIST_HEAD(&drr->flows[i].node);
		drr->flows[i].id = i;
	}
	drr->mtu = 1500;
	drr->quantum = 1500;
	tasklet_setup(&drr->run, drr_run);
	timer_setup(&drr->arrive, drr_arrive, 0);
	mod_timer(&drr->arrive, jiffies + 1);
	return run_thread(tc, drr, 1, "tc");
}
module_init(drr_init);
