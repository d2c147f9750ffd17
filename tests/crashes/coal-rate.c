// SPDX-License-Identifier: GPL-2.0-only
/*
 * A coalescing time of 3000 us becomes 0 jiffies at HZ=250; seconds later a timer divides by it.
 *
 * pattern: integer conversion rounds down to zero, division by it elsewhere
 * upstream: the class of divide errors by a configured interval (ethtool coalesce, tcp/sch rate, fbdev pixclock; CVE-2022-3061)
 * finding: the divide error in dim_rate() is by cq->interval == 0 (jiffies): coal_apply() in a kworker computed usecs * HZ / 1000000 for the 3000 us that the shell wrote to /proc/coal_usecs, which is 0.75 and so 0 at HZ=250; coal_set() accepted it, as it only refuses 0
 * never: a zero written by the user; the timer or idle as the cause; corruption of cq; an uninitialised field
 * x86: others do not fault at a division
 * guest: insmod /test/coal-rate.ko
 * guest: sleep 1
 * guest: echo 3000 >/proc/coal_usecs
 */
#include "crash.h"

struct dim_cq {
	char name[16];
	u32 usecs, interval;
	u64 packets, last, rate;
	u32 ticks;
	struct timer_list timer;
	struct delayed_work apply;
};

static struct dim_cq *cq;

static noinline u64 dim_rate(struct dim_cq *c)
{
	u64 delta = READ_ONCE(c->packets) - c->last;

	c->last = c->packets;
	return delta / READ_ONCE(c->interval);
}

static void dim_timer(struct timer_list *t)
{
	struct dim_cq *c = from_timer(c, t, timer);

	c->packets += 100;
	if (++c->ticks % 8 == 0)
		c->rate = dim_rate(c);
	mod_timer(&c->timer, jiffies + HZ / 4);
}

static void coal_apply(struct work_struct *work)
{
	struct dim_cq *c = container_of(to_delayed_work(work), struct dim_cq, apply);

	WRITE_ONCE(c->interval, c->usecs * HZ / 1000000);
}

static int coal_set(unsigned int usecs)
{
	if (!usecs || usecs > 1000000)
		return -EINVAL;
	cq->usecs = usecs;
	schedule_delayed_work(&cq->apply, HZ);
	return 0;
}

PROC_NUMBER(coal, coal_set);

static int __init coal_init(void)
{
	cq = kzalloc(sizeof(*cq), GFP_KERNEL);
	if (!cq)
		return -ENOMEM;
	strscpy(cq->name, "rxq2", sizeof(cq->name));
	cq->usecs = 8000;
	cq->interval = 2;
	timer_setup(&cq->timer, dim_timer, 0);
	INIT_DELAYED_WORK(&cq->apply, coal_apply);
	mod_timer(&cq->timer, jiffies + HZ / 4);
	proc_create("coal_usecs", 0200, NULL, &coal_pops);
	return 0;
}
module_init(coal_init);
