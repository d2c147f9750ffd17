// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks that wait too long. */
#include <stdio.h>
#include <string.h>

#include "chain_claims.h"
#include "hang.h"
#include "kernel_state/last_run.h"
#include "kernel_state/tasks.h"
#include "judge/dead_irq.h"
#include "judge/quiet_work.h"
#include "long_run.h"
#include "judge/words.h"

#define MOST_TASKS	4	/* as evidence; locks and their owners need room too */

/* --- what is waited for -------------------------------------------------- */

struct wait_word {
	const char *function;
	const char *what;
};

/* Functions that begin so, the most telling first. */
static const struct wait_word wait_words[] = {
	{ "mutex_lock", "a mutex" }, { "__mutex_lock", "a mutex" }, { "ww_mutex", "a mutex" }, { "__ww_mutex", "a mutex" },
	{ "rwsem_down_read", "a read-write semaphore, to read" }, { "down_read", "a read-write semaphore, to read" },
	{ "rwsem_down_write", "a read-write semaphore, to write" }, { "down_write", "a read-write semaphore, to write" },
	{ "kthread_stop", "the end of a kernel thread" }, { "kthread_park", "a kernel thread to park itself" },
	{ "rpm_resume", "the suspend or resume of a device (runtime PM) to end" }, { "rpm_suspend", "the suspend of a device (runtime PM) to end" },
	{ "tasklet_kill", "a tasklet to have run" }, { "dma_fence_default_wait", "a fence (dma_fence) to be signalled" },
	{ "mnt_want_write", "a file system that is frozen or being frozen," }, { "sb_start_write", "a file system that is frozen or being frozen," },
	{ "percpu_down", "a per-CPU semaphore" }, { "percpu_rwsem_wait", "a per-CPU semaphore" }, { "__percpu_down", "a per-CPU semaphore" }, { "__down", "a semaphore" }, { "rt_mutex", "an rt-mutex" },
	{ "call_usermodehelper_exec", "a program of user space, which the kernel started," },
	{ "synchronize_irq", "the handlers of an interrupt to end" }, { "__synchronize_irq", "the handlers of an interrupt to end" },
	{ "kernfs_drain", "the other users of a file in sysfs" },
	{ "async_synchronize", "asynchronous functions, such as probes," },
	{ "blk_mq_freeze_queue_wait", "all requests of a disk" },
	{ "cpuhp_kick_ap", "a callback of CPU hotplug" },
	{ "request_wait_answer", "an answer of a FUSE server" }, { "rpc_wait_bit_killable", "an answer of an NFS or other RPC server" },
	{ "mempool_alloc", "an element of a mempool, of which all are in use," }, { "balance_dirty_pages", "dirty pages to be written" },
	{ "blk_mq_get_tag", "a free request of a disk" },
	{ "folio_wait", "a page, or its input or output" }, { "__folio_lock", "a page" },
	{ "wait_on_page", "a page, or its input or output" }, { "io_schedule", "input or output" },
	{ "blk_", "a disk" }, { "submit_bio_wait", "a disk" }, { "jbd2_", "the journal of a file system" },
	{ "__flush_work", "a work item" }, { "flush_work", "a work item" }, { "synchronize_rcu", "RCU" }, { "synchronize_net", "RCU" }, { "synchronize_srcu", "all readers of an SRCU to leave (srcu_read_unlock())," }, { "__synchronize_srcu", "all readers of an SRCU to leave (srcu_read_unlock())," }, { "srcu_barrier", "callbacks of an SRCU" },
	{ "__wait_rcu_gp", "RCU" }, { "out_of_line_wait_on_bit", "a bit to be cleared," }, { "bit_wait", "a bit to be cleared," }, { "wait_for_completion", "a completion" },
	{ "__wait_for_common", "a completion" }, { "msleep", "a time to pass" }, { "ssleep", "a time to pass" }, { "usleep_range", "a time to pass" },
};

const char *hung_task_wants(const struct kernel_report *report)
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

