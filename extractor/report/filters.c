// SPDX-License-Identifier: GPL-2.0-or-later
/* Events of which only some were recorded, by the marks that say so. */
#include <string.h>

#include "base/text.h"
#include "report.h"

/* "CHANNEL SYSTEM:EVENT " of "CHANNEL SYSTEM:EVENT EXPRESSION"; 0: it is none */
static size_t subject_of(const struct recording_mark *mark)
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

static bool is_about(const struct recording_mark *mark, const struct recording_mark *other, size_t subject)
{
	return subject_of(other) == subject && !memcmp(other->text, mark->text, subject);
}

static bool is_last_word(const struct recording *recording, u32 i, size_t subject)
{
	const struct recording_mark *mark = &recording->marks[i];

	while (++i < recording->nr_marks)
		if (is_about(mark, &recording->marks[i], subject))
			return false;
	return true;
}

static bool has_all_marks(const struct recording *recording)
{
	u32 i;

	for (i = 0; i < recording->nr_marks; i++)
		if (recording->marks[i].seq == 1)
			return true;
	return false;
}

/*
 * A recorder says it again before the mark is overwritten.
 * @is_first: false: what was said before this is not known
 */
static u64 said_first(const struct recording *recording, u32 i, size_t subject, bool *is_first)
{
	const struct recording_mark *mark = &recording->marks[i];
	u64 clock = mark->clock;

	*is_first = true;
	while (i--)
		if (is_about(mark, &recording->marks[i], subject)) {
			if (strcmp(recording->marks[i].text, mark->text))
				return clock;
			clock = recording->marks[i].clock;
		}
	*is_first = has_all_marks(recording);
	return clock;
}

static void put_filter(FILE *f, const struct postmortem *pm, u32 i, size_t subject)
{
	const struct recording *recording = pm->recording;
	const struct recording_mark *mark = &recording->marks[i];
	size_t channel = strcspn(mark->text, " ");
	bool is_first;
	u64 at = clock_mono(&recording->clock, said_first(recording, i, subject, &is_first));
	u64 end = pm->end.time;
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

void print_filters(FILE *f, const struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	size_t subject;
	u32 i;

	for (i = 0; i < recording->nr_marks; i++) {
		subject = subject_of(&recording->marks[i]);
		if (subject && strcmp(recording->marks[i].text + subject, "0") &&
		    is_last_word(recording, i, subject))
			put_filter(f, pm, i, subject);
	}
}
