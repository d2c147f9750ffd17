// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "handle.h"
#include "item.h"

#define NR_LISTS	(EPITAPH_MISSING + 1)

/* @number: of its item in the batch, from 1; 0: none */
struct epitaph_evidence {
	bool has_time;
	u64 time;
	u64 end;
	u32 number;
	char *text;
	const struct epitaph_item *item;
};

struct sentences {
	char **texts;
	u32 nr;
};

struct epitaph_finding {
	char *kind;
	enum epitaph_strength strength;
	char *claim;
	char *open;
	char *signature;
	struct epitaph_evidence *evidence;
	u32 nr_evidence;
	struct sentences lists[NR_LISTS];
};

struct epitaph_findings {
	u32 nr;
	struct epitaph_finding list[WIRE_NR_FINDINGS];
};

static void free_finding(struct epitaph_finding *finding)
{
	free(finding->kind);
	free(finding->claim);
	free(finding->open);
	free(finding->signature);
	for (u32 i = 0; i < finding->nr_evidence; i++) {
		free(finding->evidence[i].text);
		epitaph_item_unref(finding->evidence[i].item);
	}
	free(finding->evidence);
	for (u32 i = 0; i < NR_LISTS; i++) {
		for (u32 k = 0; k < finding->lists[i].nr; k++)
			free(finding->lists[i].texts[k]);
		free(finding->lists[i].texts);
	}
}

void epitaph_findings_free(struct epitaph_findings *findings)
{
	if (!findings)
		return;
	for (u32 i = 0; i < findings->nr; i++)
		free_finding(&findings->list[i]);
	free(findings);
}

/* --- an answer ----------------------------------------------------------- */

/* As findings_answer() packs it; nothing of it is trusted. */
struct answer_reader {
	struct bytes b;
	u64 off;
	bool no_memory;
};

/* NULL: it cannot be, or there is no memory. */
static char *take_sentence(struct answer_reader *r)
{
	size_t len, room;
	const char *raw = wire_take_text(&r->b, &r->off, &len);
	char *text;

	if (!raw || len > WIRE_SENTENCE) {
		r->b.overrun = true;
		return NULL;
	}
	/* A byte becomes \xHH at most. */
	room = 4 * len + 1;
	text = malloc(room);
	if (text)
		escape_text(text, room, raw, len);
	else
		r->no_memory = true;
	return text;
}

/* A number of things of @size bytes each; NULL: there are none, it cannot be, or no memory. */
static void *take_list(struct answer_reader *r, u32 most, size_t size, u32 *nr)
{
	void *list;

	*nr = wire_take_u32(&r->b, &r->off);
	if (r->b.overrun || *nr > most) {
		r->b.overrun = true;
		*nr = 0;
		return NULL;
	}
	list = calloc(*nr + 1, size);
	if (!list) {
		r->no_memory = true;
		*nr = 0;
	}
	return list;
}

static bool is_whole_so_far(const struct answer_reader *r)
{
	return !r->b.overrun && !r->no_memory;
}

static void take_finding(struct answer_reader *r, struct epitaph_finding *finding, u64 end)
{
	u32 strength, i, k;

	finding->kind = take_sentence(r);
	strength = wire_take_u32(&r->b, &r->off);
	finding->strength = strength <= EPITAPH_SHOWN ? strength : EPITAPH_NOT_KNOWN;
	finding->claim = take_sentence(r);
	finding->open = take_sentence(r);
	finding->signature = take_sentence(r);
	finding->evidence = take_list(r, WIRE_NR_EVIDENCE, sizeof(*finding->evidence),
				      &finding->nr_evidence);
	for (i = 0; i < finding->nr_evidence && is_whole_so_far(r); i++) {
		struct epitaph_evidence *evidence = &finding->evidence[i];

		evidence->has_time = wire_take_u32(&r->b, &r->off);
		evidence->time = wire_take_u64(&r->b, &r->off);
		evidence->number = wire_take_u32(&r->b, &r->off);
		evidence->text = take_sentence(r);
		evidence->end = end;
	}
	for (i = 0; i < NR_LISTS && is_whole_so_far(r); i++) {
		struct sentences *list = &finding->lists[i];

		list->texts = take_list(r, WIRE_NR_SENTENCES, sizeof(*list->texts), &list->nr);
		for (k = 0; k < list->nr && is_whole_so_far(r); k++)
			list->texts[k] = take_sentence(r);
	}
}

/* The evidence whose item is @wire, the @number-th of the batch, gets it. */
static bool give_evidence_item(struct epitaph_finding *finding, u32 number, struct batch *batch,
		      const struct wire_item *wire)
{
	for (u32 i = 0; i < finding->nr_evidence; i++) {
		struct epitaph_evidence *evidence = &finding->evidence[i];

		if (evidence->number == number)
			evidence->item = item_new(batch, wire);
		if (evidence->number == number && !evidence->item)
			return false;
	}
	return true;
}

static bool has_all_items(const struct epitaph_finding *finding)
{
	for (u32 i = 0; i < finding->nr_evidence; i++)
		if (finding->evidence[i].number && !finding->evidence[i].item)
			return false;
	return true;
}