static bool hung_task_of(const struct kernel_report *report, char name[WORDS_TASK], u64 *pid)
{
	struct report_text task = kernel_report_hung_task(report);
	const char *colon = task.len ? memrchr(task.text, ':', task.len) : NULL;

	if (!colon)
		return false;
	*pid = report_text_number(task, colon + 1, 10);
	snprintf(name, WORDS_TASK, "%.*s-%llu", (int)(colon - task.text), task.text, *pid);
	return true;
}

struct report_text hung_task_place(const struct explain *explain, const struct kernel_report *report)
{
	struct report_text frame = words_frame(report, plumbing_is_of_waiting), line;
	char function[WORDS_FUNCTION];
	const char *at, *end;
	u32 from = 0;

	words_function(function, frame);
	if (strcmp(function, "process_one_work"))
		return frame;
	line = fault_text_line(explain->death, report, "Workqueue: ", &from);
	if (!line.text)
		return frame;
	end = line.text + line.len;
	at = (const char *)memmem(line.text, line.len, "Workqueue: ", 11) + 11;
	at = memchr(at, ' ', end - at);
	/* "Workqueue:  0x0 (events)": it runs none. */
	if (!at || ++at == end || *at == '(' || *at == '0')
		return frame;
	return (struct report_text){ at, end - at };
}

void hung_task_ask(struct explain *explain)
{
	const struct death *death = explain->death;
	char name[WORDS_TASK];
	u64 pid;

	if (!explain->cause || explain->cause->kind != KERNEL_REPORT_HUNG_TASK)
		return;
	for (s64 i = death->first_blocked; i <= death->cause; i++)
		if (hung_task_of(&death->reports.list[i], name, &pid))
			history_ask_task(&explain->history, pid);
	completers_ask(explain, hung_task_place(explain, &death->reports.list[death->first_blocked]));
}

static void add_hung_task(struct explain *explain, const struct kernel_report *report)
{
	struct report_text frame = hung_task_place(explain, report);
	const char *what = hung_task_wants(report) ?: "something";
	const struct history_task *task;
	char name[WORDS_TASK], place[2 * WORDS_FUNCTION];
	u64 pid;

	if (!hung_task_of(report, name, &pid))
		return;
	words_place(place, frame);
	task = history_task(&explain->history, pid);
	if (task && task->out && !task->woken)
		finding_evidence(explain->finding, task->out, finding_event(task->out_cpu, "sched:sched_switch"),
				 "%s was switched out on CPU %u, waits for %s in %s, and was never woken", name,
				 task->out_cpu, what, place);
	else if (task && task->out)
		finding_evidence(explain->finding, task->out, finding_event(task->out_cpu, "sched:sched_switch"),
				 "%s was switched out on CPU %u, waits for %s in %s", name, task->out_cpu, what, place);
	else
		finding_evidence(explain->finding, report->time, finding_line(report->title.text, report->title.len),
				 "%s waits for %s in %s", name, what, place);
	for (u32 i = 0; i < report->nr_lines; i++)
		if (report_text_has(report->lines[i], "likely owned by") || report_text_has(report->lines[i], "likely last held by"))
			words_line_evidence(explain, "", report->lines[i]);
}

/* Kernel threads of a CPU cannot run beside a task that has a real-time priority and does not sleep. */
static void note_realtime(struct explain *explain, u64 pid)
{
	const struct history_task *waiter = history_task(&explain->history, pid);
	u64 end = explain->pm->end.time;

	for (u32 i = 0; i < explain->history.nr_cpus; i++) {
		const struct history_cpu *cpu = history_cpu(&explain->history, i);

		if (!cpu || !cpu->switched || !cpu->is_realtime || !cpu->pid || cpu->migration || end < cpu->switched + LONG_RUN_NS)
			continue;
		/* What began after the wait did not cause it. */
		if (!waiter || !waiter->out || cpu->switched > waiter->out)
			continue;
		finding_evidence(explain->finding, cpu->switched, finding_event(i, "sched:sched_switch"),
				 "CPU %u switched to %s-%llu, of real-time priority, and to %s after that: what has to run there waits",
				 i, cpu->comm, cpu->pid, words_other_tasks(cpu));
		finding_open(explain->finding, "Possible: it waits for something of CPU %u, where the real-time task %s-%llu has run for %llu s and lets no other run.",
			     i, cpu->comm, cpu->pid, (end - cpu->switched) / 1000000000);
	}
}

