// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks that wait too long, and CPUs that do nothing else for too long. */
#include <string.h>

#include "cpu_stack.h"
#include "lock_owners.h"
#include "words.h"

#define MOST_TASKS	4	/* as evidence; locks and their owners need room too */

/* --- what is waited for -------------------------------------------------- */

struct wait_word {
	const char *function;
	const char *what;
};

/* Functions that begin so, the most telling first. */
static const struct wait_word wait_words[] = {
	{ "mutex_lock", "a mutex" }, { "__mutex_lock", "a mutex" }, { "ww_mutex", "a mutex" },
	{ "rwsem_down_read", "a read-write semaphore, to read" }, { "down_read", "a read-write semaphore, to read" },
	{ "rwsem_down_write", "a read-write semaphore, to write" }, { "down_write", "a read-write semaphore, to write" },
	{ "percpu_down", "a per-CPU semaphore" }, { "__down", "a semaphore" }, { "rt_mutex", "an rt-mutex" },
	{ "folio_wait", "a page, or its input or output" }, { "__folio_lock", "a page" },
	{ "wait_on_page", "a page, or its input or output" }, { "io_schedule", "input or output" },
	{ "blk_", "a disk" }, { "submit_bio_wait", "a disk" }, { "jbd2_", "the journal of a file system" },
	{ "__flush_work", "a work item" }, { "flush_work", "a work item" }, { "synchronize_rcu", "RCU" }, { "synchronize_net", "RCU" }, { "synchronize_srcu", "SRCU" },
	{ "__wait_rcu_gp", "RCU" }, { "wait_for_completion", "a completion" },
	{ "__wait_for_common", "a completion" },
};

static const char *waits_for(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	for (size_t k = 0; k < ARRAY_SIZE(wait_words); k++)
		for (u32 i = 0; i < report->nr_frames; i++) {
			words_function(function, report->frames[i]);
			if (!strncmp(function, wait_words[k].function, strlen(wait_words[k].function)))
				return wait_words[k].what;
		}
	return NULL;
}

/* --- hung tasks ---------------------------------------------------------- */

/* "NAME:PID" of "INFO: task NAME:PID blocked for more than 120 seconds.". */
static bool hung_task_of(struct report_text title, char name[WORDS_TASK], u64 *pid)
{
	const char *begin = memmem(title.text, title.len, "task ", 5), *end, *colon;

	end = begin ? memmem(begin, title.text + title.len - begin, " blocked for", 12) : NULL;
	colon = end ? memrchr(begin, ':', end - begin) : NULL;
	if (!colon)
		return false;
	*pid = words_number(title, colon + 1, 10);
	snprintf(name, WORDS_TASK, "%.*s-%llu", (int)(colon - begin - 5), begin + 5, *pid);
	return true;
}

static void ask_of_hung_tasks(struct explain *explain)
{
	const struct death *death = explain->death;
	char name[WORDS_TASK];
	u64 pid;

	for (s64 i = death->first_blocked; i <= death->cause; i++)
		if (hung_task_of(death->reports.list[i].title, name, &pid))
			history_ask_task(&explain->history, pid);
}

static void add_hung_task(struct explain *explain, const struct kernel_report *report)
{
	struct report_text frame = words_frame(report, words_is_of_waiting);
	const char *what = waits_for(report) ?: "something";
	const struct history_task *task;
	char name[WORDS_TASK], place[2 * WORDS_FUNCTION];
	u64 pid;

	if (!hung_task_of(report->title, name, &pid))
		return;
	words_place(place, frame);
	task = history_task(&explain->history, pid);
	if (task && task->out && !task->woken)
		finding_evidence(explain->finding, task->out,
				 "%s was switched out on CPU %u, waits for %s in %s, and was never woken", name,
				 task->out_cpu, what, place);
	else if (task && task->out)
		finding_evidence(explain->finding, task->out, "%s was switched out on CPU %u, waits for %s in %s", name,
				 task->out_cpu, what, place);
	else
		finding_evidence(explain->finding, report->time, "%s waits for %s in %s", name, what, place);
	for (u32 i = 0; i < report->nr_lines; i++)
		if (report_text_has(report->lines[i], "likely owned by"))
			finding_evidence(explain->finding, report->time, "%.*s", WORDS(report->lines[i]));
}

