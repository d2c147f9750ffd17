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
	/* A function's name begins a sentence as it is; "an unknown function" does not. */
	if (!strncmp(finding->claim, "an ", 3))
		finding->claim[0] = 'A';
}

void finding_open(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->open, sizeof(finding->open), format, args);
	va_end(args);
}

static struct finding_item item_of(enum finding_item_kind kind, u32 cpu, const char *words, size_t len)
{
	struct finding_item item = { .kind = kind, .cpu = cpu };

	snprintf(item.words, sizeof(item.words), "%.*s", (int)(len < sizeof(item.words) ? len : sizeof(item.words)), words);
	return item;
}

struct finding_item finding_line(const char *words, size_t len)
{
	return item_of(FINDING_LINE, NO_CPU, words, len);
}

struct finding_item finding_event(u32 cpu, const char *name)
{
	return item_of(FINDING_EVENT, cpu, name, strlen(name));
}

struct finding_item finding_machine_check(u32 cpu, u32 bank)
{
	return (struct finding_item){ .kind = FINDING_MACHINE_CHECK, .cpu = cpu, .bank = bank };
}

/* At its place in time; without one, at the end. @added: all but its text. */
__attribute__((format(printf, 3, 0)))
static void add_evidence(struct finding *finding, const struct finding_evidence *added, const char *format, va_list args)
{
	struct finding_evidence *list = finding->evidence;
	u32 i = finding->nr_evidence;

	if (i == FINDING_EVIDENCE)
		return;
	while (added->has_time && i && (!list[i - 1].has_time || list[i - 1].time > added->time))
		i--;
	memmove(&list[i + 1], &list[i], (finding->nr_evidence - i) * sizeof(*list));
	finding->nr_evidence++;
	list[i] = *added;
	list[i].is_minor = finding->adds_minor;
	vsnprintf(list[i].text, sizeof(list[i].text), format, args);
}

void finding_evidence(struct finding *finding, u64 time, struct finding_item item, const char *format, ...)
{
	struct finding_evidence added = { .has_time = true, .time = time, .item = item };
	va_list args;

	va_start(args, format);
	add_evidence(finding, &added, format, args);
	va_end(args);
}

void finding_evidence_timeless(struct finding *finding, const char *format, ...)
{
	struct finding_evidence added = { .item.cpu = NO_CPU };
	va_list args;

	va_start(args, format);
	add_evidence(finding, &added, format, args);
	va_end(args);
}

void finding_minor(struct finding *finding, bool is_minor)
{
	finding->adds_minor = is_minor;
}

void finding_next(struct finding *finding, const char *format, ...)
{
	va_list args;

	if (finding->nr_next == FINDING_NEXT)
		return;
	va_start(args, format);
	vsnprintf(finding->next[finding->nr_next], FINDING_TEXT, format, args);
	va_end(args);
	for (u32 i = 0; i < finding->nr_next; i++)
		if (!strcmp(finding->next[i], finding->next[finding->nr_next]))
			return;
	finding->nr_next++;
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