/* "blocked for more than 122 seconds" */
static u64 blocked_ns(const struct kernel_report *report)
{
	const char *at = memmem(report->title.text, report->title.len, " for more than ", 15);

	return at ? report_text_number(report->title, at + 15, 10) * 1000000000 : 0;
}

#define SCHEDULER_NS	1000000000ULL	/* in which a CPU looks at its clock, as a rule */

/* Did it run since it had slept for so long? */
static bool has_run_since(const struct kernel *kernel, const struct kernel_task *task, u64 slept)
{
	u64 from, to, now = last_run_now(kernel);

	return now && last_run_read(&from, &to, kernel, task) && now + SCHEDULER_NS < from + slept;
}

/* Does the task @pid, of @report, sleep still, by the memory? One that waits for a disk does so again and again. */
static bool is_in_sleep(const struct explain *explain, const struct kernel_tasks *tasks, u64 pid, const struct kernel_report *report)
{
	for (u32 i = 0; i < tasks->nr; i++)
		if ((u64)tasks->list[i].pid == pid)
			return tasks->list[i].state == 'D' && !has_run_since(explain->pm->kernel, &tasks->list[i], blocked_ns(report));
	return false;
}

/* Is the report so young that the next one of the same task was not due, or just was? */
static bool is_young(const struct explain *explain, const struct kernel_report *report)
{
	u64 timeout = blocked_ns(report) / 1000000000, end = explain->pm->end.time;

	return end <= report->time || (end - report->time) / 1000000000 <= 2 * timeout;
}

/*
 * How sure is it that the task of @report still waited at the end? @tasks: the memory has them; NULL: it
 * has not. FINDING_NOT_KNOWN: it went on, or nothing says that it did not.
 */
static enum finding_strength waited_still(const struct explain *explain, const struct kernel_report *report,
					  const struct kernel_tasks *tasks)
{
	const struct history_task *task;
	char name[WORDS_TASK];
	u64 pid;

	if (!hung_task_of(report, name, &pid))
		return FINDING_NOT_KNOWN;
	task = history_task(&explain->history, pid);
	if (task && (task->woken || task->out > report->time))
		return FINDING_NOT_KNOWN;
	if (tasks)
		return is_in_sleep(explain, tasks, pid, report) ? FINDING_SHOWN : FINDING_NOT_KNOWN;
	if (task && task->out && !pm_lost(explain->pm))
		return FINDING_LIKELY;
	return explain->death->is_hang_silent || is_young(explain, report) ? FINDING_POSSIBLE : FINDING_NOT_KNOWN;
}

/* The same of all that were reported in that pass: the least. */
static enum finding_strength all_waited_still(const struct explain *explain)
{
	const struct death *death = explain->death;
	enum finding_strength least = FINDING_SHOWN;
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;

	if (explain->pm->kernel && kernel_tasks_open(&tasks, explain->pm->kernel, &err))
		tasks = NULL;
	for (s64 i = death->first_blocked; i <= death->cause; i++) {
		enum finding_strength one = waited_still(explain, &death->reports.list[i], tasks);

		if (one < least)
			least = one;
	}
	kernel_tasks_close(tasks);
	return least;
}

/* The hang was over: the report of it is an earlier one, as others are. */
static void drop_hang(struct explain *explain)
{
	explain->cause = NULL;
	explain->death->cause = -1;
	explain->is_hang = false;
	memset(&explain->fault, 0, sizeof(explain->fault));
}

/**
 * struct said_holder - since 6.15: "INFO: task cat:512 is blocked on a mutex likely owned by task holder:77."
 * @pid: 0: no line says so
 * @is_last: it was the last to read, or to take a semaphore: that one leaves its name when it leaves, and another one may give a
 *	semaphore back
 */
struct said_holder {
	char name[WORDS_TASK];
	u64 pid;
	bool is_last;
};

