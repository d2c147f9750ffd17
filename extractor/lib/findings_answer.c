// SPDX-License-Identifier: GPL-2.0-or-later
#include "findings_answer.h"

#include <epitaph/epitaph.h>
#include <stdlib.h>
#include <string.h>

#include "explain/evidence_item.h"
#include "explain/explain.h"
#include "items.h"

/* The items that are evidence, into @batch; the matches get their numbers there, from 1. */
static int pack_evidence_items(struct pack *batch, struct evidence_search *search,
			       struct postmortem *pm, struct err *err)
{
	const struct item *item;
	struct items *items;
	u32 nr = 0;
	int ret;

	if (search->first > search->last)
		return 0;
	ret = items_new(&items, pm, EPITAPH_ALL_KINDS, EPITAPH_WALK_TEXT, search->first, err);
	if (ret)
		return ret;
	while ((item = items_next(items)) && item->time <= search->last) {
		if (item->time < search->first || !evidence_search_take(search, item, nr + 1))
			continue;
		items_put(items, batch, item);
		nr++;
	}
	items_free(items);
	return 0;
}

/* --- the sentences ------------------------------------------------------- */

static void wire_sentence(struct pack *p, const char *text)
{
	size_t at = p->size + sizeof(u32), len = strlen(text);

	wire_text(p, text, len);
	for (size_t i = 0; i < len && !p->failed; i++)
		if (p->data[at + i] == '\t')
			p->data[at + i] = ' ';
}

static void wire_notes(struct pack *p, const struct finding_notes *notes)
{
	pack_u32(p, notes->nr);
	for (u32 i = 0; i < notes->nr; i++)
		wire_sentence(p, notes->list[i]);
}

_Static_assert((int)FINDING_NOT_KNOWN == (int)EPITAPH_NOT_KNOWN, "strength");
_Static_assert((int)FINDING_POSSIBLE == (int)EPITAPH_POSSIBLE, "strength");
_Static_assert((int)FINDING_LIKELY == (int)EPITAPH_LIKELY, "strength");
_Static_assert((int)FINDING_SHOWN == (int)EPITAPH_SHOWN, "strength");
_Static_assert(FINDING_EVIDENCE <= WIRE_NR_EVIDENCE && FINDING_NOTES <= WIRE_NR_SENTENCES &&
	       FINDING_NEXT <= WIRE_NR_SENTENCES && FINDING_TEXT <= WIRE_SENTENCE, "bounds of the answer");

static void pack_finding(struct pack *answer, const struct finding *finding,
			 const struct evidence_match *matches)
{
	wire_sentence(answer, finding->kind);
	pack_u32(answer, finding->strength);
	wire_sentence(answer, finding->claim);
	wire_sentence(answer, finding->open);
	wire_sentence(answer, finding->signature);
	pack_u32(answer, finding->nr_evidence);
	for (u32 i = 0; i < finding->nr_evidence; i++) {
		const struct finding_evidence *evidence = &finding->evidence[i];

		pack_u32(answer, evidence->has_time);
		pack_u64(answer, evidence->time);
		pack_u32(answer, matches[i].number);
		wire_sentence(answer, evidence->text);
	}
	pack_u32(answer, finding->nr_next);
	for (u32 i = 0; i < finding->nr_next; i++)
		wire_sentence(answer, finding->next[i]);
	wire_notes(answer, &finding->also);
	wire_notes(answer, &finding->not_found);
	wire_notes(answer, &finding->missing);
}

int findings_answer(struct pack *answer, struct postmortem *pm, struct err *err)
{
	struct finding *finding = malloc(sizeof(*finding));
	struct pack batch = { .order = ORDER_HOST };
	struct evidence_search search;
	int ret = finding ? explain_death(finding, pm, err) : err_sys(err, "memory for a finding");

	if (!ret) {
		evidence_search_begin(&search, finding);
		ret = pack_evidence_items(&batch, &search, pm, err);
	}
	if (!ret) {
		pack_u64(answer, pm->end.time);
		pack_u32(answer, 1);
		pack_finding(answer, finding, search.matches);
		pack_align(answer, 8);
		pack_bytes(answer, batch.data, batch.size);
		answer->failed |= batch.failed;
	}
	pack_free(&batch);
	free(finding);
	return ret;
}
