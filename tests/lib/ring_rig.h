/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writers that interrupt each other where a plan says so.  One ring at a time:
 * the crash points of ring.c know no other way to find it.
 */
#ifndef _EPITAPH_RING_RIG_H
#define _EPITAPH_RING_RIG_H

#include "ring_oracle.h"

/* An event that tests write. */
struct rig_kind {
	const char *name;
	u32 id;
	u32 bytes;
	bool varies;
	u64 gap;		/* units of time that pass before it */
};

/* What happens inside a write at one level. */
struct rig_shot {
	u32 at;			/* label number in the write, from 0 */
	u32 count;		/* writes of the next level there; 0: none */
	const struct rig_kind *kind;
};

struct rig {
	struct oracle *oracle;
	struct rig_shot plan[EPITAPH_LEVELS + 1];	/* by level of the interrupted */
	u32 passed[EPITAPH_LEVELS + 1];		/* labels, by level */
	u32 every;		/* compare at each @every'th label; 0: never */
	u32 random;		/* if not 0: one label in so many is interrupted */
	u64 rng;
	u64 labels;		/* passed, all in all */
	u64 unknown;		/* labels that the oracle does not know */
	u64 dropped;		/* writes that the ring refused */
};

extern struct rig rig;

/* Labels in the order of ring.c, and how often each was compared at a level. */
struct rig_label {
	const char *name;
	u64 compared[EPITAPH_LEVELS + 1];
};

extern struct rig_label rig_labels[];
extern const u32 rig_nr_labels;

u32 rig_random(u32 below);

/**
 * rig_write() - write @count events, at the level of the caller
 *
 * Return: labels passed at this level.
 */
u32 rig_write(const struct rig_kind *kind, u32 count);

/**
 * rig_fill() - write until an event of @words words is the last that fits
 * @slack: words that are left behind it, 0: it fits exactly
 */
void rig_fill(u32 words, u32 slack);

/* No plan, no interrupts. */
void rig_calm(void);

#endif /* _EPITAPH_RING_RIG_H */
