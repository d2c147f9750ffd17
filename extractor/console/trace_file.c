// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_file.h"

#include <stdio.h>
#include <string.h>

#define MAX_LINE	8192	/* bytes */
#define MAX_HEAD	16	/* lines */
#define TRACER		"# tracer: "

/* Takes the next line from @at, without its end. */
static bool next_line(const char **at, const char *end, struct printed_words *line)
{
	const char *begin = *at, *newline;

	if (begin == end)
		return false;
	newline = memchr(begin, '\n', end - begin);
	*at = newline ? newline + 1 : end;
	line->at = begin;
	line->len = (newline ?: end) - begin;
	while (line->len && line->at[line->len - 1] == '\r')
		line->len--;
	if (line->len > MAX_LINE)
		line->len = MAX_LINE;
	return true;
}

static struct printed_words words_behind(struct printed_words line, const char *begin)
{
	u32 len = strlen(begin);

	return (struct printed_words){ line.at + len, line.len - len };
}

/* --- what it is -------------------------------------------------------------- */

int trace_file_is(const char *text, size_t size, struct err *err)
{
	static const char *const others[] = { "function_graph", "mmiotrace", "blk" };
	const char *at = text;
	struct printed_words line, tracer;
	u32 nr = 0;

	/* A comment may stand in front. */
	while (next_line(&at, text + size, &line) && !printed_words_begin(line, TRACER) && printed_words_begin(line, "#") && nr < MAX_HEAD)
		nr++;
	if (at == text)
		return 0;
	if (printed_words_begin(line, "cpus=") && line.len > 5 && line.at[5] >= '0' && line.at[5] <= '9')
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "the text of trace-cmd report, in words of its own: give the kernel's file /sys/kernel/tracing/trace, or a vmcore");
	if (!printed_words_begin(line, TRACER))
		return 0;
	tracer = words_behind(line, TRACER);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (printed_words_are(tracer, others[i]))
			return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
				       "a trace of %s, whose lines are no events: give that of \"echo nop >current_tracer\", or a vmcore", others[i]);
	return 1;
}

/* --- its head ---------------------------------------------------------------- */

static u32 cpus_at(const char *at, const char *end)
{
	u32 n = 0;

	for (; at < end && *at >= '0' && *at <= '9' && n <= 65536; at++)
		n = 10 * n + (*at - '0');
	return n;
}

/* "# entries-in-buffer/entries-written: 246/407   #P:2"; "# nop latency trace v1.1.5 on 6.1.0-56-amd64". */
static void take_trace_head(struct printed_words line, char release[65], u32 *nr_cpus)
{
	static const char cpus[] = "#P:", version[] = " latency trace v1.1.5 on ";
	const char *end = line.at + line.len, *at = memmem(line.at, line.len, cpus, strlen(cpus));
	u32 n = at ? cpus_at(at + strlen(cpus), end) : 0;

	if (n && n <= 65536)
		*nr_cpus = n;
	at = memmem(line.at, line.len, version, strlen(version));
	if (at)
		snprintf(release, 65, "%.*s", (int)(end - at - strlen(version)), at + strlen(version));
}

/* --- its lines --------------------------------------------------------------- */

/* "init-94      [001] d..2.   9357338327: sched_switch: ...": a line of a clock that counts. */
static bool is_counted_line(struct printed_words line)
{
	const char *colon = memchr(line.at, ':', line.len), *at = colon;

	while (at && at > line.at && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return colon && at < colon && at > line.at && at[-1] == ' ' && memchr(line.at, '[', at - line.at) &&
	       memchr(line.at, ']', at - line.at);
}

static int none_read(bool is_counted, struct err *err)
{
	if (is_counted)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "a trace file of a clock that counts (uptime, counter, x86-tsc): take it again behind \"echo mono >trace_clock\"");
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "a trace file without events: it is empty, or has an option that hides task and time (raw, hex, bin, nocontext-info)");
}

int trace_file_read(struct console_events *events, const char *text, size_t size, char release[65], u32 *nr_cpus, struct err *err)
{
	const char *at = text, *end = text + size;
	struct printed_words line;
	bool is_counted = false;
	int ret = 0;

	while (ret >= 0 && next_line(&at, end, &line)) {
		const struct console_words words = { line.at, line.len, 0, true };

		if (line.len && *line.at == '#') {
			take_trace_head(line, release, nr_cpus);
			ret = console_events_flush(events, err);
			continue;
		}
		ret = console_events_take(events, &words, err);
		if (!ret)
			is_counted |= is_counted_line(line);
	}
	if (ret >= 0)
		ret = console_events_end(events, err);
	if (ret < 0)
		return ret;
	return events->nr ? 0 : none_read(is_counted, err);
}
