// SPDX-License-Identifier: GPL-2.0-or-later
#include "subbuf_proof.h"

void subbuf_proof_begin(struct subbuf_proof *proof, const struct subbuf *sub, const struct ids *ids)
{
	u32 i;

	*proof = (struct subbuf_proof){ .at = subbuf_begin(sub) };
	for (i = 0; i < EPITAPH_LEVELS; i++)
		proof->sums[i] = subbuf_first_sum(sub, ids);
}

void subbuf_proof_survey(const struct subbuf_proof *proof, const struct subbuf_proof_bytes *bytes,
			 struct subbuf_proof_survey *survey)
{
	struct subbuf_cursor at = proof->at;
	bool holds[EPITAPH_LEVELS];
	u64 sums[EPITAPH_LEVELS];
	struct subbuf_event ev;
	u32 i;

	for (i = 0; i < EPITAPH_LEVELS; i++) {
		sums[i] = proof->sums[i];
		survey->last[i] = 0;
		holds[i] = sums[i] == subbuf_stored_sum(bytes->data, i);
	}
	for (;;) {
		subbuf_next(bytes->sub, bytes->data, &at, bytes->ids, &ev);
		if (ev.kind == SUBBUF_END || ev.kind == SUBBUF_BROKEN)
			break;
		if (ev.kind != SUBBUF_COMMITTED)
			continue;
		sums[ev.level] = subbuf_event_sum(bytes->sub, bytes->data, bytes->ids, &ev, sums[ev.level]);
		if (sums[ev.level] != subbuf_stored_sum(bytes->data, ev.level))
			continue;
		holds[ev.level] = true;
		survey->last[ev.level] = ev.off;
	}
	survey->consistent = true;
	for (i = 0; i < EPITAPH_LEVELS; i++)
		survey->consistent &= holds[i];
}

bool subbuf_proof_next(struct subbuf_proof *proof, const struct subbuf_proof_bytes *bytes,
		       const struct subbuf_proof_survey *survey, bool force,
		       struct subbuf_event *ev)
{
	struct subbuf_cursor at = proof->at;

	subbuf_next(bytes->sub, bytes->data, &at, bytes->ids, ev);
	if (ev->kind == SUBBUF_COMMITTED && ev->off <= survey->last[ev->level])
		proof->sums[ev->level] = subbuf_event_sum(bytes->sub, bytes->data, bytes->ids, ev,
							  proof->sums[ev->level]);
	else if (force && (ev->kind == SUBBUF_TORN || ev->kind == SUBBUF_TAKEN))
		proof->nr_torn++;
	else
		return false;
	proof->at = at;
	return true;
}
