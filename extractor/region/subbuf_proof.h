/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far the events of a sub-buffer that is written to are proven: up to where
 * the sums speak of them.  The sums were read before the events.
 */
#ifndef EPITAPH_REGION_SUBBUF_PROOF_H
#define EPITAPH_REGION_SUBBUF_PROOF_H

#include "subbuf.h"

/**
 * struct subbuf_proof - of one sub-buffer
 * @at: so far
 * @sums: by level, of the events up to there
 * @nr_torn: events among them that were left unfinished
 */
struct subbuf_proof {
	struct subbuf_cursor at;
	u64 sums[EPITAPH_LEVELS];
	u32 nr_torn;
};

/**
 * struct subbuf_proof_survey - what a walk from the proven part on meets
 * @last: by level, the last event that the level's sum speaks of
 * @consistent: each level's sum is that of some event, or of what was proven before
 */
struct subbuf_proof_survey {
	u32 last[EPITAPH_LEVELS];
	bool consistent;
};

/**
 * struct subbuf_proof_bytes - what is walked
 * @data: of the sub-buffer, its header with it
 * @sub: of it, from subbuf_header()
 */
struct subbuf_proof_bytes {
	const void *data;
	const struct subbuf *sub;
	const struct ids *ids;
};

void subbuf_proof_begin(struct subbuf_proof *proof, const struct subbuf *sub);

void subbuf_proof_survey(const struct subbuf_proof *proof, const struct subbuf_proof_bytes *bytes,
			 struct subbuf_proof_survey *survey);

/**
 * subbuf_proof_next() - one event further
 * @ev: what is next
 * @force: what was left unfinished is passed over
 *
 * Return: false: nothing more is proven; @proof stands in front of @ev.
 */
bool subbuf_proof_next(struct subbuf_proof *proof, const struct subbuf_proof_bytes *bytes,
		       const struct subbuf_proof_survey *survey, bool force, struct subbuf_event *ev);

#endif
