/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a CPU did that did nothing else: each is in the file of its name. */
#ifndef EPITAPH_JUDGE_HANG_CPU_CLAIMS_H
#define EPITAPH_JUDGE_HANG_CPU_CLAIMS_H

#include "judge/judge.h"

/* Does the CPU of the report wait for a spinlock or a read-write lock? */
bool cpu_spins(const struct explain *explain, const struct kernel_report *report);

/* Or until another one has answered its interrupt? */
bool cpu_waits_for_answer(const struct kernel_report *report);

/*
 * After the claim that CPU @cpu, of the report, did nothing else: it was in the same interrupt, at the same place, when the kernel asked
 * and when it was stopped, as one comes after the other. False: it was not, or one of the two is not known.
 */
bool irq_storm_claim(struct explain *explain, u32 cpu);

/*
 * After the same claim: it, or the other CPU that does something, waits in a loop of the kernel's for the end of a timer's function, a
 * tasklet's or an interrupt handler that the other one runs, or that it runs itself. False: neither does, or that is not known.
 */
bool end_wait_claim(struct explain *explain, u32 cpu);

/*
 * Of the place of the report, a loop without an end: what it polls, as evidence, and in what the claim leaves open; or the list whose head
 * it does not meet. By the code that is here.
 */
void poll_loop_add(struct explain *explain);

/*
 * The claim, if the task @pid, for which RCU waits, was in user space within rcu_read_lock() by the kernel's own dump of it. Of x86-64.
 */
bool user_reader_claim(struct explain *explain, u64 pid, bool has_others);

#endif
