// SPDX-License-Identifier: GPL-2.0-or-later
#include "console.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console_line.h"
#include "dated_log.h"
#include "ftrace_clock.h"
#include "further_lines.h"
#include "kmsg_log.h"
#include "linux_kernel/kernel_report.h"
#include "pasted_text.h"
#include "timeless_log.h"
#include "trace_file.h"

#define MAX_TEXT	(64ULL << 20)
#define ENDS		(64U << 10)	/* of the file, looked at to see what it is */
#define MAX_STRANGE	64		/* of so many bytes, one may be none of a text */
#define DUMP_BEGINS	"epitaph: last events of "
#define FTRACE_BEGINS	"Dumping ftrace "	/* "buffer:", or since 6.9 "instance NAME buffer:" */
#define REBOOT_NS	1000000000ULL	/* time falls by as much, or more */
#define OOPS_NS		2000000000ULL	/* an oops is printed in less */
#define LOCKUP_NS	60000000000ULL	/* a CPU that is locked up still is reported again in less */

/**
 * struct boot - a stretch of the text
 * @has_reason: there is a panic, or events were printed
 * @is_capture: of the kernel that saves the memory of the one before
 * @oops: time of the last one, ns; 0: none
 * @lockup: the same
 * @last: time of the last line, ns
 */
struct boot {
	const char *begin;
	const char *end;
	bool has_panic;
	bool has_reason;
	bool has_rebooted;
	bool is_capture;
	u64 oops;
	u64 lockup;
	u64 last;
};

/* --- is it one? -------------------------------------------------------------- */

static bool is_strange(u8 c)
{
	return c == 0x7f || (c < ' ' && !strchr("\t\n\v\f\r\b\033\a", c));
}

static bool has_console_line(const char *text, size_t size)
{
	const char *at = text;
	struct console_line line;

	return console_line_next(&at, text + size, &line, NULL);
}

static bool is_text(const char *text, size_t size)
{
	size_t nr = 0;

	for (size_t i = 0; i < size; i++)
		nr += !text[i] || is_strange(text[i]);
	return size && nr * MAX_STRANGE <= size;
}

/* Of a device or a dump only the ends are read. */
static int look_at_ends(struct console *console, struct dump *dump, u64 size, struct err *err)
{
	bool is_whole = size <= 2 * ENDS, is_any, is_console;
	char *ends = malloc(2 * ENDS);
	ssize_t n, m = 0;
	int trace;

	if (!ends)
		return err_sys(err, "memory for a text");
	n = dump_read(dump, 0, ends, is_whole ? size : ENDS, err);
	if (n >= 0 && !is_whole)
		m = dump_read(dump, size - ENDS, ends + n, ENDS, err);
	is_any = n > 0 && m >= 0 && is_text(ends, n + m) && memchr(ends, '\n', n + m);
	console->is_dated = is_any && dated_log_is(ends, n + m);
	is_console = console->is_dated || (is_any && has_console_line(ends, n + m));
	console->is_kmsg = is_any && !is_console && kmsg_log_is(ends, n + m);
	console->is_timeless = is_any && !is_console && !console->is_kmsg && timeless_log_is(ends, n + m);
	is_console |= console->is_kmsg || console->is_timeless;
	trace = is_any ? trace_file_is(ends, n + m, err) : 0;
	free(ends);
	if (n < 0 || m < 0)
		return -ERR_IO;
	console->is_trace = trace > 0;
	if (trace)
		return trace < 0 ? trace : 0;
	if (is_any && !is_console)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "no line of it has the kernel's time or reports a crash: give the log of a serial console, \"dmesg\", or \"LC_ALL=C journalctl -k\"");
	return is_console ? 0 : err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "it is no text of a console");
}

