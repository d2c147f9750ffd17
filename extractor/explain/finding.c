// SPDX-License-Identifier: GPL-2.0-or-later
#include "finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *finding_strength_word(enum finding_strength strength)
{
	static const char *const words[] = {
		[FINDING_NOT_KNOWN] = "not known", [FINDING_POSSIBLE] = "possible",
		[FINDING_LIKELY] = "likely", [FINDING_SHOWN] = "shown",
	};

	return words[strength];
}

void finding_claim(struct finding *finding, const char *kind, enum finding_strength strength,
		   const char *format, ...)
{
	va_list args;

	finding->kind = kind;
	finding->strength = strength;
	va_start(args, format);
	vsnprintf(finding->claim, sizeof(finding->claim), format, args);
	va_end(args);
}

void finding_open(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->open, sizeof(finding->open), format, args);
	va_end(args);
}

/* At its place in time; without one, at the end. */
__attribute__((format(printf, 4, 0)))
static void add_evidence(struct finding *finding, bool has_time, u64 time, const char *format, va_list args)
{
	struct finding_evidence *list = finding->evidence;
	u32 i = finding->nr_evidence;

	if (i == FINDING_EVIDENCE)
		return;
	while (has_time && i && (!list[i - 1].has_time || list[i - 1].time > time))
		i--;
	memmove(&list[i + 1], &list[i], (finding->nr_evidence - i) * sizeof(*list));
	finding->nr_evidence++;
	list[i] = (struct finding_evidence){ .has_time = has_time, .time = time };
	vsnprintf(list[i].text, sizeof(list[i].text), format, args);
}

void finding_evidence(struct finding *finding, u64 time, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_evidence(finding, true, time, format, args);
	va_end(args);
}

void finding_evidence_timeless(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_evidence(finding, false, 0, format, args);
	va_end(args);
}

void finding_next(struct finding *finding, const char *format, ...)
{
	va_list args;

	if (finding->nr_next == FINDING_NEXT)
		return;
	va_start(args, format);
	vsnprintf(finding->next[finding->nr_next++], FINDING_TEXT, format, args);
	va_end(args);
}

void finding_note(struct finding_notes *notes, const char *format, ...)
{
	va_list args;

	if (notes->nr == FINDING_NOTES) {
		notes->nr_more++;
		return;
	}
	va_start(args, format);
	vsnprintf(notes->list[notes->nr++], FINDING_TEXT, format, args);
	va_end(args);
}