static void read_said_holder(struct said_holder *holder, const struct kernel_report *report)
{
	static const char *const words[] = { " likely owned by task ", " likely last held by task " };

	holder->pid = 0;
	for (u32 i = 0; i < report->nr_lines && !holder->pid; i++) {
		struct report_text line = report->lines[i];

		for (size_t k = 0; k < ARRAY_SIZE(words); k++) {
			const char *at = memmem(line.text, line.len, words[k], strlen(words[k])), *end = line.text + line.len, *colon;

			if (!at)
				continue;
			at += strlen(words[k]);
			colon = memrchr(at, ':', end - at);
			if (!colon || colon == at)
				return;
			holder->pid = report_text_number(line, colon + 1, 10);
			holder->is_last = k || memmem(at, end - at, "<reader>", 8);
			snprintf(holder->name, WORDS_TASK, "%.*s-%llu", (int)(colon - at), at, holder->pid);
			break;
		}
	}
}

static void add_owners(struct explain *explain, u32 nr)
{
	const struct death *death = explain->death;
	char name[WORDS_TASK];
	u64 pids[MOST_TASKS];
	u32 nr_pids = 0;

	for (u32 i = 0; i < nr && nr_pids < MOST_TASKS; i++)
		nr_pids += hung_task_of(&death->reports.list[death->first_blocked + i], name, &pids[nr_pids]);
	if (nr_pids && lock_owners_add(explain, pids, nr_pids))
		return;
	if (!nr_pids || said_owners_claim(explain, pids[0], explain->pm->kernel))
		return;
	if (!explain->pm->kernel)
		finding_note(&explain->finding->missing, "who holds the lock: a vmcore has it");
}

/* Does it stand where ZFS stops a thread for ever? */
static bool is_stopped_by_zfs(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (!strcmp(function, "spl_panic"))
			return true;
	}
	return false;
}

/* ZFS stopped a thread before: what waits for that one is its consequence. The check that failed is the cause. */
static bool take_check_of_zfs(struct explain *explain)
{
	struct death *death = explain->death;
	u32 first = 0;

	while (first < death->reports.nr && !kernel_report_is_of_zfs(&death->reports.list[first]))
		first++;
	if (!explain->is_hang || first >= death->first_blocked)
		return false;
	for (u32 i = first; i < death->reports.nr; i++)
		if (death->reports.list[i].kind == KERNEL_REPORT_HUNG_TASK && is_stopped_by_zfs(&death->reports.list[i])) {
			explain->is_hang = false;
			explain->cause = &death->reports.list[first];
			death->cause = death->first_blocked = first;
			return true;
		}
	return false;
}

/* The lines in front of it are lost. */
static bool claim_stopped_by_zfs(struct explain *explain, const struct kernel_report *report, const char *name)
{
	char place[2 * WORDS_FUNCTION];

	if (!is_stopped_by_zfs(report))
		return false;
	words_place(place, words_frame(report, plumbing_has));
	finding_claim(explain->finding, "hung-task", explain->finding->strength,
		      "The task %s was stopped for ever by ZFS: a check in %s failed (spl_panic()); what waits for it hangs as well.", name, place);
	finding_open(explain->finding, "Which check: its lines, VERIFY and PANIC, are further up in the log.");
	return true;
}

/* Without a dump it is not known what completes it. */
static void open_dead_irq(struct explain *explain, const char *name, u64 pid, struct report_text place)
{
	const struct history_task *task = history_task(&explain->history, pid);
	struct fault_text of = { 0 };

	fault_text_take_module(&of, place);
	if (*of.module && task && !task->woken)
		dead_irq_open(explain, name, of.module, task->out);
}

