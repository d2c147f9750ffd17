// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace_clock.h"

#include <string.h>

#define MAX_LINES	16		/* of printk in one dump that are looked for in the log */
#define MAX_LOOKS	(1U << 26)	/* at lines of the log, for all dumps */
#define LATE_NS		1000000	/* that the clocks of two CPUs may be apart */

/**
 * struct placing - for all dumps
 * @looks: how many more there may be
 */
struct placing {
	struct console_events *events;
	const struct klog_record *records;
	u32 nr;
	u32 looks;
};

/* Events of one dump, [first, end) of all. */
struct dumped {
	struct console_dump *dump;
	u32 first;
	u32 end;
	u64 newest;
};

static u32 trimmed(const char *text, u32 len)
{
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return len;
}

/* The one line of the log with that text before the dump; NULL: none, or several. */
static const struct klog_record *find_traced_line(struct placing *p, struct printed_words words, u64 until)
{
	const struct klog_record *found = NULL;
	u32 len = trimmed(words.at, words.len);

	for (u32 i = 0; i < p->nr && p->looks && len; i++, p->looks--) {
		const struct klog_line *line = &p->records[i].line;

		if (p->records[i].local_ns > until || line->len < len || memcmp(line->text, words.at, len) ||
		    trimmed(line->text, line->len) != len)
			continue;
		if (found)
			return NULL;
		found = &p->records[i];
	}
	return p->looks ? found : NULL;
}

/* When the line was printed that an event of printk has; false: that is not known. */
static bool printed_when(struct placing *p, struct printed_words words, u64 until, u64 *ns)
{
	const struct klog_record *record;
	struct klog_prefix prefix;
	struct printed_words rest = words;

	/* Some kernels, 5.10 for one, trace the line with its time. */
	klog_skip_prefix(&rest.at, &rest.len, &prefix);
	if (prefix.has_time) {
		*ns = prefix.ns;
		return true;
	}
	record = find_traced_line(p, words, until);
	if (record)
		*ns = record->local_ns;
	return record;
}

/* A line is stamped before it is traced, so the largest of the differences is the nearest. */
static bool find_ahead_of_dump(struct placing *p, const struct dumped *dumped)
{
	struct console_dump *dump = dumped->dump;
	bool is_any = false;
	u32 lines = 0;

	for (u32 i = dumped->end; i-- > dumped->first && lines < MAX_LINES; ) {
		const struct console_event *event = &p->events->list[i];
		struct printed_words words = console_event_printed(event);
		s64 ahead;
		u64 ns;

		if (!words.at || event->is_joined)
			continue;
		lines++;
		if (!printed_when(p, words, dump->began, &ns))
			continue;
		ahead = (s64)(ns - event->raw);
		dump->ahead = is_any && dump->ahead > ahead ? dump->ahead : ahead;
		is_any = true;
	}
	/* None happened after it was printed. */
	return is_any && (s64)dumped->newest + dump->ahead <= (s64)dump->began + LATE_NS;
}

static void place_dump(struct placing *p, const struct dumped *dumped)
{
	struct console_dump *dump = dumped->dump;

	dump->is_known = find_ahead_of_dump(p, dumped);
	/* As late as it can be. */
	if (!dump->is_known)
		dump->ahead = (s64)(dump->began - dumped->newest);
	for (u32 i = dumped->first; i < dumped->end; i++) {
		struct console_event *event = &p->events->list[i];
		s64 time = (s64)event->raw + dump->ahead;

		event->time = time < 0 ? 0 : time;
		event->is_unsure = !dump->is_known;
	}
}

void ftrace_clock_place(struct console_events *events, const struct klog_record *records, u32 nr)
{
	struct placing placing = { events, records, nr, MAX_LOOKS };
	u32 i = 0;

	while (i < events->nr) {
		struct dumped dumped = { .first = i, .end = i };
		u32 number = events->list[i].dump;

		for (; dumped.end < events->nr && events->list[dumped.end].dump == number; dumped.end++)
			if (events->list[dumped.end].raw > dumped.newest)
				dumped.newest = events->list[dumped.end].raw;
		i = dumped.end;
		dumped.dump = number ? &events->dumps[number - 1] : NULL;
		if (dumped.dump && dumped.dump->is_ftrace)
			place_dump(&placing, &dumped);
	}
}
