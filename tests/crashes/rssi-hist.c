// SPDX-License-Identifier: GPL-2.0-only
/*
 * A histogram of signal strengths has 16 counters.  Samples that are weaker than it knows count
 * behind its end, in the upper half of a pointer of the station that lies there.
 *
 * pattern: index of a histogram without an upper bound
 * upstream: the class of "fix out-of-bounds in rate/rssi table" (ath11k, rtw88, iwlwifi, mt76)
 * finding: sta_rate() of sta-rate follows sta->rates, whose upper half is a few too large; rssi_sample() of rssi-mon counts behind the end of the histogram, which lies right in front of the station
 * never: sta-rate or sta_rate() wrote over the pointer; a use after free; a user's pointer; hardware as shown
 * must: likely: sta_rate\(\) .*upper half of that pointer is [0-9]+ more
 * not: freed|NULL|copy_(to|from)_user
 * guest: insmod /test/rssi-hist.ko
 */
#include "crash.h"

#define RSSI_STEPS 16

struct sta_rates {
	u32 idx, count;
	u64 bytes;
};

struct sta {
	u32 aid, flags;
	struct sta_rates *rates;
	u64 rx, tx;
	u32 caps[8];
};

static struct sta *sta;
static u32 *hist;

static noinline void rssi_sample(u32 *counters, int rssi)
{
	counters[-rssi / 5]++;
}

static int rssi_mon(void *data)
{
	static const s8 seen[] = { -40, -55, -61, -70, -77, -42, -97 };
	unsigned int i;

	for (i = 0; ; i++) {
		rssi_sample(data, seen[i % ARRAY_SIZE(seen)]);
		msleep(60);
	}
	return 0;
}

static noinline void sta_rate(struct sta *s)
{
	s->rates->count++;
	s->tx += s->rates->bytes;
}

static int sta_rate_control(void *data)
{
	for (;;) {
		sta_rate(data);
		msleep(600);
	}
	return 0;
}

static int __init rssi_init(void)
{
	static void *spare[256];
	unsigned int i, j;

	BUILD_BUG_ON(sizeof(struct sta) != RSSI_STEPS * sizeof(u32));
	for (i = 0; i < ARRAY_SIZE(spare); i++) {
		spare[i] = kzalloc(sizeof(struct sta), GFP_KERNEL);
		for (j = 0; j < i; j++) {
			if (spare[i] == spare[j] + sizeof(struct sta)) {
				hist = spare[j];
				sta = spare[i];
			}
		}
	}
	if (!sta)
		return -ENOMEM;
	sta->aid = 3;
	sta->rates = kcalloc(8, sizeof(*sta->rates), GFP_KERNEL);
	if (!sta->rates)
		return -ENOMEM;
	run_thread(sta_rate_control, sta, 0, "sta-rate");
	return run_thread(rssi_mon, hist, 1, "rssi-mon");
}
module_init(rssi_init);
