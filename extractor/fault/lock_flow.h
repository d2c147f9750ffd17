/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On which ways through a function of a dump a lock is taken, and not given back: by the calls of the functions that do so, and
 * of those of its own module that do so in turn.
 */
#ifndef EPITAPH_FAULT_LOCK_FLOW_H
#define EPITAPH_FAULT_LOCK_FLOW_H

#include "origins.h"

#define LOCK_WAYS	8	/* different locks of one function */

enum lock_family { LOCK_MUTEX, LOCK_RWSEM_READ, LOCK_RWSEM_WRITE, LOCK_SEMAPHORE, LOCK_BIT, LOCK_SPIN, LOCK_RW_READ, LOCK_RW_WRITE,
		   LOCK_SRCU, NR_LOCK_FAMILIES };

/* How a way may have come to a place. */
#define LOCK_NOT_YET	1	/* without the lock, which it has not taken */
#define LOCK_HELD	2	/* with it */
#define LOCK_GIVEN	4	/* it has taken it and given it back */

/**
 * struct lock_way - of one lock that a function takes
 * @address: of the lock, if the code has it as a number; 0: a register has it
 * @offset: of the lock behind the pointer that a register has, without @address
 * @origin: of that address: where the function had it from
 * @bit: of a bit lock that is tried in line: its number; negative: it is not seen
 * @at: LOCK_* in which ways come to the place where the function is (@at of its code); 0: none does
 * @ends: in which it comes back to its caller
 * @again_at: behind a call that takes the lock, to which a way comes that has it; 0: there is none
 * @is_known: all ways were followed, and all that was called is known
 */
struct lock_way {
	u64 address;
	s32 offset;
	struct origin origin;
	s32 bit;
	u8 at;
	u8 ends;
	u32 again_at;
	bool is_known;
};

/**
 * struct lock_flow - of all locks of a family that a function takes
 * @ways: nr of them
 * @gives_other: it gives back what it has not taken
 */
struct lock_flow {
	struct lock_way ways[LOCK_WAYS];
	u32 nr;
	bool gives_other;
};

/* False: what decodes is not here, the code is not whole, or there is no memory. */
bool lock_flow_read(struct lock_flow *flow, const struct function_code *code, enum lock_family family);

/* Does it call what takes or gives back such a lock, itself? */
bool lock_flow_names(const struct function_code *code, enum lock_family family);

/* What gives it back, as "mutex_unlock()". */
const char *lock_flow_word(enum lock_family family);

#endif
