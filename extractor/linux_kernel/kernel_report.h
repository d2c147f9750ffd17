/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel printed about one fault: an oops, a BUG, a warning, a stall, a panic.
 *
 * Pure functions on lines of a log. A log may hold anything, and lines may be missing. The words
 * looked for are those of Linux 5.10 to 7.2 (kernel/panic.c, lib/bug.c,
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
 * @caller: a number for the task or CPU that printed it; KERNEL_REPORT_NO_CALLER: unknown
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
	KERNEL_REPORT_OOPS,		/* a fault or a BUG(), with "[#1]": fatal for a task or the kernel */
	KERNEL_REPORT_BUG,		/* "BUG: ...", not fatal by itself */
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
 * struct kernel_report - one fault, as the kernel reported it
 * @time: of its first line
 * @end: of its last line, as far as they are known to be its own
 * @caller: of its lines
 * @title: the line that names it
 * @lines: further lines that say what was wrong, nr_lines of them, in the kernel's order
 * @words_behind: of a warning without a line in front of its title: the line between that and the modules
 * @before: the line that the same caller printed just before; it may be unrelated
 * @cpu: "0" of "CPU: 0 PID: 7 Comm: sh Tainted: ..."
 * @comm: "sh" of it
 * @pid: "7" of it
 * @place: "function+0x1/0x20 [module]" where the CPU stood
 * @link: of arm64, while its call trace was not seen to have that: what the link register returns to, if another function
 *	is there than @place's. It called that, which has no frame, or jumped to where no code is
 * @guess: the first of the call trace, behind the entry of an exception, if the kernel marked it "?";
 *	it need not have called anything; a text of NULL: it did not
 * @frames: of its first call trace, without those marked "?", and without @place in front; innermost first
 * @has_tick: @frames hold the tick that noticed a stall or a lockup
 * @is_behind_tick: that was dropped; @frames are of what it interrupted
 * @interrupted: the place that an interrupt of that trace came to; a text of NULL: none was printed
 * @interrupted_frame: the first of @frames that belongs to it
 * @in_trace, @has_foreign, @is_aside, @is_place_next: of kernel_reports_read() alone: frames of it are being read; the line
 *	before was no frame; of a stall of RCU, these lines are of its own thread, or of a CPU that does not stall; the
 *	line before was the first piece of the one that has a place
 */
struct kernel_report {
	enum kernel_report_kind kind;
	u64 time;
	u64 end;
	u64 caller;
	struct report_text title;
	struct report_text lines[KERNEL_REPORT_LINES];
	u32 nr_lines;
	struct report_text words_behind;
	struct report_text before;
	struct report_text cpu;
	struct report_text comm;
	struct report_text pid;
	struct report_text place;
	struct report_text link;
	struct report_text guess;
	struct report_text frames[KERNEL_REPORT_FRAMES];
	u32 nr_frames;
	bool has_tick;
	bool is_behind_tick;
	struct report_text interrupted;
	u32 interrupted_frame;
	bool in_trace;
	bool has_foreign;
	bool is_aside;
	bool is_place_next;
};

/**
 * struct kernel_reports - all reports of one log, in its order
 * @nr_dropped: older reports that were dropped because there are too many
 */
struct kernel_reports {
	struct kernel_report *list;
	u32 nr;
	u32 nr_dropped;
};

/**
 * kernel_reports_read() - find the reports in the lines of a log
 * @reports: for kernel_reports_free()
 * @lines: @nr lines in the order of time; must outlive @reports
 *
 * Return: 0, or -ERR_IO without memory.
 */
int kernel_reports_read(struct kernel_reports *reports, const struct report_line *lines, u32 nr,
			struct err *err);

void kernel_reports_free(struct kernel_reports *reports);

/*
 * kernel_report_add_frame() - take a line of a call trace
 * @text: without blanks in front
 *
 * Return: false: it is none, and the trace is over.
 */
bool kernel_report_add_frame(struct kernel_report *report, struct report_text text);

/* The same of "RIP: 0010:function+0x1/0x20" and "CPU: 0 PID: 7 Comm: sh"; false: it is neither. */
bool kernel_report_add_place(struct kernel_report *report, struct report_text text);

/* The text of panic(): the title behind "not syncing: "; only of KERNEL_REPORT_PANIC. */
struct report_text kernel_report_panic_text(const struct kernel_report *report);

/* Is it "PANIC at zio.c:3759:zio_done()", by which ZFS stops a thread? The kernel goes on. */
bool kernel_report_is_of_zfs(const struct kernel_report *report);

/**
 * kernel_report_hung_task() - "NAME:PID" of "INFO: task NAME:PID blocked for more than 120 seconds."
 *
 * Return: a part of the title; a text of NULL: it is no KERNEL_REPORT_HUNG_TASK, or its line is damaged
 */
struct report_text kernel_report_hung_task(const struct kernel_report *report);

/**
 * kernel_reports_cause() - which report a panic was called for
 * @panic: the text of panic(). "Fatal exception" is called for the last oops, "hung_task: blocked
 *	tasks" for the last blocked task, and so on.
 * @end: index of the first report after the panic
 *
 * Return: the index of the report; -1: there is none
 */
s64 kernel_reports_cause(const struct kernel_reports *reports, struct report_text panic, u32 end);

/*
 * kernel_reports_complete_before() - of two CPUs that die at once, the one that came to print its oops
 * @i: index of a report
 *
 * Return: the index of the oops a short time before, if @i is an oops of which there is the title alone; else @i
 */
s64 kernel_reports_complete_before(const struct kernel_reports *reports, s64 i);

enum sanitizer { SANITIZER_NONE, SANITIZER_KASAN, SANITIZER_KFENCE, SANITIZER_KMSAN, SANITIZER_KCSAN, SANITIZER_UBSAN };

/* Which of them @title is of; @len: of what it begins with. */
enum sanitizer report_text_sanitizer(struct report_text title, u32 *len);

bool kernel_report_is_of_sanitizer(const struct kernel_report *report);

/* Of what lockdep says of locks and of RCU: kernel/locking/lockdep.c. It does not panic. */
bool kernel_report_is_of_lockdep(const struct kernel_report *report);

/* What stands behind the first @word in @text; a text of NULL: it does not have it. */
struct report_text report_text_behind(struct report_text text, const char *word);

/* Does @text hold @word? */
bool report_text_has(struct report_text text, const char *word);

/* Is it the line of die(), "Oops: 0000 [#1] SMP"? Of a program it is not. */
bool report_text_is_die(struct report_text text);

/* The number at @at in @text, of base 10 or 16; 0: there is none. */
u64 report_text_number(struct report_text text, const char *at, u32 base);

/* Are the bytes the same? */
bool report_text_same(struct report_text a, struct report_text b);

#endif
