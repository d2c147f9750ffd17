/* SPDX-License-Identifier: GPL-2.0-only */
/* What a CPU was doing when it was stopped. */
#ifndef EPITAPH_CRASH_CPU_STATE_H
#define EPITAPH_CRASH_CPU_STATE_H

#include <linux/types.h>

struct pt_regs;

/**
 * epitaph_cpu_save() - registers and stack of this CPU, into the region
 * @cpu: this one
 * @regs: where to begin; those of an exception, an interrupt or a call
 * @entered: they are those that a hook got, at the entry of a function
 *
 * The first call for a CPU counts.
 *
 * Context: any, NMI included; the CPU does not come back to what it was doing.
 */
void epitaph_cpu_save(unsigned int cpu, struct pt_regs *regs, bool entered);

/**
 * epitaph_cpu_save_panic() - the stack of this CPU from where it called panic()
 * @cpu: this one
 *
 * For where no hook has seen that.
 *
 * Context: called by panic().
 */
void epitaph_cpu_save_panic(unsigned int cpu);

#endif /* EPITAPH_CRASH_CPU_STATE_H */
