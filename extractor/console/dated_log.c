// SPDX-License-Identifier: GPL-2.0-or-later
#include "dated_log.h"

#include <string.h>

#include "base/strbuf.h"
#include "console_line.h"
#include "decoded_prefix.h"

#define SECOND_US	1000000ULL
#define DAY_S		86400
#define MOST_WORDS	2	/* between a date and "kernel:": a zone, a host */
#define LEAP_YEAR	2024	/* of a date that has none */

/**
 * struct date - what a line begins with
 * @us: microseconds since 1970, as if the date were UTC, if it has no zone
 * @has_year: else the year is LEAP_YEAR
 * @has_zone: as numbers
 * @has_comma: in front of microseconds; with a zone, dmesg --time-format iso has printed it
 * @is_behind: @us are counted from the line before
 * @is_kernels: they are the kernel's time
 */
struct date {
	s64 us;
	bool is_behind;
	bool is_kernels;
	bool has_year;
	bool has_zone;
	bool has_comma;
};

/**
 * struct text - what is left of a line
 */
struct text {
	const char *at;
	const char *end;
};

static bool take(struct text *text, const char *words)
{
	size_t len = strlen(words);

	if ((size_t)(text->end - text->at) < len || memcmp(text->at, words, len))
		return false;
	text->at += len;
	return true;
}

static bool has_digit(const struct text *text)
{
	return text->at < text->end && *text->at >= '0' && *text->at <= '9';
}

/* A number of @least to @most digits. */
static bool take_digits(struct text *text, u32 least, u32 most, u32 *number)
{
	u32 n = 0;

	for (*number = 0; n < most && has_digit(text); n++)
		*number = 10 * *number + (*text->at++ - '0');
	return n >= least && !has_digit(text);
}

/* One of @nr words of three letters: its number from 1 on; 0: none. */
static u32 take_word_of(struct text *text, const char *names, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (text->end - text->at >= 3 && !memcmp(text->at, names + 3 * i, 3)) {
			text->at += 3;
			return i + 1;
		}
	return 0;
}