static int read_console_text(struct console *console, struct dump *dump, size_t *ret_size, struct err *err)
{
	u64 size = dump_file_size(dump), start = size > MAX_TEXT ? size - MAX_TEXT : 0;
	ssize_t n;
	int ret;

	if (!dump_is_raw(dump))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "it is no text of a console");
	ret = look_at_ends(console, dump, size, err);
	if (ret)
		return ret;
	console->text = malloc(size - start + 1);
	if (!console->text)
		return err_sys(err, "memory for a text of %llu bytes", size - start);
	n = dump_read(dump, start, console->text, size - start, err);
	if (n < 0)
		return -ERR_IO;
	console->nr_cut = start;
	*ret_size = n;
	pasted_text_mend(console->text, ret_size);
	n = *ret_size;
	further_lines_mend(console->text, n);
	if (console->is_dated || console->is_kmsg || console->is_timeless) {
		char *before = console->text;

		console->text = console->is_dated ? dated_log_convert(before, n, ret_size) :
				console->is_kmsg ? kmsg_log_convert(before, n, ret_size) :
						   timeless_log_convert(before, n, ret_size);
		free(before);
		if (!console->text)
			return err_sys(err, "memory for a text of %zd bytes", n);
	}
	return 0;
}

/* --- boots ------------------------------------------------------------------ */

/* Does the kernel, or the recorder, begin to print its events? */
static bool begins_dump(const struct console_line *line, bool *is_ftrace)
{
	struct printed_words words = { line->text, line->len };

	*is_ftrace = printed_words_begin(words, FTRACE_BEGINS) &&
		     printed_words_end(words, "buffer:");
	return *is_ftrace || printed_words_begin(words, DUMP_BEGINS);
}

static void see_line(struct boot *boot, const struct console_line *line)
{
	bool is_ftrace;

	boot->last = line->prefix.ns;
	boot->has_panic |= console_line_begins(line, "Kernel panic - not syncing");
	boot->has_reason |= boot->has_panic || begins_dump(line, &is_ftrace);
	boot->has_rebooted |= console_line_end_of_kernel(line->text, line->len) > 0;
	boot->is_capture |= console_line_begins(line, "Kernel command line: ") &&
			    (console_line_has(line, " elfcorehdr=") || console_line_has(line, " reset_devices"));
	if (report_text_is_die((struct report_text){ line->text, line->len }) && !console_line_begins(line, "epitaph: "))
		boot->oops = line->prefix.ns ?: 1;
	if (console_line_begins(line, "watchdog: BUG: soft lockup") || console_line_has(line, "Watchdog detected hard LOCKUP on cpu"))
		boot->lockup = line->prefix.ns ?: 1;
}

/*
 * The time of @line is less than @last: did the machine boot, or has the serial line lost a digit of it? Then
 * the line at @at goes on from @last.
 */
static bool has_booted(const struct console_line *line, const char *at, const char *end, u64 last)
{
	struct console_line next;

	if (!line->prefix.ns || console_line_begins(line, "Linux version ") || console_line_begins(line, "Booting Linux "))
		return true;
	return !console_line_next(&at, end, &next, NULL) || next.prefix.ns + REBOOT_NS <= last;
}

/* Return: the boots, from malloc(); NULL: no memory. */
static struct boot *find_boots(struct console *console, size_t size)
{
	const char *at = console->text, *end = at + size, *begin = at;
	struct boot *boots = calloc(1, sizeof(*boots));
	struct console_line line;

	console->nr_boots = 1;
	if (boots)
		boots[0].begin = begin;
	while (boots && !console->is_trace && console_line_next(&at, end, &line, &console->nr_others)) {
		struct boot *boot = &boots[console->nr_boots - 1];

		if (line.prefix.ns + REBOOT_NS <= boot->last && !has_booted(&line, at, end, boot->last))
			line.prefix.ns = boot->last;
		if (line.prefix.ns + REBOOT_NS <= boot->last) {
			void *more = reallocarray(boots, console->nr_boots + 1, sizeof(*boots));

			if (!more) {
				free(boots);
				return NULL;
			}
			boots = more;
			boot = &boots[console->nr_boots++];
			*boot = (struct boot){ .begin = begin };
		}
		see_line(boot, &line);
		begin = at;
	}
	for (u32 i = 0; boots && i < console->nr_boots; i++)
		boots[i].end = i + 1 < console->nr_boots ? boots[i + 1].begin : end;
	return boots;
}

static bool has_died(const struct boot *boots, u32 nr, u32 i)
{
	const struct boot *boot = &boots[i];

	if (boot->has_panic || (i + 1 < nr && boots[i + 1].is_capture))
		return true;
	return boot->oops && i + 1 < nr && !boot->has_rebooted && boot->last <= boot->oops + OOPS_NS;
}

/* Was it reset while a CPU was locked up? */
static bool was_locked_up(const struct boot *boots, u32 nr, u32 i)
{
	const struct boot *boot = &boots[i];

	return boot->lockup && i + 1 < nr && !boot->has_rebooted && boot->last <= boot->lockup + LOCKUP_NS;
}

