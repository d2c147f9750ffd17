// SPDX-License-Identifier: GPL-2.0-only
/*
 * The function of a timer of high resolution closes its channel when the device does not answer, and to close it means to cancel the
 * timer and wait for the end of its function.
 *
 * pattern: hrtimer_cancel() in the timer's own function
 * upstream: the class of "hrtimer_cancel() called from its callback": snd-pcsp, ALSA hrtimer, mac80211_hwsim, can bcm
 * finding: CPU 1 waits for itself: channel_poll() called channel_close(), and that waits with hrtimer_cancel() for the end of
 *	channel_poll()
 * never: the task below, "worker", which is interrupted; the kernel's timer code; CPU 0
 * must: ^likely: CPU 1 waits for itself: hrtimer_cancel\(\), called in channel_close\(\) .*channel_poll\(\)
 * region: ^likely: CPU 1 waits for itself: hrtimer_cancel\(\).*channel_poll\(\)
 * not: CPU 0|worker
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: insmod /test/hrtimer-cancels-itself.ko
 */
#include <linux/hrtimer.h>
#include "crash.h"

static struct hrtimer poll_timer;
static unsigned int polls, open_channels = 1;
static u64 worked;

static noinline void channel_close(void)
{
	open_channels--;
	hrtimer_cancel(&poll_timer);
	open_channels = 0;
}

static enum hrtimer_restart channel_poll(struct hrtimer *timer)
{
	if (++polls == 20)
		channel_close();
	hrtimer_forward_now(timer, ms_to_ktime(20));
	return HRTIMER_RESTART;
}

static int worker(void *unused)
{
	for (;;) {
		worked++;
		cond_resched();
	}
	return 0;
}

static int opener(void *unused)
{
	hrtimer_init(&poll_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	poll_timer.function = channel_poll;
	hrtimer_start(&poll_timer, ms_to_ktime(20), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int __init channel_init(void)
{
	run_thread(worker, NULL, 1, "worker");
	run_thread(opener, NULL, 1, "opener");
	return 0;
}
module_init(channel_init);
