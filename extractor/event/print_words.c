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
