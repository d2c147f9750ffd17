// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that feeds ends with an error, and does not say so.  "player" waits for it.
 *
 * pattern: a producer that returns without waking its consumer
 * upstream: the class of kthreads that leave on error (sound, usb audio, dm)
 * finding: "player" waits in pcm_wait() for a wake-up that "feeder", which has ended, gave before
 * never: "player"; a lock
 * must: ^shown: The task player-[0-9]+ waited too long .*pcm_wait
 * not: holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/pcm-feed.ko
 */
#include <linux/wait.h>
#include "crash.h"

static DECLARE_WAIT_QUEUE_HEAD(fed);
static unsigned int periods;
static u64 played;

static noinline int pcm_decode(unsigned int nr)
{
	return nr == 30 ? -EIO : 2;
}

static int feeder(void *unused)
{
	unsigned int nr = 0;
	int n;

	for (;;) {
		n = pcm_decode(nr++);
		if (n < 0)
			return n;
		periods += n;
		wake_up(&fed);
		msleep(25);
	}
}

static noinline void pcm_wait(void)
{
	wait_event(fed, READ_ONCE(periods) > 0);
	periods--;
	played++;
}

static int player(void *unused)
{
	for (;;) {
		pcm_wait();
		msleep(10);
	}
	return 0;
}

static int __init pcm_init(void)
{
	run_thread(player, NULL, -1, "player");
	return run_thread(feeder, NULL, -1, "feeder");
}
module_init(pcm_init);
