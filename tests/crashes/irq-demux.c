// SPDX-License-Identifier: GPL-2.0-only
/*
 * An expander's interrupt is demultiplexed by the lowest bit that is set.  The status is zero once, for an interrupt that came late:
 * ffs() - 1 is -1, and what stands in front of the table is called.
 *
 * pattern: ffs() or __ffs() of a status of zero as an index
 * upstream: the class of "handle spurious interrupts with status 0" (gpio, mfd irq chips, pinctrl)
 * finding: exp_irq() took handlers[-1], one in front of the table, as the status was 0: there stands exp->period, 0xfa240 or so, and no function
 * never: a handler that was never set, or was overwritten; freed memory; the idle task or who was interrupted; a module that was unloaded
 * must: ^likely: exp_irq\(\) .*in front of a table of functions, at index -1
 * not: freed|overwritten|unloaded|never set
 * guest: insmod /test/irq-demux.ko
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include "crash.h"

struct exp {
	int irq;
	u32 status, mask, late;
	struct hrtimer line;
	u64 counts[8];
	u64 period;
	void (*handlers[8])(struct exp *exp, int bit);
};

static struct exp *exp0;

static void exp_key(struct exp *exp, int bit)
{
	exp->counts[bit]++;
}

static void exp_led(struct exp *exp, int bit)
{
	exp->counts[bit] += 2;
}

static irqreturn_t exp_irq(int irq, void *data)
{
	struct exp *exp = data;
	u32 status = READ_ONCE(exp->status) & exp->mask;
	int bit = ffs(status) - 1;

	exp->handlers[bit](exp, bit);
	exp->status = 0;
	return IRQ_HANDLED;
}

static enum hrtimer_restart exp_line(struct hrtimer *t)
{
	struct exp *exp = container_of(t, struct exp, line);

	exp->status = ++exp->late == 90 ? 0 : 1 << exp->late % 8;
	generic_handle_irq(exp->irq);
	hrtimer_forward_now(t, ns_to_ktime(exp->period * 32));
	return HRTIMER_RESTART;
}

static int __init exp_init(void)
{
	struct exp *exp = kzalloc(sizeof(*exp), GFP_KERNEL);
	int i, err;

	if (!exp)
		return -ENOMEM;
	exp0 = exp;
	exp->mask = 0xff;
	exp->period = 1024576;
	for (i = 0; i < 8; i++)
		exp->handlers[i] = i < 5 ? exp_key : exp_led;
	exp->irq = irq_alloc_desc(numa_node_id());
	if (exp->irq < 0)
		return exp->irq;
	irq_set_chip_and_handler(exp->irq, &dummy_irq_chip, handle_simple_irq);
	err = request_irq(exp->irq, exp_irq, 0, "expander", exp);
	if (err)
		return err;
	hrtimer_init(&exp->line, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	exp->line.function = exp_line;
	hrtimer_start(&exp->line, ms_to_ktime(30), HRTIMER_MODE_REL_HARD);
	return 0;
}
module_init(exp_init);
