// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "drainer" polls a register with interrupts off on CPU 1, for ever.  "flusher" on CPU 0 asks all
 * CPUs for a call, waits for CPU 1, and is reported as locked up.
 *
 * pattern: soft lockup in smp_call_function_many_cond(), for example by a flush of the TLB
 * finding: flusher on CPU 0 waits for CPU 1 to take an interrupt; CPU 1 is in drain_fifo() of
 *	drainer with interrupts off
 * never: "flusher" or what it does as the cause; the interrupt controller; a spinlock
 * must: ^likely: .*CPU 1, task drainer-[0-9]+, in drain_fifo\(\)
 * not: flusher
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/ipi-never-answered.ko
 */
#include <linux/smp.h>
#include "crash.h"

static u32 fifo_level = 1;

static noinline void drain_fifo(void)
{
	local_irq_disable();
	while (READ_ONCE(fifo_level))
		cpu_relax();
	local_irq_enable();
}

static int drainer(void *unused)
{
	msleep(300);
	drain_fifo();
	return 0;
}

static void nothing(void *unused)
{
}

static noinline void flush_all(void)
{
	on_each_cpu(nothing, NULL, 1);
}

static int flusher(void *unused)
{
	msleep(1200);
	flush_all();
	return 0;
}

static int __init fifo_init(void)
{
	run_thread(drainer, NULL, 1, "drainer");
	return run_thread(flusher, NULL, 0, "flusher");
}
module_init(fifo_init);