/* The items stand behind what @r has taken of the answer, which @batch has. */
static void take_items(struct answer_reader *r, struct epitaph_findings *findings,
		       struct batch *batch)
{
	size_t off = (r->off + 7) & ~7ULL;
	const struct wire_item *wire;
	u32 number = 0, i;
	bool bad = false;

	while (!r->no_memory && (wire = batch_next(batch, &off, &bad))) {
		number++;
		for (i = 0; i < findings->nr; i++)
			if (!give_evidence_item(&findings->list[i], number, batch, wire))
				r->no_memory = true;
	}
	for (i = 0; i < findings->nr; i++)
		bad |= !has_all_items(&findings->list[i]);
	r->b.overrun |= bad;
}

static int fail_no_memory(const struct epitaph_dump *dump, struct epitaph_error **error)
{
	return error_set(error, &(struct error_parts){ .code = EPITAPH_ERROR_IO, .errnum = ENOMEM,
			 .where = dump->where }, "there is no memory for findings");
}

/* Return: 0; -1 and an error.  @findings is for epitaph_findings_free() either way. */
static int take_findings(struct epitaph_findings *findings, struct batch *batch,
			 struct epitaph_dump *dump, struct epitaph_error **error)
{
	struct answer_reader r = {
		.b = bytes_of(batch->bytes.data, batch->bytes.size, ORDER_HOST),
	};
	u32 nr;

	batch->end_time = wire_take_u64(&r.b, &r.off);
	nr = wire_take_u32(&r.b, &r.off);
	if (nr > WIRE_NR_FINDINGS)
		r.b.overrun = true;
	while (findings->nr < nr && is_whole_so_far(&r))
		take_finding(&r, &findings->list[findings->nr++], batch->end_time);
	if (is_whole_so_far(&r))
		take_items(&r, findings, batch);
	if (r.no_memory)
		return fail_no_memory(dump, error);
	return r.b.overrun ? handle_bad_answer(dump, error) : 0;
}

struct epitaph_findings *epitaph_explain(struct epitaph_generation *generation,
					 struct epitaph_error **error)
{
	struct pack question = { .order = ORDER_HOST }, answer;
	struct epitaph_findings *findings;
	struct definitions *definitions;
	struct batch *batch = NULL;
	int ret;

	if (!generation) {
		error_usage(error, "epitaph_explain()", "generation is NULL", "a generation");
		return NULL;
	}
	pack_u32(&question, generation->index);
	if (generation_ask(generation, WIRE_FINDINGS, &question, &answer, error))
		return NULL;
	findings = calloc(1, sizeof(*findings));
	definitions = definitions_new();
	if (definitions)
		batch = batch_new(&answer, definitions, 0);
	else
		pack_free(&answer);
	definitions_unref(definitions);
	if (findings && batch)
		ret = take_findings(findings, batch, generation->dump, error);
	else
		ret = fail_no_memory(generation->dump, error);
	batch_unref(batch);
	if (!ret)
		return findings;
	epitaph_findings_free(findings);
	return NULL;
}

/* --- what they say ------------------------------------------------------- */

size_t epitaph_findings_nr(const struct epitaph_findings *findings)
{
	return findings ? findings->nr : 0;
}

const struct epitaph_finding *epitaph_findings_get(const struct epitaph_findings *findings,
						   size_t i)
{
	return findings && i < findings->nr ? &findings->list[i] : NULL;
}

const char *epitaph_finding_kind(const struct epitaph_finding *finding)
{
	return finding ? finding->kind : "";
}

const char *epitaph_finding_claim(const struct epitaph_finding *finding)
{
	return finding ? finding->claim : "";
}

enum epitaph_strength epitaph_finding_strength(const struct epitaph_finding *finding)
{
	return finding ? finding->strength : EPITAPH_NOT_KNOWN;
}

const char *epitaph_finding_open_question(const struct epitaph_finding *finding)
{
	return finding ? finding->open : "";
}

const char *epitaph_finding_signature(const struct epitaph_finding *finding)
{
	return finding ? finding->signature : "";
}

const char *epitaph_finding_sentence(const struct epitaph_finding *finding,
				     enum epitaph_finding_list list, size_t i)
{
	if (!finding || (u32)list >= NR_LISTS || i >= finding->lists[list].nr)
		return NULL;
	return finding->lists[list].texts[i];
}

const struct epitaph_evidence *epitaph_finding_evidence(const struct epitaph_finding *finding,
							size_t i)
{
	return finding && i < finding->nr_evidence ? &finding->evidence[i] : NULL;
}

const char *epitaph_evidence_text(const struct epitaph_evidence *evidence)
{
	return evidence ? evidence->text : "";
}

int epitaph_evidence_time(const struct epitaph_evidence *evidence, uint64_t *time)
{
	if (!evidence || !time || !evidence->has_time)
		return 0;
	*time = evidence->time;
	return 1;
}

int epitaph_evidence_before_end(const struct epitaph_evidence *evidence, int64_t *ns)
{
	if (!evidence || !ns || !evidence->has_time)
		return 0;
	*ns = evidence->end - evidence->time;
	return 1;
}

const struct epitaph_item *epitaph_evidence_item(const struct epitaph_evidence *evidence)
{
	return evidence ? evidence->item : NULL;
}
