// SPDX-License-Identifier: GPL-2.0-or-later
#include "timeless_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/types.h"
#include "decoded_prefix.h"
#include "recording/klog.h"

#define TIME		"[    0.000000] "
#define MOST_STAMP	160	/* bytes */

static bool begins_with_any(const char *at, size_t len, const char *const *words)
{
	for (; *words; words++)
		if (len >= strlen(*words) && !memcmp(at, *words, strlen(*words)))
			return true;
	return false;
}

static const char *const titles[] = {
	"BUG: ", "kernel BUG at ", "WARNING: ", "UBSAN: ", "Oops: ", "Oops - ", "Internal error: ",
	"general protection fault", "Unable to handle kernel ", "INFO: task ", "INFO: rcu", "rcu: INFO: ", "watchdog: BUG: ", "NMI watchdog: ",
	"[ INFO: ", "[ BUG: ", "INFO: trying to register non-static key",
	"Oops[#", "Kernel bug detected[#", "Unhandled kernel unaligned access[#", "PANIC at ", "Bad mode in ",
	"divide error: ", "invalid opcode: ", "stack segment: ", "unable to handle kernel ", NULL,
};

static const char *const panic[] = { "Kernel panic - not syncing: ", NULL };

static const char *const below[] = {
	"Call Trace:", "Call trace:", "CPU: ", "epc ",  "RIP: 0010:", "pc : ", "PC is at ", "Backtrace:", "Hardware name: ", "Pid: ", NULL,
};

/* Behind "<4>", or "kern  :warn  : ". */
static const char *behind_priority(const char *at, const char *end)
{
	if (decoded_prefix_skip(&at, end) >= 0)
		return at;
	return end - at > 3 && at[0] == '<' && at[1] >= '0' && at[1] <= '7' && at[2] == '>' ? at + 3 : at;
}

/* Behind the "> " of a quotation in a mail, as often as it was quoted. */
static const char *behind_quotes(const char *at, const char *end)
{
	while (at < end && *at == '>') {
		at++;
		if (at < end && *at == ' ')
			at++;
	}
	return at;
}

/* Eight bytes. */
static bool is_time_of_day(const char *at)
{
	for (int i = 0; i < 8; i++)
		if (i % 3 == 2 ? at[i] != ':' : at[i] < '0' || at[i] > '9')
			return false;
	return true;
}

/* Is there but the host's name, or nothing, between the word of a time of day and @kernel? A program's log has more. */
static bool is_host_between(const char *time, const char *kernel)
{
	const char *at = memchr(time, ' ', kernel + 1 - time);

	return at == kernel || (at && memchr(at + 1, ' ', kernel - at) == kernel && kernel[-1] != ':');
}

/* Behind what syslog and journalctl put in front in any language: "27 sept. 21:47:33 host kernel: ". */
static const char *behind_stamp(const char *at, const char *end)
{
	static const char mark[] = " kernel: ";
	const char *most = end - at > MOST_STAMP ? at + MOST_STAMP : end, *found = memmem(at, most - at, mark, strlen(mark));

	for (const char *c = at; found && c + 8 <= found; c++)
		if (is_time_of_day(c) && is_host_between(c, found))
			return found + strlen(mark);
	return at;
}

/* Behind the "kernel: " with which a line begins whose date and host were cut off. */
static const char *behind_kernel(const char *at, const char *end)
{
	static const char mark[] = "kernel: ";

	return (size_t)(end - at) >= strlen(mark) && !memcmp(at, mark, strlen(mark)) ? at + strlen(mark) : at;
}

/* The kernel's own words of a line. */
static const char *words_of_line(const char *line, const char *end)
{
	return behind_priority(behind_kernel(behind_stamp(behind_quotes(line, end), end), end), end);
}

static const char *behind_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

bool timeless_log_is(const char *text, size_t size)
{
	const char *end = text + size;
	bool has_title = false, has_lines = false;

	for (const char *line = text; line < end; ) {
		const char *stop = memchr(line, '\n', end - line) ?: end, *at = behind_blanks(words_of_line(line, stop), stop);

		has_title |= begins_with_any(at, stop - at, titles);
		has_lines |= begins_with_any(at, stop - at, below);
		if ((has_title && has_lines) || begins_with_any(at, stop - at, panic))
			return true;
		line = stop + 1;
	}
	return false;
}

/* Where the last lines begin; @nr: of them. No more are kept of a boot, and this is one. */
static const char *last_lines(const char *text, const char *end, size_t *nr)
{
	const char *begin = end;

	for (*nr = 0; begin > text && *nr < KLOG_MAX_LINES; ++*nr) {
		const char *newline = memrchr(text, '\n', begin - 1 - text);

		begin = newline ? newline + 1 : text;
	}
	return begin;
}

char *timeless_log_convert(const char *text, size_t size, size_t *ret_size)
{
	const char *end = text + size;
	size_t nr, used = 0;
	const char *line = last_lines(text, end, &nr);
	char *log = malloc(end - line + nr * strlen(TIME) + 1);

	while (log && line < end) {
		const char *stop = memchr(line, '\n', end - line) ?: end, *at = words_of_line(line, stop);

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
