// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A counter of 8 bits goes round below 300 channels, with a lock held for which another CPU spins.
 *
 * pattern: a loop counter that is too narrow for its limit
 * upstream: the class of "u8 loop counter" fixes: an endless loop once there are more than 255 of something
 * finding: CPU 1 loops in survey_sum() of thread survey without end: its counter i is a byte, and n_channels is 300; it holds radio->lock.  What waits for the lock on the other CPU is innocent
 * never: scan-results as the cause; that survey waits for a lock; interrupts as what keeps the CPU; that a list is damaged
 * must: ^likely: survey_sum\(\) .*counter of 8 bits gets to 300
 * not: scan-results|waits for|interrupt|list
 * guest: echo 5 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/chan-survey.ko
 */
#include "crash.h"

#define MAX_CHANNELS 320
#define CHAN_DISABLED 1

struct channel {
	u16 center_mhz;
	u8 flags;
	s8 noise_dbm;
	u32 busy_us;
};

struct radio {
	spinlock_t lock;
	u16 n_channels;
	u32 surveys, results;
	u64 busy_us;
	struct channel channels[MAX_CHANNELS];
};

static struct radio *phy0;

static noinline u64 survey_sum(struct radio *radio)
{
	u64 sum = 0;
	u8 i;

	for (i = 0; i < READ_ONCE(radio->n_channels); i++) {
		struct channel *chan = &radio->channels[i];

		if (READ_ONCE(chan->flags) & CHAN_DISABLED)
			continue;
		sum += chan->busy_us;
		WRITE_ONCE(chan->busy_us, 0);
	}
	return sum;
}

static noinline void radio_survey(struct radio *radio)
{
	spin_lock(&radio->lock);
	radio->busy_us += survey_sum(radio);
	radio->surveys++;
	spin_unlock(&radio->lock);
}

static noinline void radio_add_band(struct radio *radio, u16 first_mhz, u16 n)
{
	u16 i;

	spin_lock(&radio->lock);
	for (i = 0; i < n && radio->n_channels < MAX_CHANNELS; i++) {
		radio->channels[radio->n_channels].center_mhz = first_mhz + 5 * i;
		radio->channels[radio->n_channels++].flags = i % 7 ? 0 : CHAN_DISABLED;
	}
	spin_unlock(&radio->lock);
}

static int survey(void *data)
{
	int round;

	for (round = 0;; round++) {
		radio_survey(data);
		msleep(20);
		if (round == 40)
			radio_add_band(data, 5955, 233);
	}
	return 0;
}

static int scan_results(void *data)
{
	struct radio *radio = data;

	msleep(2500);
	for (;;) {
		spin_lock(&radio->lock);
		radio->results++;
		radio->channels[radio->results % 14].busy_us += 100;
		spin_unlock(&radio->lock);
		msleep(200);
	}
	return 0;
}

static int __init survey_init(void)
{
	int err;

	phy0 = kzalloc(sizeof(*phy0), GFP_KERNEL);
	if (!phy0)
		return -ENOMEM;
	spin_lock_init(&phy0->lock);
	radio_add_band(phy0, 2412, 14);
	radio_add_band(phy0, 5180, 53);
	err = run_thread(survey, phy0, 1, "survey");
	return err ?: run_thread(scan_results, phy0, 0, "scan-results");
}
module_init(survey_init);
