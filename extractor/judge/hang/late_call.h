/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that are to call the only function which completes something, behind what they wait for themselves. */
#ifndef EPITAPH_JUDGE_HANG_LATE_CALL_H
#define EPITAPH_JUDGE_HANG_LATE_CALL_H

#include "owners.h"

#define LATE_CALL_TASKS	8

/**
 * struct late_call - the tasks that sleep in front of a call
 * @tasks: nr of them
 * @is_open: there may be others who call it: by a pointer, or from a function that is on no stack and of which no caller is seen
 */
struct late_call {
	const struct kernel_task *tasks[LATE_CALL_TASKS];
	u32 nr;
	bool is_open;
};

/**
 * late_call_find() - look through the callers of a function, and theirs in turn where these are on no stack
 * @start: of the function, which is on no stack
 * @waiter: who waits for what it completes: no caller counts in which that alone is
 *
 * Return: false: it is of no module, or its code is not seen.
 */
bool late_call_find(struct late_call *ret, const struct owners *owners, const struct kernel *kernel, u64 start, const struct kernel_task *waiter);

#endif
