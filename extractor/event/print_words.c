// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_words.h"

/* Of ras:mc_event; a number below zero is large here. */
static const char *const error_types[] = { "Corrected", "Uncorrected", "Deferred", "Fatal" };
static const char *const no_yes[] = { "no" };
static const char *const off_on[] = { "off" };

static const struct print_words functions[] = {
	{ "mc_event_error_type", error_types, ARRAY_SIZE(error_types), "Info" },
	{ "str_yes_no", no_yes, ARRAY_SIZE(no_yes), "yes" },
	{ "str_on_off", off_on, ARRAY_SIZE(off_on), "on" },
};

const struct print_words *print_words_of(const struct token *function)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (token_is(function, functions[i].function))
			return &functions[i];
	return NULL;
}
