// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver's poll timer outlives its statistics: disconnect clears the pointer, but stops the timer
 * only afterwards.
 *
 * pattern: drivers that free or clear private data before del_timer_sync() in disconnect
 * finding: poll_device() reads +0x28 of a pointer that is NULL, which it had read from the device's
 *	own structure; in a timer, on top of whatever task ran
 * never: the interrupted task; the process that loaded the module, as the cause
 * must: ^shown: .*poll_device\(\) .*0x28 of a NULL
 * not: swapper|insmod
 * guest: insmod /test/null-stats-in-timer.ko
 */
#include "crash.h"

struct stats {
	u64 rx, tx, errors, drops, overruns;
	u64 polls;
};

struct device_state {
	struct timer_list poll;
	int port;
	struct stats *stats;
};

static struct device_state *state;

static noinline void poll_device(struct timer_list *timer)
{
	struct device_state *dev = from_timer(dev, timer, poll);

	dev->stats->polls++;
	mod_timer(timer, jiffies + HZ / 10);
}

static int disconnect(void *unused)
{
	msleep(1500);
	WRITE_ONCE(state->stats, NULL);
	msleep(1000);
	del_timer_sync(&state->poll);
	return 0;
}

static int __init device_init(void)
{
	state = kzalloc(sizeof(*state), GFP_KERNEL);
	state->stats = kzalloc(sizeof(*state->stats), GFP_KERNEL);
	timer_setup(&state->poll, poll_device, 0);
	mod_timer(&state->poll, jiffies + HZ / 10);
	return run_thread(disconnect, NULL, -1, "disconnect");
}
module_init(device_init);
