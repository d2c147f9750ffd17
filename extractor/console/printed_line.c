// SPDX-License-Identifier: GPL-2.0-or-later
#include "printed_line.h"

#include <stdio.h>
#include <string.h>

#include "event/item.h"
#include "event/latency_flags.h"

#define DUMPED_COMM	8	/* "%8.8s" of lat_print_generic() */

static bool is_decimal_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool printed_is_name(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!is_first && is_decimal_digit(c));
}

bool printed_words_are(struct printed_words words, const char *text)
{
	return words.len == strlen(text) && !memcmp(words.at, text, words.len);
}

bool printed_words_begin(struct printed_words words, const char *text)
{
	size_t len = strlen(text);

	return words.len >= len && !memcmp(words.at, text, len);
}

bool printed_words_end(struct printed_words words, const char *text)
{
	size_t len = strlen(text);

	return words.len >= len && !memcmp(words.at + words.len - len, text, len);
}

/* --- pieces --------------------------------------------------------------- */

static bool take_decimal(const char **at, const char *end, u64 max, u64 *ret)
{
	const char *begin = *at;
	u64 n = 0;

	for (; *at < end && is_decimal_digit(**at); ++*at) {
		n = 10 * n + (**at - '0');
		if (n > max)
			return false;
	}
	*ret = n;
	return *at > begin;
}

static bool take_printed_char(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return false;
	++*at;
	return true;
}

static void skip_blanks(const char **at, const char *end)
{
	while (*at < end && **at == ' ')
		++*at;
}

/* "d..2.", or four of them, up to a blank. */
static bool take_latency(const char **at, const char *end, struct printed_head *head)
{
	const char *stop = *at;

	while (stop < end && *stop != ' ')
		stop++;
	if (stop == end || !latency_flags_parse(*at, stop - *at, &head->flags, &head->preempt))
		return false;
	*at = stop;
	return true;
}

/* --- "     victim/1-99      (     95) [001] d..2.     5.848006: " ------------- */

/* "001] d..2.     5.848006: " behind the bracket. */
static bool take_cpu_and_time(const char **at, const char *end, struct printed_head *head)
{
	u64 cpu, seconds, micros;
	const char *digits;

	if (!take_decimal(at, end, 65535, &cpu) || !take_printed_char(at, end, ']') || !take_printed_char(at, end, ' '))
		return false;
	if (take_latency(at, end, head) && !take_printed_char(at, end, ' '))
		return false;
	skip_blanks(at, end);
	if (!take_decimal(at, end, 1ULL << 33, &seconds) || !take_printed_char(at, end, '.'))
		return false;
	digits = *at;
	if (!take_decimal(at, end, 999999, &micros) || *at - digits != 6 || !take_printed_char(at, end, ':') ||
	    !take_printed_char(at, end, ' '))
		return false;
	head->cpu = cpu;
	head->time = (seconds * 1000000 + micros) * 1000;
	return true;
}

/* "(     95)" or "(-------)", of record-tgid. */
static const char *before_tgid(const char *begin, const char *end)
{
	const char *at = end;

	if (end - begin < 3 || end[-1] != ')')
		return end;
	for (at--; at > begin && (at[-1] == ' ' || at[-1] == '-' || is_decimal_digit(at[-1])); )
		at--;
	if (at == begin || at[-1] != '(')
		return end;
	for (at--; at > begin && at[-1] == ' '; )
		at--;
	return at;
}

/* "        victim/1-99      ", in front of the bracket. */
static bool take_task(const char *begin, const char *end, struct printed_head *head)
{
	const char *digits;
	u64 pid;

	skip_blanks(&begin, end);
	while (end > begin && end[-1] == ' ')
		end--;
	end = before_tgid(begin, end);
	for (digits = end; digits > begin && is_decimal_digit(digits[-1]); )
		digits--;
	if (digits == end || digits == begin || digits[-1] != '-' || !take_decimal(&digits, end, 1U << 31, &pid))
		return false;
	while (end > begin && *--end != '-')
		;
	head->pid = pid;
	if (end - begin != 5 || memcmp(begin, "<...>", 5))
		snprintf(head->comm, sizeof(head->comm), "%.*s", (int)(end - begin), begin);
	return true;
}

