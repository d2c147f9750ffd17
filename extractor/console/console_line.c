// SPDX-License-Identifier: GPL-2.0-or-later
#include "console_line.h"

#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "decoded_prefix.h"
#include "phone_prefix.h"

#define MAX_LINE	4096	/* bytes; printk's own are shorter */
#define TIME_DIGITS	6	/* of the fraction of a second */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Is "12.345678]" at @at, with blanks in front? */
static bool is_time(const char *at, const char *end)
{
	u32 digits = 0;

	while (at < end && *at == ' ')
		at++;
	if (at == end || !is_digit(*at))
		return false;
	while (at < end && is_digit(*at))
		at++;
	if (at == end || *at++ != '.')
		return false;
	for (; at < end && is_digit(*at); at++)
		digits++;
	return digits == TIME_DIGITS && at < end && *at == ']';
}

/* Of a console that a program writes to as well, the kernel's line may begin behind its words. */
static const char *find_time(const char *at, const char *end)
{
	for (; at < end && (at = memchr(at, '[', end - at)); at++)
		if (is_time(at + 1, end))
			return at;
	return NULL;
}

/* "<4>" or "kern  :warn  : ", just in front of the time. */
static s32 priority_before(const char *begin, const char *time)
{
	const char *at = begin;
	s32 decoded = decoded_prefix_skip(&at, time);
	u32 n = 0, unit = 1;

	if (decoded >= 0 && at == time)
		return decoded;
	at = time;
	if (at == begin || *--at != '>')
		return -1;
	while (at > begin && is_digit(at[-1]) && unit < 100000) {
		n += (*--at - '0') * unit;
		unit *= 10;
	}
	return unit > 1 && at > begin && at[-1] == '<' ? (s32)n : -1;
}

/* journalctl puts "host kernel: " behind the time. */
static void skip_host(struct console_line *line)
{
	static const char kernel[] = " kernel: ";
	const char *blank = memchr(line->text, ' ', line->len);
	size_t len = strlen(kernel);

	if (!blank || (size_t)(line->text + line->len - blank) < len || memcmp(blank, kernel, len))
		return;
	line->len -= blank + len - line->text;
	line->text = blank + len;
}

/* What kernels of phones put behind the time is the caller. */
static void skip_task(struct console_line *line)
{
	const char *at = line->text, *end = line->text + line->len;
	u32 cpu;

	if (!line->prefix.has_time || line->prefix.caller || !phone_prefix_skip(&at, end, &cpu))
		return;
	line->text = at;
	line->len = end - at;
	line->prefix.caller = 'C';
	line->prefix.number = cpu;
}

static bool parse_console_line(const char *begin, const char *end, struct console_line *line)
{
	const char *time = find_time(begin, end);

	if (!time)
		return false;
	line->priority = priority_before(begin, time);
	line->text = time;
	line->len = end - time;
	klog_skip_prefix(&line->text, &line->len, &line->prefix);
	skip_host(line);
	skip_task(line);
	return line->prefix.has_time;
}

bool console_line_next(const char **at, const char *end, struct console_line *line, u64 *nr_others)
{
	while (*at < end) {
		const char *begin = *at, *newline = memchr(begin, '\n', end - begin);
		const char *stop = newline ?: end;

		*at = newline ? newline + 1 : end;
		if (stop - begin > MAX_LINE)
			stop = begin + MAX_LINE;
		while (stop > begin && (stop[-1] == '\r' || !stop[-1]))
			stop--;
		if (parse_console_line(begin, stop, line))
			return true;
		if (nr_others && stop > begin)
			++*nr_others;
	}
	return false;
}

bool console_line_begins(const struct console_line *line, const char *words)
{
	size_t len = strlen(words);

	return line->len >= len && !memcmp(line->text, words, len);
}

bool console_line_has(const struct console_line *line, const char *words)
{
	return memmem(line->text, line->len, words, strlen(words)) != NULL;
}

u32 console_line_end_of_kernel(const char *text, u32 len)
{
	/* kernel/reboot.c and arch/x86/kernel/reboot.c; the latter says at boot too how it will do that. */
	static const char *const words[] = {
		"reboot: Restarting system", "reboot: machine restart", "reboot: Power down", "reboot: System halted",
		"reboot: Power off not available: System halted", "kexec_core: Starting new kernel",
		"kexec: Starting new kernel",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *behind = strchr(words[i], ' ') + 1;

		if (len >= strlen(words[i]) && !memcmp(text, words[i], strlen(words[i])))
			return behind - words[i];
	}
	return 0;
}
