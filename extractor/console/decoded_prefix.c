// SPDX-License-Identifier: GPL-2.0-or-later
#include "decoded_prefix.h"

#include <string.h>

#define WIDTH	6	/* of a name at least, with blanks behind it */

/* By their numbers, as syslog(3) has them; the last eight begin at 16. */
static const char *const facilities[] = {
	"kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp", NULL, NULL,
	NULL, NULL, "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7",
};

static const char *const levels[] = { "emerg", "alert", "crit", "err", "warn", "notice", "info", "debug" };

/* A name with blanks up to its width, and a colon. Return: its number; -1: none of them. */
static s32 take_padded_name(const char **at, const char *end, const char *const *names, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		const char *behind = *at;
		size_t len = names[i] ? strlen(names[i]) : 0;

		if (!len || (size_t)(end - behind) < len || memcmp(behind, names[i], len))
			continue;
		for (behind += len; behind < end && *behind == ' ' && behind < *at + WIDTH; behind++)
			;
		if (behind - *at < WIDTH || behind == end || *behind != ':')
			continue;
		*at = behind + 1;
		return (s32)i;
	}
	return -1;
}

s32 decoded_prefix_skip(const char **at, const char *end)
{
	const char *behind = *at;
	s32 facility = take_padded_name(&behind, end, facilities, ARRAY_SIZE(facilities));
	s32 level = facility < 0 ? -1 : take_padded_name(&behind, end, levels, ARRAY_SIZE(levels));

	if (level < 0 || behind == end || *behind != ' ')
		return -1;
	*at = behind + 1;
	return 8 * facility + level;
}
