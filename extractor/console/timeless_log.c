// SPDX-License-Identifier: GPL-2.0-or-later
#include "timeless_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/types.h"

#define TIME	"[    0.000000] "

static bool begins_with_any(const char *at, size_t len, const char *const *words)
{
	for (; *words; words++)
		if (len >= strlen(*words) && !memcmp(at, *words, strlen(*words)))
			return true;
	return false;
}

static const char *const titles[] = {
	"Kernel panic - not syncing: ", "BUG: ", "kernel BUG at ", "WARNING: ", "UBSAN: ", "Oops: ", "Oops - ", "Internal error: ",
	"general protection fault", "Unable to handle kernel ", "INFO: task ", "INFO: rcu", "rcu: INFO: ", "watchdog: BUG: ",
	"divide error: ", "invalid opcode: ", "stack segment: ", "unable to handle kernel ", NULL,
};

static const char *const panic[] = { "Kernel panic - not syncing: ", NULL };

static const char *const below[] = {
	"Call Trace:", "Call trace:", "CPU: ", "RIP: 0010:", "pc : ", "PC is at ", "Backtrace:", "Hardware name: ", NULL,
};

/* Behind blanks and "<4>". */
static const char *behind_priority(const char *at, const char *end)
{
	if (end - at > 3 && at[0] == '<' && at[1] >= '0' && at[1] <= '7' && at[2] == '>')
		at += 3;
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

bool timeless_log_is(const char *text, size_t size)
{
	const char *end = text + size;
	bool has_title = false, has_lines = false;

	for (const char *line = text; line < end; ) {
		const char *stop = memchr(line, '\n', end - line) ?: end, *at = behind_priority(line, stop);

		has_title |= begins_with_any(at, stop - at, titles);
		has_lines |= begins_with_any(at, stop - at, panic) || begins_with_any(at, stop - at, below);
		if (has_title && has_lines)
			return true;
		line = stop + 1;
	}
	return false;
}

char *timeless_log_convert(const char *text, size_t size, size_t *ret_size)
{
	const char *end = text + size;
	size_t nr = 1, used = 0;
	char *log;

	for (const char *at = text; (at = memchr(at, '\n', end - at)); at++)
		nr++;
	log = malloc(size + nr * strlen(TIME) + 1);
	for (const char *line = text; log && line < end; ) {
		const char *stop = memchr(line, '\n', end - line) ?: end, *at = line;

		if (stop - at > 3 && at[0] == '<' && at[2] == '>')
			at += 3;
		memcpy(log + used, TIME, strlen(TIME));
		used += strlen(TIME);
		memcpy(log + used, at, stop - at);
		used += stop - at;
		log[used++] = '\n';
		line = stop + 1;
	}
	*ret_size = used;
	return log;
}