static int choose_console_boot(struct console *console, const struct boot *boots, s64 number, struct err *err)
{
	u32 nr = console->nr_boots, i = nr;

	if (number < 0 && nr + number > 0)
		number += nr;
	if (number > nr || number < 0)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "there is no boot %lld in this text of a console; it has %u, from 1 on", number, nr);
	while (!number && i && !boots[i - 1].has_reason && !has_died(boots, nr, i - 1) && !was_locked_up(boots, nr, i - 1))
		i--;
	console->boot = number ? number : i ? i : nr;
	console->has_died = has_died(boots, nr, console->boot - 1);
	return 0;
}

/* --- its lines and events --------------------------------------------------- */

static int add_record(struct console *console, const struct console_line *line, u32 *room, struct err *err)
{
	struct printk_ringbuffer *log = &console->log;
	struct klog_record *record;

	if (log->nr == *room) {
		void *records = reallocarray(log->records, 2 * (size_t)*room + 1024, sizeof(*log->records));

		if (!records)
			return err_sys(err, "memory for %u lines", log->nr);
		log->records = records;
		*room = 2 * *room + 1024;
	}
	record = &log->records[log->nr++];
	*record = (struct klog_record){
		.line = { .priority = line->priority, .text = line->text, .len = line->len },
		.seq = log->nr, .local_ns = line->prefix.ns, .cpu = NO_CPU, .pid = -1, .off = line->text - console->text,
	};
	if (line->prefix.caller == 'C')
		record->cpu = line->prefix.number;
	else if (line->prefix.caller == 'T')
		record->pid = line->prefix.number;
	return 0;
}

/**
 * struct lines - that are being read
 * @room: of the log's records
 * @lost: the line before, that says that events of a CPU are lost
 */
struct lines {
	u32 room;
	struct console_line lost;
};

static int read_console_line(struct console *console, const struct console_line *line, struct lines *lines, struct err *err)
{
	const struct console_words words = { line->text, line->len, line->prefix.ns, false };
	struct console_events *events = &console->events;
	bool is_after_lost = events->lost.is_there, is_ftrace;
	int ret = 0;

	if (begins_dump(line, &is_ftrace))
		ret = console_events_dump(events, line->prefix.ns, is_ftrace, err);
	if (!ret)
		ret = console_events_take(events, &words, err);
	/* No event of that CPU follows: it is a line like others. */
	if (ret >= 0 && is_after_lost && !events->is_lost_given && add_record(console, &lines->lost, &lines->room, err))
		return -ERR_IO;
	if (events->lost.is_there)
		lines->lost = *line;
	else if (!ret)
		ret = add_record(console, line, &lines->room, err);
	return ret;
}

static int read_console_lines(struct console *console, const struct boot *boot, struct err *err)
{
	const char *at = boot->begin;
	struct lines lines = { 0 };
	struct console_line line;
	u64 last = 0;
	int ret = 0;

	while (ret >= 0 && console_line_next(&at, boot->end, &line, NULL)) {
		if (line.prefix.ns + REBOOT_NS <= last)
			line.prefix.ns = last;
		last = line.prefix.ns;
		ret = read_console_line(console, &line, &lines, err);
	}
	if (ret >= 0)
		ret = console_events_end(&console->events, err);
	if (ret >= 0 && console->events.lost.is_there)
		ret = add_record(console, &lines.lost, &lines.room, err);
	console->log.there = true;
	if (ret < 0)
		return ret;
	if (console->log.nr > KLOG_MAX_LINES) {
		console->log.nr_textless = console->log.nr - KLOG_MAX_LINES;
		memmove(console->log.records, console->log.records + console->log.nr_textless, KLOG_MAX_LINES * sizeof(*console->log.records));
		console->log.nr = KLOG_MAX_LINES;
	}
	return 0;
}

static bool is_of_ring(const struct console_ring *ring, const struct console_event *event)
{
	return ring->cpu == event->cpu && ring->is_ftrace == event->is_ftrace && ring->is_unsure == event->is_unsure;
}

