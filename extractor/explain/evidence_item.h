/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which item of the timeline a piece of evidence is. */
#ifndef EPITAPH_EXPLAIN_EVIDENCE_ITEM_H
#define EPITAPH_EXPLAIN_EVIDENCE_ITEM_H

#include "judge/finding.h"
#include "timeline/timeline.h"

/**
 * struct evidence_match - the item that fits a piece of evidence best so far
 * @number: as given; 0: none yet
 * @nr: items that were the best one
 * @apart: of their times, ns
 */
struct evidence_match {
	u32 number;
	u32 nr;
	u64 apart;
};

/**
 * struct evidence_search - a search along the timeline for the items of all evidence
 * @first: where to begin; @last: where to end; @first is above @last: there is nothing to look for
 */
struct evidence_search {
	const struct finding *finding;
	u64 first;
	u64 last;
	struct evidence_match matches[FINDING_EVIDENCE];
};

void evidence_search_begin(struct evidence_search *search, const struct finding *finding);

/**
 * evidence_search_take() - look at one item
 * @number: from 1; the matches that it is better than get it
 *
 * The item that is nearest in time is the one: a console line has the time of its prefix, which is
 * in microseconds, and older than its event.  At most FINDING_EVIDENCE times 8 items are taken.
 *
 * Return: some match got it.
 */
bool evidence_search_take(struct evidence_search *search, const struct item *item, u32 number);

/**
 * evidence_items_find() - the items of all evidence of @finding
 * @pm: scanned; no timeline has it
 */
int evidence_items_find(struct finding *finding, struct postmortem *pm, struct err *err);

#endif
