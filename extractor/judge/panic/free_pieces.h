/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that is free, and in pieces that are too small for what was asked. */
#ifndef EPITAPH_JUDGE_PANIC_FREE_PIECES_H
#define EPITAPH_JUDGE_PANIC_FREE_PIECES_H

#include "judge/judge.h"

/**
 * struct free_pieces - what an OOM report says of it
 * @order: of the request: 2 to the power of that many pages, in one piece
 * @free_kb: free in zones that have more than they keep back
 */
struct free_pieces {
	u32 order;
	u64 free_kb;
};

/* False: the request of the report from line @from on was for one page, or no zone has enough that is free, or has a piece of that size. */
bool free_pieces_read(struct free_pieces *pieces, const struct explain *explain, u32 from);

#endif
