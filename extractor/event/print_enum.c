// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_enum.h"

#define REL	0x1
#define PINNED	0x2
#define SOFT	0x4
#define HARD	0x8

bool print_enum_value(const struct token *name, u64 *ret)
{
	/* Of user space's interface, or the same since 5.10 at least: no other belongs here. */
	static const struct {
		const char *name;
		u64 value;
	} enums[] = {
		{ "CMD_ASYNC", 1 },
		{ "IPPROTO_TCP", 6 },
		{ "IPPROTO_UDP", 17 },
		{ "NFS4_VERIFIER_SIZE", 8 },
		{ "NL80211_BAND_2GHZ", 0 },
		{ "NL80211_BAND_5GHZ", 1 },
		{ "NL80211_BAND_60GHZ", 2 },
		{ "NL80211_BAND_6GHZ", 3 },
		{ "PIPE_A", 0 },
		{ "PIPE_B", 1 },
		{ "PIPE_C", 2 },
		{ "PIPE_D", 3 },
		{ "WB_SYNC_NONE", 0 },
		{ "WB_SYNC_ALL", 1 },
		{ "false", 0 },
		{ "true", 1 },
		{ "DUMP_PREFIX_NONE", 0 },
		{ "HI_SOFTIRQ", 0 },
		{ "TIMER_SOFTIRQ", 1 },
		{ "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 },
		{ "BLOCK_SOFTIRQ", 4 },
		{ "IRQ_POLL_SOFTIRQ", 5 },
		{ "BLOCK_IOPOLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 },
		{ "SCHED_SOFTIRQ", 7 },
		{ "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 },
		{ "HRTIMER_NORESTART", 0 },
		{ "HRTIMER_RESTART", 1 },
		{ "HRTIMER_MODE_ABS", 0 },
		{ "HRTIMER_MODE_REL", REL },
		{ "HRTIMER_MODE_ABS_PINNED", PINNED },
		{ "HRTIMER_MODE_REL_PINNED", REL | PINNED },
		{ "HRTIMER_MODE_ABS_SOFT", SOFT },
		{ "HRTIMER_MODE_REL_SOFT", REL | SOFT },
		{ "HRTIMER_MODE_ABS_PINNED_SOFT", PINNED | SOFT },
		{ "HRTIMER_MODE_REL_PINNED_SOFT", REL | PINNED | SOFT },
		{ "HRTIMER_MODE_ABS_HARD", HARD },
		{ "HRTIMER_MODE_REL_HARD", REL | HARD },
		{ "HRTIMER_MODE_ABS_PINNED_HARD", PINNED | HARD },
		{ "HRTIMER_MODE_REL_PINNED_HARD", REL | PINNED | HARD },
		{ "IOPRIO_CLASS_NONE", 0 },
		{ "IOPRIO_CLASS_RT", 1 },
		{ "IOPRIO_CLASS_BE", 2 },
		{ "IOPRIO_CLASS_IDLE", 3 },
		{ "IOPRIO_CLASS_INVALID", 7 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(enums); i++) {
		if (!token_is(name, enums[i].name))
			continue;
		*ret = enums[i].value;
		return true;
	}
	return false;
}
