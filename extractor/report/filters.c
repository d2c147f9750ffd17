// SPDX-License-Identifier: GPL-2.0-or-later
/* Events of which only some were recorded, by the marks that say so. */
#include <string.h>

#include "base/text.h"
#include "report.h"

/* "CHANNEL SYSTEM:EVENT " of "CHANNEL SYSTEM:EVENT EXPRESSION"; 0: it is none */
static size_t subject_of(const struct trace_mark *mark)
{
	size_t channel, event;

	if (mark->type != EPITAPH_MARK_FILTER)
		return 0;
	channel = strcspn(mark->text, " ");
	if (!mark->text[channel])
		return 0;
	event = strcspn(mark->text + channel + 1, " ");
	return mark->text[channel + 1 + event] ? channel + 1 + event + 1 : 0;
}

static bool is_about(const struct trace_mark *mark, const struct trace_mark *other, size_t subject)
{
	return subject_of(other) == subject && !memcmp(other->text, mark->text, subject);
}

static bool is_last_word(const struct trace *trace, u32 i, size_t subject)
{
	const struct trace_mark *mark = &trace->marks[i];

	while (++i < trace->nr_marks)
		if (is_about(mark, &trace->marks[i], subject))
			return false;
	return true;
}

static bool has_all_marks(const struct trace *trace)
{
	u32 i;

	for (i = 0; i < trace->nr_marks; i++)
		if (trace->marks[i].seq == 1)
			return true;
	return false;
}

/*
 * A recorder says it again before the mark is overwritten.
 * @is_first: false: what was said before this is not known
 */
static u64 said_first(const struct trace *trace, u32 i, size_t subject, bool *is_first)
{
	const struct trace_mark *mark = &trace->marks[i];
	u64 clock = mark->clock;

	*is_first = true;
	while (i--)
		if (is_about(mark, &trace->marks[i], subject)) {
			if (strcmp(trace->marks[i].text, mark->text))
				return clock;
			clock = trace->marks[i].clock;
		}
	*is_first = has_all_marks(trace);
	return clock;
}

static void put_filter(FILE *f, const struct account *account, u32 i, size_t subject)
{
	const struct trace *trace = account->trace;
	const struct trace_mark *mark = &trace->marks[i];
	size_t channel = strcspn(mark->text, " ");
	bool is_first;
	u64 at = clock_mono(&trace->clock, said_first(trace, i, subject, &is_first));
	u64 end = account->end.time;
	char ago[40];

	text_seconds(ago, sizeof(ago), end > at ? end - at : at - end, false);
	fprintf(f, "# filtered since T%c%s%s: channel ", end >= at ? '-' : '+', ago,
		is_first ? "" : " or before");
	text_put(f, mark->text, channel);
	fputs(" has of ", f);
	text_put(f, mark->text + channel + 1, subject - channel - 2);
	fputs(" only those with ", f);
	text_put(f, mark->text + subject, strlen(mark->text + subject));
	putc('\n', f);
}

void print_filters(FILE *f, const struct account *account)
{
	const struct trace *trace = account->trace;
	size_t subject;
	u32 i;

	for (i = 0; i < trace->nr_marks; i++) {
		subject = subject_of(&trace->marks[i]);
		if (subject && strcmp(trace->marks[i].text + subject, "0") &&
		    is_last_word(trace, i, subject))
			put_filter(f, account, i, subject);
	}
}
