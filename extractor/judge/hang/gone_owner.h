/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks whose owner has ended. */
#ifndef EPITAPH_JUDGE_GONE_OWNER_H
#define EPITAPH_JUDGE_GONE_OWNER_H

#include "owners.h"

#include "fault/lock_flow.h"

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

/* The locks that @wait is for, by who holds them; false: none that a function takes and gives back. */
bool left_lock_family(enum lock_family *family, const struct kernel_wait *wait);

/**
 * left_lock_find() - the function of a module that leaves the lock held
 * @name: of it, "volume_set+0x0/0x60 [dsp_volume]"
 * @place: any function of the module, as a frame has it
 * @lock: its address; 0: not known
 *
 * One way through it comes back with the lock; no other function of the module is so, and none gives back what it has not taken, as
 * those do that belong to one that is meant to come back with a lock.
 * Return: false: there is none, there are more, or it is not known.
 */
bool left_lock_find(char name[KERNEL_SYMBOL_MAX], const struct kernel *kernel, struct report_text place, enum lock_family family,
		    u64 lock);

/* The chain ends with a lock that is held by none that is in it: the claim, if one function leaves it so. */
bool left_lock_claim(struct explain *explain, const struct owners *owners, const struct kernel_task *waiter, const struct kernel_wait *wait,
		     const struct kernel_task *owner);

#endif
