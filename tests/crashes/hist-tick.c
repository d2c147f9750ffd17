// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A writer of a seqcount comes back without its end.  A timer of high resolution that reads comes into a function that counts
 * at the same place of another structure, and turns there for ever.
 *
 * pattern: write_seqcount_begin() without its end in an error path, and a reader in an interrupt
 * upstream: the class of missing write_seqcount_end() (as sequence-left-odd)
 * finding: hist_read() waits for the seqcount of hist0, which hist_reset() of hist-reset left odd
 * never: load_tick() of load-gen, into which the interrupt came, as the writer; load-gen
 * not: into its writer|load_tick
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/hist-tick.ko
 * guest: while :; do read line </proc/uptime; sleep 0.3; done
 */
#include <linux/hrtimer.h>
#include <linux/seqlock.h>
#include "crash.h"

struct hist {
	seqcount_t seq;
	u32 resets;
	u64 base, sum, last;
	struct hrtimer timer;
};

struct load {
	u32 ticks, max;
	u64 sum;
};

static struct hist hist0;
static struct load load0;

static noinline u64 hist_read(struct hist *hist)
{
	unsigned int seq;
	u64 sum;

	do {
		seq = read_seqcount_begin(&hist->seq);
		sum = hist->base + hist->sum;
	} while (read_seqcount_retry(&hist->seq, seq));
	return sum;
}

static enum hrtimer_restart hist_timer(struct hrtimer *t)
{
	struct hist *hist = container_of(t, struct hist, timer);

	hist->last = hist_read(hist);
	hrtimer_forward_now(t, ns_to_ktime(5300 * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static noinline int hist_reset(struct hist *hist, u32 base)
{
	unsigned long flags;

	local_irq_save(flags);
	raw_write_seqcount_begin(&hist->seq);
	if (base == 7) {
		local_irq_restore(flags);
		return -EINVAL;
	}
	hist->base = base;
	raw_write_seqcount_end(&hist->seq);
	local_irq_restore(flags);
	return 0;
}

static int hist_resetter(void *data)
{
	u32 i;

	for (i = 1; i < 8; i++) {
		msleep(300);
		hist_reset(data, i);
	}
	return 0;
}

static noinline void load_tick(struct load *load)
{
	load->ticks++;
	udelay(900);
	load->sum += 3;
}

static int load_gen(void *data)
{
	hrtimer_start(&hist0.timer, ms_to_ktime(9), HRTIMER_MODE_REL_PINNED_HARD);
	for (;;) {
		load_tick(data);
		cond_resched();
	}
	return 0;
}

static int hist_log(void *data)
{
	u64 sum = 0;

	for (;;) {
		sum += hist_read(data);
		msleep(150);
	}
	return sum;
}

static int __init hist_init(void)
{
	seqcount_init(&hist0.seq);
	hrtimer_init(&hist0.timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hist0.timer.function = hist_timer;
	run_thread(hist_log, &hist0, 1, "hist-log");
	run_thread(hist_resetter, &hist0, 1, "hist-reset");
	return run_thread(load_gen, &load0, 0, "load-gen");
}
module_init(hist_init);