bool judge_hung_task(struct explain *explain)
{
	const struct death *death = explain->death;
	struct finding *finding = explain->finding;
	const struct kernel_report *first;
	char name[WORDS_TASK] = "a task", place[2 * WORDS_FUNCTION];
	const char *what;
	u64 pid = 0;
	u32 nr;

	if (!explain->cause || explain->cause->kind != KERNEL_REPORT_HUNG_TASK)
		return false;
	first = &death->reports.list[death->first_blocked];
	nr = death->cause - death->first_blocked + 1;
	hung_task_of(first->title, name, &pid);
	finding->is_noticed = true;
	what = waits_for(first);
	words_place(place, words_frame(first, words_is_of_waiting));
	if (nr > 1)
		finding_claim(finding, "hung-task", FINDING_SHOWN,
			      "%u tasks waited too long; the first that was found, %s, waits for %s in %s.", nr, name,
			      what ?: "something", place);
	else
		finding_claim(finding, "hung-task", FINDING_SHOWN, "The task %s waited too long for %s in %s.", name,
			      what ?: "something", place);
	finding_open(finding, "Who holds it, or should have woken the task: a task that waits is not the culprit.");
	for (u32 i = 0; i < nr && i < MOST_TASKS; i++)
		add_hung_task(explain, &death->reports.list[death->first_blocked + i]);
	if (explain->panic)
		finding_evidence(finding, explain->panic->time, "%.*s", WORDS(explain->panic->title));
	if (pid)
		lock_owners_add(explain, pid);
	if (pid)
		finding_next(finding, "epitaph report --pid %llu --all FILE", pid);
	return true;
}

/* --- lockups ------------------------------------------------------------- */

static bool is_spinning(const char *function)
{
	static const char *const words[] = {
		"native_queued_spin_lock", "queued_spin_lock", "_raw_spin_lock", "do_raw_spin_lock",
		"pv_queued_spin", "__pv_queued", "queued_read_lock", "queued_write_lock", "_raw_read_lock",
		"_raw_write_lock", "kvm_wait", "pv_wait", NULL,
	};

	return words_begins(function, words);
}

static bool spins(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	if (*function)
		return is_spinning(function);
	words_function(function, words_frame(report, words_is_of_dying));
	return is_spinning(function);
}

/* "CPU#1", "on cpu 1". */
static bool locked_up_cpu(struct report_text title, u32 *cpu)
{
	static const char *const words[] = { "CPU#", "on cpu ", "CPU " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *at = memmem(title.text, title.len, words[i], strlen(words[i]));

		at = at ? at + strlen(words[i]) : NULL;
		if (at && at < title.text + title.len && *at >= '0' && *at <= '9') {
			*cpu = words_number(title, at, 10);
			return true;
		}
	}
	return false;
}

/* Since when it ran what it ran. */
static void add_last_switch(struct explain *explain, u32 nr)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, nr);

	if (cpu && cpu->switched)
		finding_evidence(explain->finding, cpu->switched, "CPU %u switched to %s-%llu, and to no other task after that",
				 nr, cpu->comm, cpu->pid);
	else if (explain->history.has_switches)
		finding_note(&explain->finding->not_found, "a task switch of CPU %u in the trace", nr);
}

/* "a softirq" or "an interrupt", in which the CPU was: the task was only interrupted; NULL: neither. */
static const char *interrupted_by(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (!strcmp(function, "__do_softirq") || !strcmp(function, "handle_softirqs"))
			return "a softirq";
		if (!strcmp(function, "__handle_irq_event_percpu") || !strcmp(function, "handle_irq_event"))
			return "an interrupt";
	}
	return NULL;
}

