// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lock that a hard interrupt takes too is taken with softirqs off only.
 *
 * pattern: spin_lock_bh() for a lock that an hrtimer's hard interrupt takes (can echo, netem, j1939, ntb)
 * finding: can_xmit() of cansend on CPU 0 holds echo_lock when can_txdone() interrupts it and wants it
 * never: candump (CPU 1, where the soft lockup is said), statsd
 * must: likely: CPU 0, task cansend-[0-9]+, waits for itself: can_xmit\(\) of module canbus has taken the lock that can_txdone\(\) .* wants, which came into it
 * region: shown: CPU 1, task candump-[0-9]+, waited for a spinlock
 * not: another one
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/canbus.ko
 * guest: while :; do read line </proc/uptime; sleep 0.2; done
 */
#include <linux/hrtimer.h>
#include "crash.h"

struct can_priv {
	spinlock_t echo_lock;
	struct hrtimer tx_timer;
	u32 echo_head, echo_tail;
	u64 tx_frames, tx_bytes;
	u8 echo[16][8];
	u32 dlc[16];
};

static struct can_priv *priv;

static noinline void can_get_echo(struct can_priv *p)
{
	u32 i = p->echo_tail++ & 15;

	p->tx_frames++;
	p->tx_bytes += p->dlc[i];
}

static enum hrtimer_restart can_txdone(struct hrtimer *t)
{
	struct can_priv *p = container_of(t, struct can_priv, tx_timer);

	spin_lock(&p->echo_lock);
	can_get_echo(p);
	spin_unlock(&p->echo_lock);
	return HRTIMER_NORESTART;
}

static noinline void can_put_echo(struct can_priv *p, const u8 *data, u32 dlc)
{
	u32 i = p->echo_head++ & 15;

	memset(p->echo[i], 0, 8);
	memcpy(p->echo[i], data, dlc);
	p->dlc[i] = dlc;
	udelay(40);
}

static noinline void can_xmit(struct can_priv *p, const u8 *data, u32 dlc)
{
	spin_lock_bh(&p->echo_lock);
	hrtimer_start(&p->tx_timer, ns_to_ktime(dlc * 150000), HRTIMER_MODE_REL_PINNED);
	can_put_echo(p, data, dlc);
	spin_unlock_bh(&p->echo_lock);
}

static int cansend(void *data)
{
	u8 frame[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	u32 i;

	for (i = 0;; i++) {
		frame[0] = i;
		can_xmit(data, frame, i >= 300 ? 0 : 4 + i % 5);
		usleep_range(2500, 3000);
	}
	return 0;
}

static int candump(void *data)
{
	struct can_priv *p = data;
	u64 sum = 0;

	for (;;) {
		spin_lock_bh(&p->echo_lock);
		sum += p->tx_bytes;
		spin_unlock_bh(&p->echo_lock);
		usleep_range(3000, 4000);
	}
	return sum;
}

static int statsd(void *data)
{
	struct can_priv *p = data;
	u64 last = 0;

	for (;;) {
		last = p->tx_frames;
		msleep(25);
	}
	return last;
}

static int __init can_init(void)
{
	priv = kzalloc(sizeof(*priv), GFP_KERNEL);
	if (!priv)
		return -ENOMEM;
	spin_lock_init(&priv->echo_lock);
	hrtimer_init(&priv->tx_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);
	priv->tx_timer.function = can_txdone;
	run_thread(statsd, priv, -1, "statsd");
	run_thread(candump, priv, 1, "candump");
	return run_thread(cansend, priv, 0, "cansend");
}
module_init(can_init);
