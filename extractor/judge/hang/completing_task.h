/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The task that would complete what the last one of a chain waits for. */
#ifndef EPITAPH_JUDGE_HANG_COMPLETING_TASK_H
#define EPITAPH_JUDGE_HANG_COMPLETING_TASK_H

#include "owners.h"

/*
 * A chain that ends with the wait for a completion goes on with the task that is in the only function, of the waiter's
 * module, that completes it: the owner is KOWNER_COMPLETER then, and the chain is not sure. So it is with the only user of a file that
 * is removed: KOWNER_USER.
 */
void completing_task_extend(struct owners *owners, const struct kernel *kernel);

/* How sure is what rests on all owners of the chain? A completer is one step of conclusion, a last reader none. */
enum finding_strength completing_task_strength(const struct kernel_chain *chain);

#endif
