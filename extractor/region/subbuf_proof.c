// SPDX-License-Identifier: GPL-2.0-or-later
#include "subbuf_proof.h"

#include <endian.h>
#include <string.h>

static u64 stored_sum(const void *data, u32 level)
{
	__le64 sum;

	memcpy(&sum, (const u8 *)data + offsetof(struct epitaph_sub, sum) + level * sizeof(sum),
	       sizeof(sum));
	return le64toh(sum);
}

void proof_begin(struct proof *proof, const struct sub *sub)
{
	*proof = (struct proof){ .at = sub_begin(sub) };
}

void proof_survey(const struct proof *proof, const struct proof_bytes *bytes,
		  struct proof_survey *survey)
{
	struct sub_cursor at = proof->at;
	bool holds[EPITAPH_LEVELS];
	u64 sums[EPITAPH_LEVELS];
	struct sub_event ev;
	u32 i;

	for (i = 0; i < EPITAPH_LEVELS; i++) {
		sums[i] = proof->sums[i];
		survey->last[i] = 0;
		holds[i] = sums[i] == stored_sum(bytes->data, i);
	}
	for (;;) {
		sub_next(bytes->sub, bytes->data, &at, bytes->ids, &ev);
		if (ev.kind == SUB_END || ev.kind == SUB_BROKEN)
			break;
		if (ev.kind != SUB_COMMITTED)
			continue;
		sums[ev.level] = sub_event_sum(bytes->sub, bytes->data, &ev, sums[ev.level]);
		if (sums[ev.level] != stored_sum(bytes->data, ev.level))
			continue;
		holds[ev.level] = true;
		survey->last[ev.level] = ev.off;
	}
	survey->consistent = true;
	for (i = 0; i < EPITAPH_LEVELS; i++)
		survey->consistent &= holds[i];
}

static bool is_proven(const struct proof_survey *survey, const struct sub_event *ev, bool force)
{
	if (ev->kind == SUB_COMMITTED)
		return ev->off <= survey->last[ev->level];
	return force && (ev->kind == SUB_TORN || ev->kind == SUB_TAKEN);
}

bool proof_next(struct proof *proof, const struct proof_bytes *bytes,
		const struct proof_survey *survey, bool force, struct sub_event *ev)
{
	struct sub_cursor at = proof->at;

	sub_next(bytes->sub, bytes->data, &at, bytes->ids, ev);
	if (ev->kind == SUB_END || ev->kind == SUB_BROKEN || !is_proven(survey, ev, force))
		return false;
	if (ev->kind == SUB_COMMITTED)
		proof->sums[ev->level] = sub_event_sum(bytes->sub, bytes->data, ev,
						       proof->sums[ev->level]);
	else
		proof->nr_torn++;
	proof->at = at;
	return true;
}
