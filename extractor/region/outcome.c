// SPDX-License-Identifier: GPL-2.0-or-later
#include "outcome.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static void read_crash(struct outcome *fate, const struct generation *generation)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_CRASH);
	struct epitaph_crash raw;

	if (section_entry(generation, sec, 0, &raw, sizeof(raw)) != 1)
		return;
	fate->end = OUTCOME_CRASHED;
	fate->clock = le64toh(raw.clock);
	fate->real_ns = le64toh(raw.real_ns);
	snprintf(fate->why, sizeof(fate->why), "%.*s", (int)sizeof(raw.reason), raw.reason);
}

/* Only the newest mark of all can say that it was in order. */
static void read_marks(struct outcome *fate, const struct generation *generation)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_MARKS);
	u64 n = section_entries(sec, sizeof(struct epitaph_mark));
	struct epitaph_mark raw, newest = { 0 };
	u64 i;

	for (i = 0; i < n; i++) {
		int good = section_entry(generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			break;
		if (good == 1 && le64toh(raw.seq) > le64toh(newest.seq))
			newest = raw;
	}
	if (le32toh(newest.type) != EPITAPH_MARK_END)
		return;
	fate->end = OUTCOME_ENDED;
	fate->clock = le64toh(newest.clock);
	fate->real_ns = le64toh(newest.real_ns);
	snprintf(fate->why, sizeof(fate->why), "%.*s", (int)sizeof(newest.text), newest.text);
}

static void read_taken(struct outcome *fate, const struct generation *generation)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_TAKEN);
	struct epitaph_taken raw;
	u32 i;

	for (i = 0; i < EPITAPH_NR_TAKEN; i++) {
		struct outcome_taken *taken = &fate->taken[i];

		if (section_entry(generation, sec, i, &raw, sizeof(raw)) != 1)
			continue;
		taken->is = true;
		taken->real_ns = le64toh(raw.real_ns);
		snprintf(taken->where, sizeof(taken->where), "%.*s", (int)sizeof(raw.where),
			 raw.where);
	}
}

void outcome_read(struct outcome *fate, const struct generation *generation)
{
	memset(fate, 0, sizeof(*fate));
	read_crash(fate, generation);
	if (fate->end == OUTCOME_UNKNOWN)
		read_marks(fate, generation);
	read_taken(fate, generation);
}

static void add(char *buf, size_t size, const char *text)
{
	size_t n = strlen(buf);

	err_escape(buf + n, size - n, text, strlen(text));
}

void outcome_words(char *buf, size_t size, const struct outcome *fate)
{
	static const char *const ends[] = {
		"does not say how it ended", "crashed ", "ended in order ",
	};
	static const char *const hows[EPITAPH_NR_TAKEN] = {
		"; harvested to ", "; erased from pstore ", "; taken ", "; taken ",
	};
	char date[64];
	u32 i;

	*buf = 0;
	add(buf, size, ends[fate->end]);
	if (fate->end != OUTCOME_UNKNOWN) {
		text_date(date, sizeof(date), fate->real_ns);
		add(buf, size, date);
		add(buf, size, ": ");
		add(buf, size, fate->why);
	}
	for (i = 0; i < EPITAPH_NR_TAKEN; i++) {
		if (!fate->taken[i].is)
			continue;
		add(buf, size, hows[i]);
		add(buf, size, fate->taken[i].where);
	}
}

const char *outcome_name(const struct outcome *fate)
{
	static const char *const names[] = { "unknown", "crashed", "ended" };

	return names[fate->end];
}
