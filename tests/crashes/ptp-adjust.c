// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A seqcount's writer sleeps within its write section, for a mutex that the spinning reader holds.
 *
 * pattern: sleeping helper called between write_seqcount_begin() and _end()
 * upstream: the class of "seqcount writer must not be preempted" (stmmac/ptp est update; net: sch_taprio, i915 reset seqcounts; CONFIG_DEBUG_PREEMPT fixes of 5.9)
 * finding: pps-capture spins in clk_now() because clk->seq is odd for ever: ptp-adjust made it odd in clk_adjust() and then slept in clk_calibrate() on cal_lock, which pps-capture itself holds.  Guilty is clk_adjust(): a sleeping call in a seqcount write section; the object is struct pclk
 * never: pps-capture / clk_now() alone as the culprit; a corrupted sequence; a hardware that hangs; a missing write_seqcount_end()
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: insmod /test/ptp-adjust.ko
 */
#include "crash.h"
#include <linux/seqlock.h>

struct pclk {
	seqcount_t seq;
	u64 base, mult, offset;
	u32 captures, adjusts;
	struct mutex cal_lock;
};

static noinline u64 clk_now(struct pclk *clk)
{
	unsigned int seq;
	u64 now;

	do {
		seq = read_seqcount_begin(&clk->seq);
		now = clk->base + clk->offset + clk->mult * jiffies;
	} while (read_seqcount_retry(&clk->seq, seq));
	return now;
}

static noinline u64 clk_calibrate(struct pclk *clk)
{
	u64 mult;

	mutex_lock(&clk->cal_lock);
	mult = clk->mult + (clk->captures & 3);
	mutex_unlock(&clk->cal_lock);
	return mult;
}

static noinline void clk_adjust(struct pclk *clk, s64 delta)
{
	write_seqcount_begin(&clk->seq);
	clk->offset += delta;
	clk->mult = clk_calibrate(clk);
	clk->adjusts++;
	write_seqcount_end(&clk->seq);
}

static int pps_capture(void *data)
{
	struct pclk *clk = data;
	u64 last = 0;

	for (;;) {
		mutex_lock(&clk->cal_lock);
		if (clk->captures > 20)
			msleep(400);		/* the edge is late */
		clk->base = last;
		last = clk_now(clk);
		clk->captures++;
		mutex_unlock(&clk->cal_lock);
		msleep(50);
	}
	return 0;
}

static int ptp_adjust(void *data)
{
	struct pclk *clk = data;

	for (;;) {
		clk_adjust(clk, 7);
		msleep(170);
	}
	return 0;
}

static int __init pclk_init(void)
{
	struct pclk *clk = kzalloc(sizeof(*clk), GFP_KERNEL);

	if (!clk)
		return -ENOMEM;
	seqcount_init(&clk->seq);
	mutex_init(&clk->cal_lock);
	clk->mult = 1000;
	run_thread(pps_capture, clk, 1, "pps-capture");
	return run_thread(ptp_adjust, clk, 0, "ptp-adjust");
}
module_init(pclk_init);