static int make_console_rings(struct console *console, struct err *err)
{
	const struct console_events *events = &console->events;

	for (u32 i = 0; i < events->nr; i++) {
		u32 nr = console->nr_rings;

		if (nr && is_of_ring(&console->rings[nr - 1], &events->list[i])) {
			console->rings[nr - 1].nr++;
			continue;
		}
		/* Room for the next power of two. */
		if (!(nr & (nr - 1))) {
			void *rings = reallocarray(console->rings, nr ? 2 * nr : 1, sizeof(*console->rings));

			if (!rings)
				return err_sys(err, "memory for %u CPUs", nr);
			console->rings = rings;
		}
		console->rings[console->nr_rings++] = (struct console_ring){
			events->list[i].cpu, i, 1, events->list[i].is_ftrace, events->list[i].is_unsure };
	}
	return 0;
}

/* --- clocks ----------------------------------------------------------------- */

/* CLOCK_MONOTONIC minus local_clock(), of the newest line that is an event as well. */
static bool find_ahead(const struct console *console, s64 *ahead)
{
	u64 newest = 0;

	for (u32 i = 0; i < console->events.nr; i++) {
		const struct console_event *event = &console->events.list[i];
		struct printed_words printed = console_event_printed(event);
		struct klog_prefix prefix;

		if (!printed.at || event->is_ftrace || event->time < newest)
			continue;
		klog_skip_prefix(&printed.at, &printed.len, &prefix);
		if (!prefix.has_time)
			continue;
		newest = event->time;
		*ahead = (s64)(event->time - prefix.ns);
	}
	return newest;
}

static const struct klog_record *last_record(const struct console *console, struct printed_words words, bool is_whole)
{
	for (u32 i = console->log.nr; i--; ) {
		const struct klog_record *record = &console->log.records[i];

		if (record->line.len >= words.len && !memcmp(record->line.text, words.at, words.len) &&
		    (!is_whole || record->line.len == words.len))
			return record;
	}
	return NULL;
}

/*
 * Of a log with dates: an event that has the text of a line happened when the line has its date, to a second.
 * Without one, the newest event did when the events were printed.
 */
static void find_ahead_of_dates(const struct console *console, s64 *ahead)
{
	const struct klog_record *dump = last_record(console, (struct printed_words){ DUMP_BEGINS, strlen(DUMP_BEGINS) }, false);
	u64 newest = 0;

	for (u32 i = 0; i < console->events.nr; i++) {
		const struct console_event *event = &console->events.list[i];
		struct printed_words printed = console_event_printed(event);
		const struct klog_record *line = NULL;
		struct klog_prefix prefix;

		if (event->is_ftrace || event->time < newest)
			continue;
		if (printed.at) {
			klog_skip_prefix(&printed.at, &printed.len, &prefix);
			line = printed.len ? last_record(console, printed, true) : NULL;
		}
		if (line || dump)
			*ahead = (s64)(event->time - (line ?: dump)->local_ns);
		if (line)
			dump = NULL;
		newest = event->time;
	}
}

static void set_times(struct console *console)
{
	struct klog clock = { .there = true };

	if (console->is_dated)
		find_ahead_of_dates(console, &clock.ahead);
	else
		console->is_clock_known = find_ahead(console, &clock.ahead);
	ftrace_clock_place(&console->events, console->log.records, console->log.nr);
	for (u32 i = 0; i < console->events.nr; i++) {
		struct console_event *event = &console->events.list[i];

		if (event->is_ftrace)
			event->time = klog_mono(&clock, event->time);
		else
			event->is_unsure = !console->is_clock_known;
		console->nr_unplaced += event->is_ftrace && event->is_unsure;
	}
	for (u32 i = 0; i < console->log.nr; i++) {
		struct klog_record *record = &console->log.records[i];

		record->local_ns = record->line.mono_ns = klog_mono(&clock, record->local_ns);
	}
}

/* --- the machine ------------------------------------------------------------ */

/* "Linux version 6.1.0-56-amd64 (debian-kernel@... #1 SMP ..." */
static void take_version(struct console *console, const struct klog_line *line)
{
	static const char words[] = "Linux version ";
	char text[512];
	const char *release, *number;
	size_t n;

	snprintf(text, sizeof(text), "%.*s", (int)line->len, line->text);
	if (strncmp(text, words, strlen(words)))
		return;
	release = text + strlen(words);
	n = strcspn(release, " ");
	snprintf(console->release, sizeof(console->release), "%.*s", (int)n, release);
	number = strstr(release, " #");
	snprintf(console->version, sizeof(console->version), "%s", number ? number + 1 : "");
}

