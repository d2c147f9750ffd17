// SPDX-License-Identifier: GPL-2.0-or-later
/* Events with a filter, out of the marks that the recorder leaves when a filter is set. */
#include <string.h>

#include "phrase.h"
#include "report.h"

/* Length of "CHANNEL SYSTEM:EVENT " in "CHANNEL SYSTEM:EVENT EXPRESSION"; 0: no filter's mark */
static size_t filter_subject(const struct recording_mark *mark)
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

static bool is_same_filter(const struct recording_mark *mark, const struct recording_mark *other,
			   size_t subject)
{
	return filter_subject(other) == subject && !memcmp(other->text, mark->text, subject);
}

static bool is_last_of_filter(const struct recording *recording, u32 i, size_t subject)
{
	const struct recording_mark *mark = &recording->marks[i];

	while (++i < recording->nr_marks)
		if (is_same_filter(mark, &recording->marks[i], subject))
			return false;
	return true;
}

/*
 * When this expression was set. A recorder repeats it before the mark is overwritten.
 * @is_first: false: marks before that are lost
 */
static u64 filter_since(const struct recording *recording, u32 i, size_t subject, bool *is_first)
{
	const struct recording_mark *mark = &recording->marks[i];
	u64 clock = mark->clock;

	*is_first = true;
	while (i--)
		if (is_same_filter(mark, &recording->marks[i], subject)) {
			if (strcmp(recording->marks[i].text, mark->text))
				return clock;
			clock = recording->marks[i].clock;
		}
	*is_first = false;
	for (i = 0; i < recording->nr_marks; i++)
		*is_first |= recording->marks[i].seq == 1;
	return clock;
}

void print_filters(FILE *f, const struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	u32 i;

	for (i = 0; i < recording->nr_marks; i++) {
		const char *text = recording->marks[i].text;
		size_t subject = filter_subject(&recording->marks[i]);
		size_t channel = strcspn(text, " ");
		bool is_first;
		u64 since;

		if (!subject || !strcmp(text + subject, "0") ||
		    !is_last_of_filter(recording, i, subject))
			continue;
		since = filter_since(recording, i, subject, &is_first);
		fputs("# filtered since ", f);
		put_ago(f, pm, clock_mono(&recording->clock, since));
		fprintf(f, "%s: channel ", is_first ? "" : " or before");
		text_put(f, text, channel);
		fputs(" has of ", f);
		text_put(f, text + channel + 1, subject - channel - 2);
		fputs(" only those with ", f);
		text_put(f, text + subject, strlen(text + subject));
		putc('\n', f);
	}
}