bool judge_lockup(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	struct report_text at;
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK];
	const char *kind, *context;
	bool is_hard;
	u32 cpu = 0;

	if (!report || report->kind != KERNEL_REPORT_LOCKUP)
		return false;
	is_hard = report_text_has(report->title, "hard LOCKUP") || report_text_has(report->title, "Hard LOCKUP");
	kind = is_hard ? "hard-lockup" : "soft-lockup";
	locked_up_cpu(report->title, &cpu);
	words_task(task, report);
	context = interrupted_by(report);
	at = spins(report) || !report->place.text ? words_frame(report, words_is_of_waiting) : report->place;
	words_place(place, at);
	if (spins(report))
		finding_claim(finding, "spinning", FINDING_SHOWN,
			      "CPU %u, task %s, waited for a spinlock in %s that is not given back.",
			      cpu, *task ? task : "unknown", place);
	else if (context)
		finding_claim(finding, kind, FINDING_SHOWN,
			      "CPU %u was in %s, in %s, and let no task run for too long; it had interrupted %s.", cpu,
			      context, place, *task ? task : "a task");
	else if (is_hard)
		finding_claim(finding, kind, FINDING_SHOWN,
			      "CPU %u, task %s, ran in %s with interrupts off for too long.", cpu, *task ? task : "unknown",
			      place);
	else
		finding_claim(finding, kind, FINDING_SHOWN,
			      "CPU %u ran the task %s in %s and let no other task run for too long.", cpu,
			      *task ? task : "unknown", place);
	finding_open(finding, spins(report) ? "Who holds the lock: another context, or this one itself, which took it twice." :
					      "Why it did not come to an end.");
	words_report_evidence(explain, report);
	add_last_switch(explain, cpu);
	finding->is_noticed = cpu != explain->pm->end.cpu;
	if (finding->is_noticed)
		finding_next(finding, "epitaph report --cpu %u FILE", cpu);
	return true;
}

/* --- RCU ----------------------------------------------------------------- */

/* The CPU of "rcu: \t1-....: (2100 ticks this GP)". */
static bool stalled_cpu_of(const struct kernel_report *report, u32 *cpu)
{
	for (u32 i = 0; i < report->nr_lines; i++) {
		const char *at = report->lines[i].text, *end = at + report->lines[i].len;

		if (report->lines[i].len > 4 && !memcmp(at, "rcu:", 4))
			at += 4;
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (at == end || *at < '0' || *at > '9')
			continue;
		*cpu = 0;
		for (; at < end && *at >= '0' && *at <= '9' && *cpu < 100000; at++)
			*cpu = *cpu * 10 + (*at - '0');
		if (at < end && *at == '-')
			return true;
	}
	return false;
}

bool judge_rcu_stall(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK];
	bool is_known;
	u32 cpu;

	if (!report || report->kind != KERNEL_REPORT_RCU_STALL)
		return false;
	is_known = stalled_cpu_of(report, &cpu);
	if (is_known) {
		explain->completed = *report;
		if (cpu_stack_find(&explain->completed, explain->death, cpu))
			explain->cause = report = &explain->completed;
	}
	words_place(place, report->place.text && !spins(report) ? report->place :
							     words_frame(report, words_is_of_waiting));
	words_task(task, report);
	words_report_evidence(explain, report);
	if (is_known) {
		finding_claim(finding, "rcu-stall", FINDING_SHOWN,
			      "CPU %u kept RCU waiting for too long, in %s%s%s.", cpu, place,
			      *task ? ", task " : "", task);
		add_last_switch(explain, cpu);
		finding->is_noticed = cpu != explain->pm->end.cpu;
		if (finding->is_noticed)
			finding_next(finding, "epitaph report --cpu %u FILE", cpu);
	} else {
		finding_claim(finding, "rcu-stall", FINDING_SHOWN,
			      "RCU waited for too long, for a task that was preempted or for its own thread; the kernel names no CPU.");
	}
	finding_open(finding, "Why the code there did not come to an end.");
	return true;
}

/* What the walk along the timeline is to look for. */
void stuck_ask(struct explain *explain)
{
	if (explain->cause && explain->cause->kind == KERNEL_REPORT_HUNG_TASK)
		ask_of_hung_tasks(explain);
}
