/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writers whose events can be recomputed: the number of the context that wrote
 * it, a number that counts up in that context, and bytes that follow from both.
 * Counters outside of the ring say what was begun and what was done; whatever
 * is read must lie between the two, without a hole.
 */
#ifndef _EPITAPH_RING_LOAD_H
#define _EPITAPH_RING_LOAD_H

#include <epitaph/ring.h>

#include "ring_reader.h"

#define LOAD_CONTEXTS	3	/* each interrupts those below it */
#define LOAD_WHY	200
#define LOAD_NONE	0xffffffffU

/* The numbers of one context in one sub-buffer. */
struct load_run {
	u32 first;		/* LOAD_NONE: there are none */
	u32 last;
};

struct load_sub {
	struct reader_sub *read;
	struct load_run runs[LOAD_CONTEXTS];
};

struct load {
	struct epitaph_ring ring;
	u32 nr_subs;
	u32 begun[LOAD_CONTEXTS];
	u32 done[LOAD_CONTEXTS];
	u8 *copy;		/* of ring.data, as it was compared last */
	struct load_sub *subs;
	u64 points;		/* comparisons */
	u64 torn;		/* events met that were claimed only */
	u64 events;		/* met by load_peek() */
	u64 retries;		/* of load_peek(), because a writer went on */
	char why[LOAD_WHY];	/* the first complaint, "" if there is none */
	char peek_why[LOAD_WHY];	/* of load_peek() */
};

struct load *load_new(u32 sub_size, u32 nr_subs);
void load_free(struct load *l);

/* Puts @to, of the same shape, where @from is; between writes. */
void load_copy(struct load *to, const struct load *from);

/* Writes the next event of @context.  Context: whatever interrupts it. */
void load_write(struct load *l, u32 context);

/**
 * load_compare() - read the ring as if the CPU stopped here
 *
 * Context: the thread that writes, or a signal on it; no writer runs meanwhile.
 * Return: @l->why is still empty.
 */
bool load_compare(struct load *l);

/**
 * load_peek() - read the ring from another thread while it is written
 * @copy: of a sub-buffer's size
 * @sub: anybody's
 *
 * What the sums vouch for must be right; what they do not is left out.
 */
void load_peek(struct load *l, u8 *copy, struct reader_sub *sub);

#endif /* _EPITAPH_RING_LOAD_H */
