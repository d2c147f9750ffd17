// SPDX-License-Identifier: GPL-2.0-or-later
#include "outcome.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"

/* A mark is the end only if it is the newest of all. */
static void read_end_mark(struct outcome *outcome, const struct generation *generation)
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
	outcome->end = OUTCOME_ENDED;
	outcome->clock = le64toh(newest.clock);
	outcome->cpu = le32toh(newest.cpu);
	outcome->real_ns = le64toh(newest.real_ns);
	snprintf(outcome->why, sizeof(outcome->why), "%.*s", (int)sizeof(newest.text),
		 newest.text);
}

void outcome_read(struct outcome *outcome, const struct generation *generation)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_CRASH);
	struct epitaph_crash crash;
	struct epitaph_taken raw;
	u32 i;

	memset(outcome, 0, sizeof(*outcome));
	if (section_entry(generation, sec, 0, &crash, sizeof(crash)) == 1) {
		outcome->end = OUTCOME_CRASHED;
		outcome->clock = le64toh(crash.clock);
		outcome->cpu = le32toh(crash.cpu);
		outcome->real_ns = le64toh(crash.real_ns);
		snprintf(outcome->why, sizeof(outcome->why), "%.*s", (int)sizeof(crash.reason),
			 crash.reason);
	} else {
		read_end_mark(outcome, generation);
	}
	sec = generation_section(generation, EPITAPH_SEC_TAKEN);
	for (i = 0; i < EPITAPH_NR_TAKEN; i++) {
		struct outcome_taken *taken = &outcome->taken[i];

		if (section_entry(generation, sec, i, &raw, sizeof(raw)) != 1)
			continue;
		taken->is = true;
		taken->real_ns = le64toh(raw.real_ns);
		snprintf(taken->where, sizeof(taken->where), "%.*s", (int)sizeof(raw.where),
			 raw.where);
	}
}

static void append_escaped(char *buf, size_t size, const char *text)
{
	size_t n = strlen(buf);

	escape_text(buf + n, size - n, text, strlen(text));
}

void outcome_words(char *buf, size_t size, const struct outcome *outcome)
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
	append_escaped(buf, size, ends[outcome->end]);
	if (outcome->end != OUTCOME_UNKNOWN) {
		text_date(date, sizeof(date), outcome->real_ns);
		append_escaped(buf, size, date);
		append_escaped(buf, size, ": ");
		append_escaped(buf, size, outcome->why);
	}
	for (i = 0; i < EPITAPH_NR_TAKEN; i++) {
		if (!outcome->taken[i].is)
			continue;
		append_escaped(buf, size, hows[i]);
		append_escaped(buf, size, outcome->taken[i].where);
	}
}

const char *outcome_name(const struct outcome *outcome)
{
	static const char *const names[] = { "unknown", "crashed", "ended" };

	return names[outcome->end];
}