static bool parse_bracket_head(const char *text, const char *end, struct printed_head *head, struct printed_words *words)
{
	const char *bracket = text, *at;

	while ((bracket = memchr(bracket, '[', end - bracket))) {
		at = ++bracket;
		*head = (struct printed_head){ .flags = ITEM_NO_FLAGS };
		if (bracket - text < 2 || bracket[-2] != ' ' || !take_cpu_and_time(&at, end, head) ||
		    !take_task(text, bracket - 1, head))
			continue;
		*words = (struct printed_words){ at, end - at };
		return true;
	}
	return false;
}

/* --- "  <idle>-0         1d..2. 5848006us : " ---------------------------------- */

/* "0         1d..2. 5848006us : ", behind the "-". */
static bool take_dumped(const char *at, const char *end, struct printed_head *head, struct printed_words *words)
{
	u64 pid, cpu, micros;

	if (!take_decimal(&at, end, 1U << 31, &pid) || !take_printed_char(&at, end, ' '))
		return false;
	skip_blanks(&at, end);
	if (!take_decimal(&at, end, 65535, &cpu) || !take_latency(&at, end, head))
		return false;
	skip_blanks(&at, end);
	if (!take_decimal(&at, end, 1ULL << 53, &micros) || !take_printed_char(&at, end, 'u') ||
	    !take_printed_char(&at, end, 's'))
		return false;
	/* How long it is until the next one: trace_find_mark(). */
	if (at == end || !strchr(" +!#*@$", *at++) || !take_printed_char(&at, end, ':') || !take_printed_char(&at, end, ' '))
		return false;
	head->pid = pid;
	head->cpu = cpu;
	head->time = micros * 1000;
	*words = (struct printed_words){ at, end - at };
	return true;
}

/* The name ends at the ninth byte; where blanks in front were cut off, before it. */
static bool parse_dumped_head(const char *text, const char *end, struct printed_head *head, struct printed_words *words)
{
	for (const char *dash = text; dash < end && dash <= text + DUMPED_COMM; dash++) {
		const char *begin = text;

		*head = (struct printed_head){ .flags = ITEM_NO_FLAGS, .is_dumped = true };
		if (*dash != '-' || dash == text || !take_dumped(dash + 1, end, head, words))
			continue;
		skip_blanks(&begin, dash);
		if (dash - begin != 5 || memcmp(begin, "<...>", 5))
			snprintf(head->comm, sizeof(head->comm), "%.*s", (int)(dash - begin), begin);
		return true;
	}
	return false;
}

bool printed_head_parse(const char *text, u32 len, struct printed_head *head, struct printed_words *words)
{
	return parse_dumped_head(text, text + len, head, words) || parse_bracket_head(text, text + len, head, words);
}

/* --- lost events ------------------------------------------------------------ */

bool printed_lost_parse(const char *text, u32 len, u32 *cpu, u64 *nr)
{
	struct printed_words words = { text, len };
	const char *at = text + 4, *end = text + len;
	u64 n;

	if (!printed_words_begin(words, "CPU:") || !printed_words_end(words, " EVENTS]") || !take_decimal(&at, end, 65535, &n))
		return false;
	*cpu = n;
	words = (struct printed_words){ at, end - at };
	if (printed_words_are(words, " [LOST EVENTS]")) {
		*nr = 0;
		return true;
	}
	if (!printed_words_begin(words, " [LOST "))
		return false;
	at += strlen(" [LOST ");
	return take_decimal(&at, end, ~0ULL >> 4, nr) && printed_words_are((struct printed_words){ at, end - at }, " EVENTS]");
}
