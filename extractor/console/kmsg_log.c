// SPDX-License-Identifier: GPL-2.0-or-later
#include "kmsg_log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"

#define MOST_AHEAD	80	/* bytes that a receiver of netconsole puts in front of a record */
#define MOST_ADDED	40	/* bytes by which a line grows */

struct kmsg_record {
	u64 priority, us;
	const char *text;
};

/* Digits and a comma. */
static bool take_kmsg_number(const char **at, const char *end, u64 *number)
{
	const char *begin = *at;

	for (*number = 0; *at < end && isdigit((unsigned char)**at) && *at - begin < 18; ++*at)
		*number = 10 * *number + (u64)(**at - '0');
	return *at > begin && *at < end && *(*at)++ == ',';
}

/* "6,2902,86761111625,-,caller=T1;text" at @at. Levels end at 7, facilities at 23. */
static bool read_kmsg_record(const char *at, const char *end, struct kmsg_record *record)
{
	u64 seq;

	if (!take_kmsg_number(&at, end, &record->priority) || !take_kmsg_number(&at, end, &seq) || !take_kmsg_number(&at, end, &record->us) ||
	    record->priority >= 24 * 8 || end - at < 2 || !memchr("-c+fr", *at, 5) || (at[1] != ';' && at[1] != ','))
		return false;
	record->text = memchr(at, ';', end - at);
	return record->text++;
}

static bool find_kmsg_record(const char *line, const char *end, struct kmsg_record *record)
{
	const char *most = end - line > MOST_AHEAD ? line + MOST_AHEAD : end;

	for (const char *at = line; at < most; at++)
		if ((at == line || at[-1] == ' ') && read_kmsg_record(at, end, record))
			return true;
	return false;
}

/* A receiver that writes a record into one line has the properties behind a newline that it escaped. */
static const char *end_of_text(const char *text, const char *end)
{
	static const char newline[] = "#012 ";
	const char *at = memmem(text, end - text, newline, strlen(newline));

	return at ?: end;
}

bool kmsg_log_is(const char *text, size_t size)
{
	const char *end = text + size;
	struct kmsg_record record;

	for (const char *line = text; line < end; ) {
		const char *stop = memchr(line, '\n', end - line) ?: end;

		if (find_kmsg_record(line, stop, &record))
			return true;
		line = stop + 1;
	}
	return false;
}

/* "\x09": bytes that are no letters, and the backslash. */
static bool is_escaped(const char *at, const char *end)
{
	return end - at >= 4 && at[0] == '\\' && at[1] == 'x' && isxdigit((unsigned char)at[2]) && isxdigit((unsigned char)at[3]);
}

static char escaped_byte(const char *escaped)
{
	char digits[3] = { escaped[2], escaped[3], '\0' };

	return (char)strtoul(digits, NULL, 16);
}

/* A newline within a text is escaped, and begins a line as well. */
static size_t count_kmsg_lines(const char *text, const char *end)
{
	size_t nr = 1;

	for (; text < end; text++)
		nr += *text == '\n' || (is_escaped(text, end) && escaped_byte(text) == '\n');
	return nr;
}

static size_t put_stamp(char *to, const struct kmsg_record *record)
{
	return sprintf(to, "<%llu>[%5llu.%06llu] ", record->priority, record->us / 1000000, record->us % 1000000);
}

static size_t put_record(char *to, const struct kmsg_record *record, const char *end)
{
	size_t used = put_stamp(to, record);

	for (const char *at = record->text; at < end; at++) {
		to[used] = *at;
		if (is_escaped(at, end)) {
			to[used] = escaped_byte(at);
			at += 3;
		}
		if (to[used++] == '\n' && at + 1 < end)
			used += put_stamp(to + used, record);
	}
	return used;
}

char *kmsg_log_convert(const char *text, size_t size, size_t *ret_size)
{
	const char *end = text + size;
	char *log = malloc(size + MOST_ADDED * count_kmsg_lines(text, end));
	struct kmsg_record record;
	size_t used = 0;

	for (const char *line = text; log && line < end; ) {
		const char *stop = memchr(line, '\n', end - line) ?: end;

		if (find_kmsg_record(line, stop, &record)) {
			used += put_record(log + used, &record, end_of_text(record.text, stop));
		} else if (*line != ' ') {
			/* One of a property begins with a blank. */
			memcpy(log + used, line, stop - line);
			used += stop - line;
		}
		log[used++] = '\n';
		line = stop + 1;
	}
	*ret_size = used;
	return log;
}