/* Of a text without the line above: "CPU: 2 PID: 7 Comm: sh Not tainted 6.1.0-56-amd64 #1  Debian 6.1.76-1" */
static void take_release(struct console *console, const struct klog_line *line)
{
	char text[512], *number, *release = NULL;

	snprintf(text, sizeof(text), "%.*s", (int)line->len, line->text);
	if (*console->release || strncmp(text, "CPU: ", 5) || !strstr(text, " Comm: "))
		return;
	for (char *at = strstr(text, " Comm: ") + 1; (at = strstr(at, " #")); at++)
		if (at[2] >= '0' && at[2] <= '9')
			release = at;
	if (!release)
		return;
	number = release + 1;
	*release = '\0';
	release = strrchr(text, ' ') + 1;
	if (!strchr(release, '.') || *release < '0' || *release > '9')
		return;
	snprintf(console->release, sizeof(console->release), "%s", release);
	snprintf(console->version, sizeof(console->version), "%s", number);
}

/* An oops is of one kind of machine: its registers are. */
static void take_machine(struct console *console, const struct klog_line *line)
{
	static const struct {
		const char *begin;
		u32 machine;
	} words[] = {
		{ "RIP: 00", EM_X86_64 }, { "pstate: ", EM_AARCH64 }, { "Krnl PSW : ", EM_S390 }, { "NIP [c0", EM_PPC64 },
		{ "x86/fpu: ", EM_X86_64 }, { "Booting Linux on physical CPU", EM_AARCH64 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words) && !console->machine; i++)
		if (line->len > strlen(words[i].begin) && !memcmp(line->text, words[i].begin, strlen(words[i].begin)))
			console->machine = words[i].machine;
}

static void take_cpus(struct console *console, const struct klog_line *line)
{
	static const char *const words[] = { "smpboot: Allowing ", "smp: Brought up 1 node, ", DUMP_BEGINS };
	u32 nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *at = line->text + strlen(words[i]);

		if (line->len <= strlen(words[i]) || memcmp(line->text, words[i], strlen(words[i])))
			continue;
		while (at < line->text + line->len && *at >= '0' && *at <= '9' && nr < 65536)
			nr = 10 * nr + (*at++ - '0');
	}
	if (nr > console->nr_cpus && nr <= 65536)
		console->nr_cpus = nr;
}

static void read_machine(struct console *console)
{
	for (u32 i = 0; i < console->log.nr; i++) {
		const struct klog_line *line = &console->log.records[i].line;

		take_version(console, line);
		take_release(console, line);
		take_machine(console, line);
		take_cpus(console, line);
	}
	for (u32 i = 0; i < console->nr_rings; i++)
		if (console->rings[i].cpu >= console->nr_cpus)
			console->nr_cpus = console->rings[i].cpu + 1;
}

/* --- all -------------------------------------------------------------------- */

static int read_boot(struct console *console, const struct boot *boot, struct err *err)
{
	int ret = console_events_begin(&console->events, console->text, err);

	if (!ret && console->is_trace)
		ret = trace_file_read(&console->events, boot->begin, boot->end - boot->begin, console->release, &console->nr_cpus, err);
	else if (!ret)
		ret = read_console_lines(console, boot, err);
	if (ret)
		return ret;
	set_times(console);
	console_events_sort(&console->events);
	ret = make_console_rings(console, err);
	read_machine(console);
	return ret;
}

int console_open(struct console **ret, struct dump *dump, s64 boot, struct err *err)
{
	struct console *console = calloc(1, sizeof(*console));
	struct boot *boots = NULL;
	size_t size = 0;
	int result;

	if (!console)
		return err_sys(err, "memory for a text");
	result = read_console_text(console, dump, &size, err);
	if (!result) {
		boots = find_boots(console, size);
		result = boots ? choose_console_boot(console, boots, boot, err) : err_sys(err, "memory for %u boots", console->nr_boots);
	}
	if (!result)
		result = read_boot(console, &boots[console->boot - 1], err);
	free(boots);
	if (result)
		console_close(console);
	else
		*ret = console;
	return result;
}

void console_close(struct console *console)
{
	if (!console)
		return;
	console_events_free(&console->events);
	free(console->log.records);
	free(console->rings);
	free(console->text);
	free(console);
}
