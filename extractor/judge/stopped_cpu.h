/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack of a CPU at the end, as the recorder kept it. Of the one that died it is what the kernel's
 * lines lack where a panic prints no call trace (a kernel that had an oops before), or where the log
 * was cut.
 */
#ifndef EPITAPH_JUDGE_STOPPED_CPU_H
#define EPITAPH_JUDGE_STOPPED_CPU_H

#include <epitaph/format.h>

#include "linux_kernel/kernel_report.h"
#include "timeline/postmortem.h"

/**
 * struct stopped_cpu - the stack
 * @text: what @frames point into
 * @frames: nr_frames functions, the innermost first, from the one that died on: without those of
 *	dying itself and of the exception that led there
 * @irqs_off: its registers, of x86-64 or arm64, say so
 * @argument: what the register of the first argument has there; 0: not known
 */
struct stopped_cpu {
	char text[sizeof(((struct epitaph_cpu *)0)->text)];
	struct report_text frames[KERNEL_REPORT_FRAMES];
	u32 nr_frames;
	bool irqs_off;
	u64 argument;
};

/* Of the CPU @cpu. False: the file does not have it. */
bool stopped_cpu_read(struct stopped_cpu *stopped, const struct postmortem *pm, u32 cpu);

/* Did it stand where a CPU waits for work? */
bool stopped_cpu_is_idle(const struct stopped_cpu *stopped);

/* What the interrupt on it came into; a text of NULL: it is in none. */
struct report_text stopped_cpu_interrupted(const struct stopped_cpu *stopped);

/* Does a CPU wait for work in that function? */
bool stopped_cpu_idles_in(const char *function);

/* The tick of a clock looks at what it came into, and may panic for it: the stack without it and all that it called. */
void stopped_cpu_drop_tick(struct stopped_cpu *stopped);

#endif
