/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chains of tasks that wait for each other, and their claims: each is in the file of its name. */
#ifndef EPITAPH_JUDGE_HANG_CHAIN_CLAIMS_H
#define EPITAPH_JUDGE_HANG_CHAIN_CLAIMS_H

#include "owners.h"

/**
 * lock_owners_add() - follow the waits of a task to their end, out of the memory in a vmcore
 * @pids: of the task, and of nr - 1 others that hang
 *
 * Adds what each task on the way waits for, and who holds it, as evidence; the claim names the cycle,
 * or the task at the end.  Of the others what each waits for is evidence.
 *
 * Return: false: there is no memory, no wait proves itself, or the last lock's owner is not there.
 */
bool lock_owners_add(struct explain *explain, const u64 *pids, u32 nr);

/*
 * The claim of the chain that lines of the log make, from the task @pid on, or of a deadlock that they show where there is none: the
 * kernel's own since 6.15, the recorder's before. @only_deadlock: the memory knows more of all else
 */
bool said_owners_claim(struct explain *explain, u64 pid, bool only_deadlock);

/* The chain ends in the queue of a mempool, all of whose elements are with tasks that wait for another. */
void pool_wait_claim(struct explain *explain, const struct owners *owners);

/* The claim of a chain that is a circle. */
void lock_cycle_claim(struct explain *explain, const struct owners *owners);

/* Notes each circle that is sure of a machine that was made to crash. */
void lock_cycle_note(struct explain *explain, const struct owners *owners);

/*
 * What the end of a chain waits for, when that is no lock of another task: work, pages, RCU, programs, disks. Claims, or leaves open,
 * what the memory says of it.
 */
void waited_for_claim(struct explain *explain, const struct owners *owners);

/*
 * Tasks that wait for themselves, though for no lock: for a work item, a reader, or a callback that they are. Does the last task of the
 * chain, or else one of the @nr of @pids? Then that is the claim.
 */
void own_wait_claim(struct explain *explain, const struct owners *owners, const u64 *pids, u32 nr);

/*
 * What the last task of the chain waits for cannot come, by the code of its module or by the memory: a lock that was set up anew, a
 * variable whose change none tells, a thread that does not ask whether it has to park, a tasklet that is disabled.
 */
void unmet_wait_claim(struct explain *explain, const struct owners *owners);

/* Does a task wait so by its call trace alone? In words, behind "it ..."; NULL: it does not. Another task may do the same, and be what it waits for. */
const char *own_wait_words(const struct kernel_report *report);

/* The chain ends in a completion that the last reference of a percpu_ref gives, of which some are left. */
void left_reference_claim(struct explain *explain, const struct owners *owners);

/* The chain ends with a task that waits for a dma_fence which was not signalled. */
void fence_claim(struct explain *explain, const struct owners *owners);

/* The chain ends with a task that sleeps for a time which is so long that it began as a number below zero, by the timer on its stack. */
void long_sleep_claim(struct explain *explain, const struct owners *owners);

/* The chain ends with a thread that idles, and has lost the request of the task in front of it. */
void lost_request_claim(struct explain *explain, const struct owners *owners);

/* The chain ends with a task in a module's function, which that module wakes in a way that passes over it. */
void deaf_wait_claim(struct explain *explain, const struct owners *owners);

/*
 * Asks the history when the functions of a module ran that complete what one of its functions waits for. @place: of the wait,
 * "function+0x1/0x20 [module]". Out of a dump alone.
 */
void completers_ask(struct explain *explain, struct report_text place);

/* What is known of them, of the last task of the chain: as evidence, and in the claim if it was too early. */
void completers_claim(struct explain *explain, const struct owners *owners);

#endif