/* Days since 1970; a year begins in March here, so that the 29th of February is its last day. */
static s64 days_of(s64 year, u32 month, u32 day)
{
	year -= month <= 2;
	return year * 365 + year / 4 - year / 100 + year / 400 + (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 +
	       day - 719469;
}

/* "01:37:55", "01:37:55.123456" */
static bool take_time_of_day(struct text *text, struct date *date)
{
	u32 hour, minute, second, us = 0, unit = 100000;
	bool has_comma;

	if (!take_digits(text, 2, 2, &hour) || !take(text, ":") || !take_digits(text, 2, 2, &minute) ||
	    !take(text, ":") || !take_digits(text, 2, 2, &second) || hour > 23 || minute > 59 || second > 60)
		return false;
	has_comma = take(text, ",");
	if (has_comma || take(text, "."))
		for (; has_digit(text); unit /= 10)
			us += unit * (*text->at++ - '0');
	date->has_comma = has_comma && !unit;
	date->us += ((hour * 60 + minute) * 60 + second) * (s64)SECOND_US + us;
	return true;
}

/* "Z", "+02:00", "+0200", directly behind the time. */
static void take_zone(struct text *text, struct date *date)
{
	struct text zone = *text;
	bool is_east = take(&zone, "+");
	u32 hours, minutes;
	s64 us;

	if (take(text, "Z") || (!is_east && !take(&zone, "-")))
		return;
	if (!take_digits(&zone, 2, 4, &hours))
		return;
	if (hours >= 100) {
		minutes = hours % 100;
		hours /= 100;
	} else if (!take(&zone, ":") || !take_digits(&zone, 2, 2, &minutes)) {
		return;
	}
	us = (hours * 60 + minutes) * 60 * (s64)SECOND_US;
	date->us -= is_east ? us : -us;
	date->has_zone = true;
	*text = zone;
}

static void set_day(struct date *date, u32 year, u32 month, u32 day)
{
	date->us = days_of(year, month, day) * DAY_S * (s64)SECOND_US;
}

/* "2026-06-26T01:37:55+02:00", "2026-06-26 01:37:55" */
static bool take_iso(struct text *text, struct date *date)
{
	u32 year, month, day;

	if (!take_digits(text, 4, 4, &year) || !take(text, "-") || !take_digits(text, 2, 2, &month) || !take(text, "-") ||
	    !take_digits(text, 2, 2, &day) || month - 1 > 11 || day - 1 > 30 || (!take(text, "T") && !take(text, " ")))
		return false;
	set_day(date, year, month, day);
	date->has_year = true;
	if (!take_time_of_day(text, date))
		return false;
	take_zone(text, date);
	return true;
}

/* "Jun 26 01:37:55", "Jun  6 01:37:55 2026" */
static bool take_named(struct text *text, struct date *date)
{
	u32 month = take_word_of(text, "JanFebMarAprMayJunJulAugSepOctNovDec", 12), day, year;
	struct text rest;
	s64 days;

	if (!month || !take(text, " "))
		return false;
	take(text, " ");
	if (!take_digits(text, 1, 2, &day) || day - 1 > 30 || !take(text, " "))
		return false;
	set_day(date, LEAP_YEAR, month, day);
	days = date->us;
	if (!take_time_of_day(text, date))
		return false;
	rest = *text;
	if (take(&rest, " ") && take_digits(&rest, 4, 4, &year)) {
		*text = rest;
		date->us -= days;
		days = date->us;
		set_day(date, year, month, day);
		date->us += days;
		date->has_year = true;
	}
	return true;
}

/* "1750903075.123456" */
static bool take_unix(struct text *text, struct date *date)
{
	struct text again = *text;
	u32 high, low, us;

	/* Ten digits, since 2001 and until 2286. */
	if (text->end - text->at < 10 || memchr(text->at, '.', 10))
		return false;
	again.end = text->at + 5;
	text->at += 5;
	if (!take_digits(&again, 5, 5, &high) || !take_digits(text, 5, 5, &low) || !take(text, ".") ||
	    !take_digits(text, 6, 6, &us))
		return false;
	date->us = (high * 100000LL + low) * (s64)SECOND_US + us;
	date->has_year = true;
	return true;
}

static void skip_spaces_and_tabs(struct text *text)
{
	while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
		text->at++;
}

/* "12.345678" */
static bool take_seconds(struct text *text, struct date *date)
{
	u32 s, us;

	if (!take_digits(text, 1, 9, &s) || !take(text, ".") || !take_digits(text, 6, 6, &us))
		return false;
	date->us = s * (s64)SECOND_US + us;
	date->has_year = true;
	return true;
}

/* Behind "[": "  +0.000012" of dmesg -H, "<    0.000012>" of --time-format delta, and of -d with the time in front */
static bool take_behind(struct text *text, struct date *date)
{
	struct date behind = { 0 };

	skip_spaces_and_tabs(text);
	if (take(text, "+")) {
		date->is_behind = true;
		return take_seconds(text, date);
	}
	date->is_kernels = has_digit(text) && take_seconds(text, date) && take(text, " ");
	date->is_behind = !date->is_kernels;
	if (!take(text, "<"))
		return false;
	skip_spaces_and_tabs(text);
	return take_seconds(text, date->is_kernels ? &behind : date) && take(text, ">");
}

/* "Nov27 12:38" of dmesg -H, where the minute is another one than that of the line before */
static bool take_minute(struct text *text, struct date *date)
{
	u32 month = take_word_of(text, "JanFebMarAprMayJunJulAugSepOctNovDec", 12), day, hour, minute;

	if (!month || !take_digits(text, 2, 2, &day) || day - 1 > 30 || !take(text, " ") ||
	    !take_digits(text, 2, 2, &hour) || !take(text, ":") || !take_digits(text, 2, 2, &minute) || hour > 23 || minute > 59)
		return false;
	set_day(date, LEAP_YEAR, month, day);
	date->us += (hour * 60 + minute) * 60 * (s64)SECOND_US;
	return true;
}

static bool take_date(struct text *text, struct date *date)
{
	struct text again = *text;

	if (take_unix(text, date))
		return true;
	*text = again;
	if (take_word_of(text, "MonTueWedThuFriSatSun", 7) && !take(text, " "))
		return false;
	again = *text;
	if (take_iso(text, date))
		return true;
	*text = again;
	return take_named(text, date);
}

/* "kernel: ", behind a zone and a host. */
static bool take_kernel(struct text *text)
{
	for (u32 i = 0; i <= MOST_WORDS; i++) {
		const char *blank;

		if (take(text, "kernel: "))
			return true;
		blank = memchr(text->at, ' ', text->end - text->at);
		/* A host has no colon behind it; a program has. */
		if (!blank || blank == text->at || blank[-1] == ':')
			return false;
		text->at = blank + 1;
	}
	return false;
}

static bool has_kernel_time(const struct text *text)
{
	const char *at = text->at;
	struct console_line line;

	return console_line_next(&at, text->end, &line, NULL);
}

static bool parse_date_and_source(struct text *text, struct date *date)
{
	bool is_dmesg;

	struct text again;

	*date = (struct date){ 0 };
	skip_spaces_and_tabs(text);
	decoded_prefix_skip(&text->at, text->end);
	is_dmesg = take(text, "[");
	again = *text;
	if (is_dmesg && take_behind(text, date))
		return take(text, "] ");
	*text = again;
	*date = (struct date){ 0 };
	if (is_dmesg && take_minute(text, date))
		return take(text, "] ");
	*text = again;
	if (!take_date(text, date))
		return false;
	if (is_dmesg)
		return take(text, "] ");
	return take(text, " ") && ((date->has_comma && date->has_zone) || take_kernel(text));
}

/* The kernel's words of a line that begins with a date, and not with the kernel's time behind it. */
static bool parse_dated_line(struct text *text, struct date *date)
{
	return parse_date_and_source(text, date) && (text->at == text->end || *text->at != '[' || !has_kernel_time(text));
}

/* The line at @at without its end, and @at behind it. */
static struct text line_of_log(const char **at, const char *end)
{
	const char *newline = memchr(*at, '\n', end - *at);
	struct text line = { *at, newline ?: end };

	*at = newline ? newline + 1 : end;
	return line;
}

const char *dated_line_words(const char *line, const char *end)
{
	struct text text = { line, end };
	struct date date;

	return parse_dated_line(&text, &date) ? text.at : NULL;
}

bool dated_log_is(const char *text, size_t size)
{
	const char *at = text, *end = text + size;
	size_t nr_dated = 0, nr_timed = 0;

	while (at < end) {
		struct text line = line_of_log(&at, end), words = line;
		struct date date;

		if (parse_dated_line(&words, &date))
			nr_dated++;
		else if (has_kernel_time(&line))
			nr_timed++;
	}
	return nr_dated > nr_timed;
}

/**
 * struct boot_clock - the time since a boot
 * @first_us: the date at which it is 0
 * @year_us: what is added to dates without a year, which begin again in January
 * @date_us: of the line before; where the date falls, the clock was set
 * @is_known: @first_us is
 */
struct boot_clock {
	s64 first_us;
	s64 year_us;
	s64 date_us;
	bool is_known;
};

static u64 boot_clock_time(struct boot_clock *clock, const struct date *date, bool is_first)
{
	const s64 half_a_year = 183LL * DAY_S * (s64)SECOND_US, year = 366LL * DAY_S * (s64)SECOND_US;
	s64 us = date->us + (date->is_behind ? clock->date_us : date->has_year ? 0 : clock->year_us);

	if (!date->has_year && clock->is_known && us + half_a_year < clock->date_us) {
		clock->year_us += year;
		us += year;
	}
	if (is_first || !clock->is_known)
		clock->first_us = is_first ? us : us - (s64)SECOND_US;
	else if (us < clock->date_us)
		clock->first_us -= clock->date_us - us;
	clock->is_known = true;
	clock->date_us = us;
	return us - clock->first_us;
}

/* What journalctl prints between two boots. */
static bool is_boot_of_journal(const struct text *line)
{
	struct text rest = *line;

	return take(&rest, "-- Boot ") || take(&rest, "-- Reboot --");
}

char *dated_log_convert(const char *text, size_t size, size_t *ret_size)
{
	const char *at = text, *end = text + size;
	struct boot_clock clock = { 0 };
	struct strbuf out = { 0 };

	strbuf_add(&out, "", 0);
	while (at < end) {
		struct text line = line_of_log(&at, end), words = line, version;
		struct date date;

		if (parse_dated_line(&words, &date)) {
			u64 us;

			version = words;
			us = date.is_kernels ? (u64)date.us : boot_clock_time(&clock, &date, take(&version, "Linux version "));
			strbuf_put(&out, "[%5llu.%06llu] ", us / SECOND_US, us % SECOND_US);
			line = words;
		} else if (is_boot_of_journal(&line)) {
			clock.is_known = false;
		}
		strbuf_add(&out, line.at, line.end - line.at);
		strbuf_add(&out, "\n", 1);
	}
	*ret_size = out.size;
	return strbuf_take(&out);
}
