/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel printed on sysrq-w and sysrq-t, of the tasks that were blocked, and on sysrq-l, of
 * the CPUs; docs/console.md.
 *
 * Pure functions on lines of a log, which may be anything.  The words are those of Linux 5.10 to 7.2
 * (kernel/sched/core.c, drivers/tty/sysrq.c, lib/nmi_backtrace.c).
 */
#ifndef EPITAPH_JUDGE_PRINTED_TASKS_H
#define EPITAPH_JUDGE_PRINTED_TASKS_H

#include "linux_kernel/kernel_report.h"

enum printed_key {
	PRINTED_BLOCKED = 'w',
	PRINTED_ALL = 't',
	PRINTED_CPUS = 'l',
};

/**
 * struct printed_task - a task in the state D, or what a CPU ran
 * @listing: index of the listing that it is of
 * @pid: of a task
 * @report: the title is the line that begins it; its call trace; of a CPU, CPU, task and place
 */
struct printed_task {
	u32 listing;
	u64 pid;
	struct kernel_report report;
};

/**
 * struct printed_listing - what one key printed
 * @time: of its first line
 * @first: index of its first task, of @nr
 */
struct printed_listing {
	enum printed_key key;
	u64 time;
	u32 first;
	u32 nr;
};

/**
 * struct printed_tasks - all of them, in the order of the log
 * @is_cut: there were more than are kept, and the oldest were dropped
 */
struct printed_tasks {
	struct printed_listing *listings;
	u32 nr_listings;
	struct printed_task *list;
	u32 nr;
	bool is_cut;
};

/**
 * printed_tasks_read() - find them in the lines of a log
 * @tasks: for printed_tasks_free()
 * @lines: @nr lines in the order of time; must outlive @tasks
 *
 * Return: 0, or -ERR_IO without memory.
 */
int printed_tasks_read(struct printed_tasks *tasks, const struct report_line *lines, u32 nr, struct err *err);

void printed_tasks_free(struct printed_tasks *tasks);

/* The name of a task; of a CPU, of the task that it ran. */
struct report_text printed_task_name(const struct printed_task *task);

/* Did the task stand where it does in the other listing: the same name, pid and call trace? */
bool printed_task_same(const struct printed_task *a, const struct printed_task *b);

/* The task with that pid in a listing; NULL: none. */
const struct printed_task *printed_tasks_find(const struct printed_tasks *tasks, const struct printed_listing *listing, u64 pid);

#endif
