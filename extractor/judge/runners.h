/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All tasks of the trace's task switches: when each one ran last. */
#ifndef EPITAPH_JUDGE_RUNNERS_H
#define EPITAPH_JUDGE_RUNNERS_H

#include "base/types.h"

#define RUNNERS_PLACES	4096

/**
 * struct runner - a task
 * @pid: 0: none
 * @in: when it began to run last; @out: when it was switched out last; 0: the trace does not have it
 * @state: its state then, as the kernel has it in prev_state
 * @nr_so: how often in a row, and the last time is one of them, it was switched out in that state, unless preempted
 * @nr_other: and how often in a row in another one before that, @other
 */
struct runner {
	u64 pid;
	u64 in;
	u64 out;
	u64 state;
	u64 other;
	u32 nr_so;
	u32 nr_other;
	char comm[17];
};

/* @places: each for the last task whose pid leads to it; @replaced: when one ran last that another one has replaced; 0: none was */
struct runners {
	struct runner *places;
	u64 replaced;
};

/* False: there is no memory. */
bool runners_open(struct runners *runners);

void runners_see_out(struct runners *runners, u64 time, u64 pid, u64 state, const char *comm);
void runners_see_in(struct runners *runners, u64 time, u64 pid, const char *comm);

/* NULL: the trace has no switch of it. */
const struct runner *runners_find(const struct runners *runners, u64 pid);

void runners_close(struct runners *runners);

#endif
