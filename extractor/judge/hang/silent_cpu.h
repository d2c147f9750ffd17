/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU that ran a task with interrupts off until the end, or an interrupt without end: no watchdog of its own can
 * see that, and others pay for it.
 */
#ifndef EPITAPH_JUDGE_SILENT_CPU_H
#define EPITAPH_JUDGE_SILENT_CPU_H

#include "judge/finding.h"
#include "judge/stopped_cpu.h"

struct explain;

/**
 * struct silent_cpu - the CPU
 * @ns: that it recorded nothing before the end, not even a tick of its clock
 * @strength: that it is the one: FINDING_LIKELY, or FINDING_POSSIBLE if others are silent as well or
 *	events were lost
 * @task: "comm-pid" that it ran
 * @repeats: how often it ran one and the same timer within an interrupt, whose function is @function; 0: it did
 *	nothing of the kind, and was silent
 * @stack: of it, at the end
 */
struct silent_cpu {
	u32 cpu;
	u64 ns;
	enum finding_strength strength;
	char task[40];
	u64 repeats;
	char function[128];
	struct stopped_cpu stack;
};

/*
 * The one that was silent for longest, of those whose registers say that interrupts were off, and that
 * do not wait for another CPU themselves. @since: it must have been silent by then. False: there is
 * none, but @except.
 */
bool silent_cpu_find(struct silent_cpu *silent, const struct explain *explain, u32 except, u64 since);

/* The same of those that wait for a spinlock, in an interrupt or not: they answer nothing, and are no cause. */
bool silent_cpu_find_spinning(struct silent_cpu *silent, const struct explain *explain, u32 except, u64 since);

/* Where it stood; of one that waits for a spinlock, what called that. */
struct report_text silent_cpu_place(const struct silent_cpu *silent);

/* What the interrupt on it came into; a text of NULL: it is in none. */
struct report_text silent_cpu_interrupted(const struct silent_cpu *silent);

/* "CPU 0, task holder-112, in hold_lock() of module m" */
void silent_cpu_put(char *text, size_t size, const struct silent_cpu *silent);

/*
 * By the kernel's own line, the only CPU that did not stop for the panic, "SMP: failed to stop secondary CPUs 1", whose last event is
 * not behind @since, but for some ticks: its registers are nowhere. @ns: since its last event
 */
bool silent_cpu_find_unstopped(u32 *cpu, u64 *ns, const struct explain *explain, u64 since);

#endif
