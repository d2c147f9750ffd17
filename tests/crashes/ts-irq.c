// SPDX-License-Identifier: GPL-2.0-only
/*
 * The thread of an interrupt disables its own interrupt with disable_irq(), which waits until that thread has come back.
 *
 * pattern: disable_irq() for disable_irq_nosync() in the interrupt's own handler
 * upstream: the class of "use disable_irq_nosync() in the handler" (input touchscreens, wlcore, extcon, power supplies)
 * finding: the thread irq/N-ts of the interrupt waits for itself: ts_thread() calls ts_quiet(), which calls disable_irq(), and that waits in synchronize_irq() until this thread's handler ends
 * never: ts-reader, which waits for the touch that the thread would have said; the device, as one that does not answer; a lock
 * must: ^likely: irq/[0-9]+-ts-[0-9]+ waits for itself, .*ts_quiet\(\)
 * shows: irq/[0-9]+-ts-[0-9]+ was switched out .*the handlers of an interrupt to end
 * not: ts-reader-[0-9]+ waits for itself|does not answer|lock
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/ts-irq.ko
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include "crash.h"

struct ts {
	int irq;
	u32 touches, pressure;
	struct hrtimer line;
	struct completion touched;
};

static struct ts ts0;

static enum hrtimer_restart ts_line(struct hrtimer *t)
{
	struct ts *ts = container_of(t, struct ts, line);

	generic_handle_irq(ts->irq);
	hrtimer_forward_now(t, ms_to_ktime(40));
	return HRTIMER_RESTART;
}

static noinline void ts_quiet(struct ts *ts)
{
	disable_irq(ts->irq);
	ts->pressure = 0;
	enable_irq(ts->irq);
}

static irqreturn_t ts_thread(int irq, void *data)
{
	struct ts *ts = data;

	ts->pressure = ts->touches * 37 % 300;
	if (++ts->touches % 50 == 0)
		ts_quiet(ts);
	complete(&ts->touched);
	return IRQ_HANDLED;
}

static int ts_reader(void *data)
{
	struct ts *ts = data;
	u64 sum = 0;

	for (;;) {
		wait_for_completion(&ts->touched);
		sum += ts->pressure;
	}
	return sum;
}

static int __init ts_init(void)
{
	struct ts *ts = &ts0;
	int err;

	init_completion(&ts->touched);
	ts->irq = irq_alloc_desc(numa_node_id());
	if (ts->irq < 0)
		return ts->irq;
	irq_set_chip_and_handler(ts->irq, &dummy_irq_chip, handle_simple_irq);
	err = request_threaded_irq(ts->irq, NULL, ts_thread, IRQF_ONESHOT, "ts", ts);
	if (err)
		return err;
	hrtimer_init(&ts->line, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	ts->line.function = ts_line;
	run_thread(ts_reader, ts, -1, "ts-reader");
	hrtimer_start(&ts->line, ms_to_ktime(40), HRTIMER_MODE_REL_HARD);
	return 0;
}
module_init(ts_init);
