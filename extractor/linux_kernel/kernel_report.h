/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel printed about one fault: an oops, a BUG, a warning, a stall, a panic.
 *
 * Pure functions on lines of a log: anything may stand in them, and lines may lack.  The words
 * that are looked for are those of Linux 5.10 to 7.2 (kernel/panic.c, lib/bug.c,
 * kernel/hung_task.c, kernel/watchdog.c, kernel/rcu/tree_stall.h, mm/oom_kill.c,
 * arch/x86/kernel/dumpstack.c and traps.c, arch/arm64/kernel/traps.c).
 */
#ifndef EPITAPH_LINUX_KERNEL_KERNEL_REPORT_H
#define EPITAPH_LINUX_KERNEL_KERNEL_REPORT_H

#include "base/err.h"

#define KERNEL_REPORT_NO_CALLER	(~0ULL)

/**
 * struct report_line - one line of the log
 * @time: CLOCK_MONOTONIC, ns
 * @caller: the task or CPU that printed it, any number that tells them apart;
 *	KERNEL_REPORT_NO_CALLER: unknown
 * @text: @len bytes without time and caller; not escaped
 */
struct report_line {
	u64 time;
	u64 caller;
	const char *text;
	u32 len;
};

/* Part of a line; a @text of NULL: there is none. */
struct report_text {
	const char *text;
	u32 len;
};

enum kernel_report_kind {
	KERNEL_REPORT_PANIC,		/* "Kernel panic - not syncing: ..." */
	KERNEL_REPORT_OOPS,		/* a fault or a BUG(), with "[#1]"; a task ends of it, or the kernel */
	KERNEL_REPORT_BUG,		/* "BUG: ..." that ends nothing by itself */
	KERNEL_REPORT_WARNING,
	KERNEL_REPORT_HUNG_TASK,
	KERNEL_REPORT_LOCKUP,		/* soft or hard */
	KERNEL_REPORT_RCU_STALL,
	KERNEL_REPORT_OOM,
	KERNEL_REPORT_FILESYSTEM,	/* "EXT4-fs error (device vdb): ..." */
};

#define KERNEL_REPORT_LINES	6
#define KERNEL_REPORT_FRAMES	16

/**
 * struct kernel_report - one
 * @time: of its first line
 * @caller: of its lines
 * @title: the line that names it
 * @lines: further lines that say what was wrong, nr_lines of them, in the kernel's order
 * @before: the line that the same caller printed just before; what it has to do with it is not known
 * @cpu: "0" of "CPU: 0 PID: 7 Comm: sh Tainted: ..."
 * @comm: "sh" of it
 * @pid: "7" of it
 * @place: "function+0x1/0x20 [module]" where the CPU stood
 * @frames: of its first call trace, without those marked "?"; innermost first
 */
struct kernel_report {
	enum kernel_report_kind kind;
	u64 time;
	u64 caller;
	struct report_text title;
	struct report_text lines[KERNEL_REPORT_LINES];
	u32 nr_lines;
	struct report_text before;
	struct report_text cpu;
	struct report_text comm;
	struct report_text pid;
	struct report_text place;
	struct report_text frames[KERNEL_REPORT_FRAMES];
	u32 nr_frames;
};

/**
 * struct kernel_reports - those of one log, in its order
 * @nr_dropped: the oldest ones, beyond what is kept
 */
struct kernel_reports {
	struct kernel_report *list;
	u32 nr;
	u32 nr_dropped;
};

/**
 * kernel_reports_read() - find them
 * @reports: for kernel_reports_free()
 * @lines: @nr of them by time; must outlive @reports
 *
 * Return: 0, or -ERR_IO without memory.
 */
int kernel_reports_read(struct kernel_reports *reports, const struct report_line *lines, u32 nr,
			struct err *err);

void kernel_reports_free(struct kernel_reports *reports);

/* The text of panic(): the title behind "not syncing: "; only of KERNEL_REPORT_PANIC. */
struct report_text kernel_report_panic_text(const struct kernel_report *report);

/**
 * kernel_reports_cause() - which report a panic was called for
 * @panic: its text; of "Fatal exception" the last oops, of "hung_task: blocked tasks" the last of
 *	the tasks that were found blocked, and so on
 * @end: index of the first report that came later
 *
 * Return: its index; -1: none, the text of panic() says all there is.
 */
s64 kernel_reports_cause(const struct kernel_reports *reports, struct report_text panic, u32 end);

/* Does @text hold @word? */
bool report_text_has(struct report_text text, const char *word);

/* Are they the same bytes? */
bool report_text_same(struct report_text a, struct report_text b);

#endif
