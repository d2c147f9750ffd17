// SPDX-License-Identifier: GPL-2.0-or-later
#include "evidence_item.h"

#include <stdio.h>
#include <string.h>

#include "event/field_iter.h"
#include "mce/mce.h"
#include "recording/klog.h"

/* Evidence is on the timeline at most so long before or after its time, ns. */
#define MOST_APART	1000000000ULL
#define MOST_MATCHES	8	/* each better than the last */

static bool has_words(const char *text, size_t len, const char *words)
{
	return *words && memmem(text, len, words, strlen(words));
}

static bool is_console_line(const struct item *item, const char *words)
{
	struct field msg;

	return item->kind == ITEM_EVENT && item->stream && !strcmp(formats_name(item->stream->formats, item->id), "printk:console") &&
	       field_iter_find(item, "msg", &msg) && msg.kind == FIELD_TEXT && has_words(msg.data, msg.size, words);
}

static bool is_log_line(const struct item *item, const char *words)
{
	const struct klog_line *line;

	if (item->kind != ITEM_EXTRA || item->extra->kind != AUX_EVENT_LOG)
		return false;
	line = item->extra->data;
	return has_words(line->text, line->len, words);
}

static bool is_event(const struct item *item, const char *name)
{
	return item->kind == ITEM_EVENT && item->stream &&
	       (!*name || !strcmp(formats_name(item->stream->formats, item->id), name));
}

static bool is_machine_check(const struct item *item, u32 bank)
{
	const struct mce *mce = item->kind == ITEM_EXTRA && item->extra->kind == AUX_EVENT_MCE ? item->extra->data : NULL;

	return mce && mce->bank == bank;
}

/* @apart: gets how far their times are apart, ns. */
static bool fits_evidence(const struct finding_evidence *evidence, const struct item *item, u64 *apart)
{
	const struct finding_item *wanted = &evidence->item;

	if (!evidence->has_time || (wanted->cpu != NO_CPU && wanted->cpu != item->cpu))
		return false;
	*apart = item->time > evidence->time ? item->time - evidence->time : evidence->time - item->time;
	switch (wanted->kind) {
	case FINDING_NO_ITEM:
		break;
	case FINDING_LINE:
		return *apart < MOST_APART && (is_log_line(item, wanted->words) || is_console_line(item, wanted->words));
	case FINDING_EVENT:
		return !*apart && is_event(item, wanted->words);
	case FINDING_MACHINE_CHECK:
		return !*apart && is_machine_check(item, wanted->bank);
	}
	return false;
}

/* --- the search ----------------------------------------------------------- */

void evidence_search_begin(struct evidence_search *search, const struct finding *finding)
{
	u64 first = ~0ULL, last = 0;

	for (u32 i = 0; i < finding->nr_evidence; i++) {
		const struct finding_evidence *evidence = &finding->evidence[i];

		if (!evidence->has_time || evidence->item.kind == FINDING_NO_ITEM)
			continue;
		first = evidence->time < first ? evidence->time : first;
		last = evidence->time > last ? evidence->time : last;
	}
	*search = (struct evidence_search){ .finding = finding, .first = first, .last = last };
	if (first > last)
		return;
	search->first = first > MOST_APART ? first - MOST_APART : 0;
	search->last = last < ~0ULL - MOST_APART ? last + MOST_APART : ~0ULL;
}

bool evidence_search_take(struct evidence_search *search, const struct item *item, u32 number)
{
	bool takes = false;
	u64 apart;

	for (u32 i = 0; i < search->finding->nr_evidence; i++) {
		struct evidence_match *match = &search->matches[i];

		if (!fits_evidence(&search->finding->evidence[i], item, &apart) || match->nr == MOST_MATCHES ||
		    (match->number && match->apart <= apart))
			continue;
		*match = (struct evidence_match){ number, match->nr + 1, apart };
		takes = true;
	}
	return takes;
}

static void note_found(struct evidence_search *search, struct finding *finding, const struct item *item, u32 number)
{
	if (!evidence_search_take(search, item, number))
		return;
	for (u32 i = 0; i < finding->nr_evidence; i++) {
		struct found_item *found = &finding->evidence[i].found;

		if (search->matches[i].number != number)
			continue;
		*found = (struct found_item){ .time = item->time, .cpu = item->cpu };
		snprintf(found->event, sizeof(found->event), "%s", item_name(item));
	}
}

int evidence_items_find(struct finding *finding, struct postmortem *pm, struct err *err)
{
	struct evidence_search search;
	struct timeline *timeline;
	const struct item *item;
	u32 number = 0;
	int ret;

	evidence_search_begin(&search, finding);
	if (search.first > search.last)
		return 0;
	ret = timeline_open(&timeline, pm, search.first, false, err);
	if (ret)
		return ret;
	while ((item = timeline_next(timeline)) && item->time <= search.last)
		if (item->time >= search.first)
			note_found(&search, finding, item, ++number);
	timeline_close(timeline);
	return 0;
}
