/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Proves the events of a sub-buffer while the kernel writes to it. An event is proven if the
 * sum of its level, which was read before the events, covers it.
 */
#ifndef EPITAPH_REGION_SUBBUF_PROOF_H
#define EPITAPH_REGION_SUBBUF_PROOF_H

#include "subbuf.h"

/**
 * struct subbuf_proof - how far one sub-buffer is proven
 * @at: behind the last proven event
 * @sums: by level, the sums of the events up to @at
 * @nr_torn: unfinished events up to @at
 */
struct subbuf_proof {
	struct subbuf_cursor at;
	u64 sums[EPITAPH_LEVELS];
	u32 nr_torn;
};

/**
 * struct subbuf_proof_survey - the result of a walk behind the proven part
 * @last: by level, the offset of the last event that the sum covers
 * @consistent: the sum of each level is the sum after some event, or that of the proven part
 */
struct subbuf_proof_survey {
	u32 last[EPITAPH_LEVELS];
	bool consistent;
};

/**
 * struct subbuf_proof_bytes - the bytes of a sub-buffer
 * @data: the whole sub-buffer with its header
 * @sub: its header, from subbuf_header()
 */
struct subbuf_proof_bytes {
	const void *data;
	const struct subbuf *sub;
	const struct ids *ids;
};

void subbuf_proof_begin(struct subbuf_proof *proof, const struct subbuf *sub, const struct ids *ids);

void subbuf_proof_survey(const struct subbuf_proof *proof, const struct subbuf_proof_bytes *bytes,
			 struct subbuf_proof_survey *survey);

/**
 * subbuf_proof_next() - go on to the next proven event
 * @ev: the next event, proven or not
 * @force: skip unfinished events
 *
 * Return: false: @ev is not proven, and @proof stays in front of it.
 */
bool subbuf_proof_next(struct subbuf_proof *proof, const struct subbuf_proof_bytes *bytes,
		       const struct subbuf_proof_survey *survey, bool force, struct subbuf_event *ev);

#endif
