// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_words.h"

/* Of ras:mc_event; a number below zero is large here. */
static const char *const error_types[] = { "Corrected", "Uncorrected", "Deferred", "Fatal" };
static const char *const no_yes[] = { "no" };
static const char *const off_on[] = { "off" };
static const char *const disabled_enabled[] = { "disabled" };
static const char *const disable_enable[] = { "disable" };
static const char *const false_true[] = { "false" };
static const char *const playback[] = { "Playback" };
static const char *const write_read[] = { "write" };

static const struct print_words functions[] = {
	{ "mc_event_error_type", error_types, ARRAY_SIZE(error_types), "Info" },
	{ "str_yes_no", no_yes, ARRAY_SIZE(no_yes), "yes" },
	{ "str_on_off", off_on, ARRAY_SIZE(off_on), "on" },
	{ "yesno", no_yes, ARRAY_SIZE(no_yes), "yes" },
	{ "onoff", off_on, ARRAY_SIZE(off_on), "on" },
	{ "str_enabled_disabled", disabled_enabled, ARRAY_SIZE(disabled_enabled), "enabled" },
	{ "str_enable_disable", disable_enable, ARRAY_SIZE(disable_enable), "enable" },
	{ "str_true_false", false_true, ARRAY_SIZE(false_true), "true" },
	{ "snd_pcm_direction_name", playback, ARRAY_SIZE(playback), "Capture" },
	{ "str_read_write", write_read, ARRAY_SIZE(write_read), "read" },
};

const struct print_words *print_words_of(const struct token *function)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (token_is(function, functions[i].function))
			return &functions[i];
	return NULL;
}

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
