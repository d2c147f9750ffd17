// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu_claims.h"

#include <stdio.h>
#include <string.h>

#include "judge/words.h"
#include "kernel_state/tasks.h"

/* The name of "task:sh              state:R  running task     stack:0     pid:113   ppid:97     flags:0x00000000" */
static bool is_task_line(struct report_text line, u64 pid, char comm[WORDS_TASK])
{
	const char *task = memmem(line.text, line.len, "task:", 5), *end = line.text + line.len;
	const char *state = task ? memmem(task, end - task, " state:", 7) : NULL, *number = state ? memmem(state, end - state, " pid:", 5) : NULL;

	if (!number || report_text_number(line, number + 5, 10) != pid)
		return false;
	while (state > task + 5 && state[-1] == ' ')
		state--;
	snprintf(comm, WORDS_TASK, "%.*s", (int)(state - task - 5), task + 5);
	return true;
}

#define PIECES	3

/* The same, of a line whose pieces are lines of their own. @from: behind the first */
static bool is_dump_of(const struct explain *explain, struct report_text line, u32 from, u64 pid, char comm[WORDS_TASK])
{
	char text[256];
	size_t len = snprintf(text, sizeof(text), "%.*s", line.len < 80 ? (int)line.len : 80, line.text);

	if (report_text_has(line, " pid:"))
		return is_task_line(line, pid, comm);
	for (u32 i = 1; i < PIECES && !strstr(text, " pid:"); i++) {
		line = fault_text_line(explain->death, explain->cause, "", &from);
		len += snprintf(text + len, sizeof(text) - len, "%.*s", line.len < 80 ? (int)line.len : 80, line.text ?: "");
	}
	return is_task_line((struct report_text){ text, len }, pid, comm);
}

/* An interrupt: what came into the kernel by a call or a fault of the task works for it. */
static bool is_entry(struct report_text line)
{
	return report_text_has(line, " asm_sysvec_") || report_text_has(line, " asm_common_interrupt+");
}

/* Had the kernel's dump of that task an interrupt that came into user space? Its entry stands right in front of that place. */
static bool is_in_user_space(const struct explain *explain, u64 pid, char comm[WORDS_TASK], struct report_text *place)
{
	bool is_its = false, is_behind_entry = false;
	struct report_text line;
	u32 from = 0;

	while ((line = fault_text_line(explain->death, explain->cause, "", &from)).text) {
		if (report_text_has(line, "task:"))
			is_its = is_dump_of(explain, line, from, pid, comm);
		*place = line;
		if (is_its && report_text_has(line, "RIP: "))
			return is_behind_entry && report_text_has(line, "RIP: 0033:");
		is_behind_entry = is_entry(line);
	}
	return false;
}

/* "WARNING: CPU: 0 PID: 113 at kernel/rcu/tree_plugin.h:320 rcu_note_context_switch+0x4ee/0x650": the first of the task */
static void add_warning(struct explain *explain, u64 pid)
{
	const struct death *death = explain->death;
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < death->reports.nr; i++) {
		const struct kernel_report *report = &death->reports.list[i];

		words_function(function, report->place);
		if (report->kind != KERNEL_REPORT_WARNING || strcmp(function, "rcu_note_context_switch") || !report->pid.text ||
		    report_text_number(report->pid, report->pid.text, 10) != pid)
			continue;
		words_line_evidence(explain, "it had it already when the kernel warned: ", report->title);
		return;
	}
}

/* What the memory has of it; 0: not known */
static u32 read_locks_of(const struct explain *explain, u64 pid)
{
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	u64 nesting = 0;

	if (!explain->pm->kernel || kernel_tasks_open(&tasks, explain->pm->kernel, &err))
		return 0;
	for (u32 i = 0; i < tasks->nr; i++)
		if ((u64)tasks->list[i].pid == pid &&
		    !kernel_state_member(explain->pm->kernel, "task_struct", "rcu_read_lock_nesting", tasks->list[i].va, &nesting))
			nesting = 0;
	kernel_tasks_close(tasks);
	return (u32)nesting;
}

bool user_reader_claim(struct explain *explain, u64 pid, bool has_others)
{
	struct finding *finding = explain->finding;
	struct report_text place;
	char comm[WORDS_TASK];
	u32 count;

	if (!pid || !is_in_user_space(explain, pid, comm, &place))
		return false;
	finding_claim(finding, "rcu-stall", FINDING_SHOWN,
		      "RCU waited for the task %s-%llu%s, which is in user space and still within rcu_read_lock(): something that it had run in the kernel came back without rcu_read_unlock().",
		      comm, pid, has_others ? " and others" : "");
	finding_open(finding, "Which function: it is on the stack no more. A way with an error, of a system call or a fault of this task. What it does now is innocent.");
	words_line_evidence(explain, "the interrupt came into user space: ", place);
	count = read_locks_of(explain, pid);
	if (count)
		finding_evidence_timeless(finding, "by the dump %s-%llu has taken rcu_read_lock() %u time%s more than it gave it back", comm, pid, count, count == 1 ? "" : "s");
	add_warning(explain, pid);
	return true;
}
