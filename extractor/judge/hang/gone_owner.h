/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks whose owner has ended. */
#ifndef EPITAPH_JUDGE_GONE_OWNER_H
#define EPITAPH_JUDGE_GONE_OWNER_H

#include "owners.h"

/*
 * Did the task that the lock names begin after the wait? The first waiter is woken when the lock is given back: that
 * one was not, so the owner is the same since. Then the memory of the owner is another task's by now.
 */
bool gone_owner_is_younger(const struct explain *explain, const struct kernel_task *task, const struct kernel_wait *wait);

/* Cuts the chain at an owner that cannot be: a task that is younger than the wait for what it holds. */
void gone_owner_cut(const struct explain *explain, struct kernel_chain *chain);

/*
 * Owners of the chain that the dump lacks: their age cannot be read. The claim is weaker, unless the trace has them before the wait.
 */
void gone_owner_doubt(struct explain *explain, const struct kernel_chain *chain);

/* The end of the chain waits for what such a task holds. */
void gone_owner_claim(struct explain *explain, const struct kernel_chain *chain);

/* The same, of a machine that was made to crash: a note. */
void gone_owner_note(struct explain *explain, const struct kernel_task *task, const struct kernel_wait *wait);

#endif