bool judge_hung_task(struct explain *explain)
{
	struct death *death = explain->death;
	struct finding *finding = explain->finding;
	const struct kernel_report *first;
	char name[WORDS_TASK] = "a task", place[2 * WORDS_FUNCTION], age[40] = "";
	enum finding_strength strength = FINDING_SHOWN;
	const char *what;
	struct said_holder holder;
	u64 pid = 0;
	u32 nr;

	if (!explain->cause || explain->cause->kind != KERNEL_REPORT_HUNG_TASK)
		return false;
	if (take_check_of_zfs(explain))
		return false;
	if (explain->is_hang)
		strength = all_waited_still(explain);
	if (strength == FINDING_NOT_KNOWN && death_take_last_hang(death)) {
		explain->cause = &death->reports.list[death->cause];
		strength = all_waited_still(explain);
	}
	if (strength == FINDING_NOT_KNOWN) {
		drop_hang(explain);
		return false;
	}
	if (strength < FINDING_SHOWN && explain->pm->end.time >= explain->cause->time)
		snprintf(age, sizeof(age), ", %llu s before the end", (explain->pm->end.time - explain->cause->time) / 1000000000);
	first = &death->reports.list[death->first_blocked];
	nr = death->cause - death->first_blocked + 1;
	hung_task_of(first, name, &pid);
	finding->is_noticed = true;
	what = hung_task_wants(first);
	words_place(place, hung_task_place(explain, first));
	read_said_holder(&holder, first);
	if (nr > 1)
		finding_claim(finding, "hung-task", strength,
			      "%u tasks waited too long%s; the first that was found, %s, waits for %s in %s.", nr, age, name,
			      what ?: "something", place);
	else
		finding_claim(finding, "hung-task", strength, "The task %s waited too long for %s in %s%s.", name,
			      what ?: "something", place, age);
	if (strength == FINDING_POSSIBLE)
		finding_note(&finding->missing, "whether the task still waited at the end: the memory, or task switches, would say%s",
			     death->is_hang_silent ? "; the kernel reports no more hung tasks (kernel.hung_task_warnings)" : "");
	if (claim_stopped_by_zfs(explain, first, name))
		;
	else if (!explain->pm->kernel && own_wait_words(first))
		finding_open(finding, "Whether it waits for itself: %s. Or another task does the same; a vmcore would say.", own_wait_words(first));
	else if (holder.pid && holder.is_last)
		finding_open(finding, "Who has it: the task %s was the last to take it, and may have left it since. A task that waits need not be the culprit.",
			     holder.name);
	else if (holder.pid)
		finding_open(finding, "Why the task %s, which probably holds it, does not give it back.", holder.name);
	else if (what && (!strcmp(what, "a completion") || !strcmp(what, "a work item")))
		finding_open(finding, "What should have completed it, and did not: a task that waits need not be the culprit.");
	else if (what && !strcmp(what, "a time to pass"))
		finding_open(finding, "Why it sleeps for so long, or again and again, in a way that nothing can interrupt.");
	else if (what && strstr(what, "readers of an SRCU"))
		finding_open(finding, "Which reader: one that sleeps there still, or that came back without srcu_read_unlock(), and is on no stack then.");
	else if (what && strstr(what, "a program of user space"))
		finding_open(finding, "Which program it is, and why it does not end: a child of a kworker, as ps shows it. The kernel waits for it as it was asked to.");
	else
		finding_open(finding, "Who holds it, or should have woken the task: a task that waits need not be the culprit.");
	for (u32 i = 0; i < nr && i < MOST_TASKS; i++)
		add_hung_task(explain, &death->reports.list[death->first_blocked + i]);
	if (explain->panic)
		words_line_evidence(explain, "", explain->panic->title);
	note_realtime(explain, pid);
	if (pid)
		add_owners(explain, nr);
	if (pid && finding->strength == strength && strength != FINDING_LIKELY)
		quiet_work_add(explain, pid, hung_task_place(explain, first));
	if (pid && !what && finding->strength == strength && strength != FINDING_LIKELY)
		busy_timer_add(explain, pid, hung_task_place(explain, first));
	if (pid && !explain->pm->kernel && finding->strength == strength)
		open_dead_irq(explain, name, pid, hung_task_place(explain, first));
	if (explain->is_hang)
		finding_note(&finding->not_found, "how it ended: it still ran when this was read, or was reset later");
	if (pid)
		finding_next(finding, "epitaph report --pid %llu --all FILE", pid);
	return true;
}
