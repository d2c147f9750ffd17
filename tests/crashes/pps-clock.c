// SPDX-License-Identifier: GPL-2.0-only
/*
 * A clock's parameters are written within a seqlock whose writer lets interrupts in.  A timer of high resolution comes in
 * between on the same CPU and reads: it waits for the end of a writer that it keeps from ending.
 *
 * pattern: write_seqlock() where write_seqlock_irqsave() was needed, since an interrupt reads
 * upstream: the class of "disable interrupts on the write side of the seqcount" (timekeeping, ptp, mmio tracing, u64_stats on 32 bits)
 * finding: CPU 0 stands in pps_edge(), which goes round in pps_now() until clk->seq is even; it came into pps_adjust() of pps-servo on this CPU, which is within its write section
 * never: a writer that forgot write_seqcount_end() or died; pps-log on CPU 1, which waits for the same; a lock that another CPU holds
 * must: ^likely: CPU 0 waits for itself: pps_now\(\) .*into its writer pps_adjust\(\)
 * not: pps-log-[0-9]+ (holds|wrote)|did not end
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/pps-clock.ko
 * guest: while :; do read line </proc/uptime; sleep 0.3; done
 */
#include <linux/hrtimer.h>
#include <linux/seqlock.h>
#include "crash.h"

struct pps {
	seqlock_t seq;
	u64 base, mult, edges, last;
	u32 adjusts;
	struct hrtimer edge;
};

static struct pps pps0;

static noinline u64 pps_now(struct pps *pps)
{
	unsigned int seq;
	u64 now;

	do {
		seq = read_seqbegin(&pps->seq);
		now = pps->base + pps->mult * pps->edges;
	} while (read_seqretry(&pps->seq, seq));
	return now;
}

static enum hrtimer_restart pps_edge(struct hrtimer *t)
{
	struct pps *pps = container_of(t, struct pps, edge);

	pps->edges++;
	pps->last = pps_now(pps);
	hrtimer_forward_now(t, ns_to_ktime(9100 * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static noinline void pps_adjust(struct pps *pps, u32 ppb)
{
	write_seqlock_bh(&pps->seq);
	pps->base = pps->last;
	pps->mult = 1000000 + ppb;
	if (++pps->adjusts > 100)
		udelay(300);
	write_sequnlock_bh(&pps->seq);
}

static int pps_servo(void *data)
{
	struct pps *pps = data;

	hrtimer_start(&pps->edge, ms_to_ktime(9), HRTIMER_MODE_REL_PINNED_HARD);
	for (;;) {
		pps_adjust(pps, pps->edges & 255);
		usleep_range(9000, 11000);
	}
	return 0;
}

static int pps_log(void *data)
{
	u64 sum = 0;

	for (;;) {
		sum += pps_now(data);
		msleep(150);
	}
	return sum;
}

static int __init pps_init(void)
{
	seqlock_init(&pps0.seq);
	hrtimer_init(&pps0.edge, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	pps0.edge.function = pps_edge;
	run_thread(pps_log, &pps0, 1, "pps-log");
	return run_thread(pps_servo, &pps0, 0, "pps-servo");
}
module_init(pps_init);
