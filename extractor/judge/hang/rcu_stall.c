// SPDX-License-Identifier: GPL-2.0-or-later
/* Stalls of RCU: readers that do not end, and its own thread that cannot run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/cpu_stack.h"
#include "cpu_claims.h"
#include "hang.h"
#include "judge/words.h"
#include "long_run.h"
#include "odd_count.h"
#include "own_lock.h"

/* The first CPU of "rcu_preempt detected expedited stalls on CPUs/tasks: { P12 3-.... } 21 jiffies". */
static bool expedited_cpu_of(struct report_text title, u32 *cpu)
{
	const char *at = memmem(title.text, title.len, "{ ", 2), *end = title.text + title.len;

	while (at && at < end && *at != '}') {
		const char *word = ++at;

		while (at < end && *at >= '0' && *at <= '9')
			at++;
		if (at > word && at < end && *at == '-') {
			*cpu = report_text_number(title, word, 10);
			return true;
		}
		while (at < end && *at != ' ' && *at != '}')
			at++;
	}
	return false;
}

/* The CPU of "rcu: \t1-....: (2100 ticks this GP)". @no_tick: it had none in all that time */
static bool stalled_cpu_of(const struct kernel_report *report, u32 *cpu, bool *no_tick)
{
	*no_tick = false;
	if (report_text_has(report->title, "expedited stalls"))
		return expedited_cpu_of(report->title, cpu);
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
		if (at < end && *at == '-') {
			*no_tick = report_text_has(report->lines[i], "(0 ticks this GP)");
			return true;
		}
	}
	return false;
}

#define BLOCKED_WORDS	256

/*
 * "Tasks blocked on level-0 rcu_node (CPUs 0-1): P115/1:b..l P117/1:b..l", whose end may be in lines of its own, as the pieces
 * of a line are that was recorded when it was made.
 */
static bool read_blocked(char text[BLOCKED_WORDS], const struct explain *explain, const struct kernel_report *report)
{
	u32 from = 0;
	struct report_text line = fault_text_line(explain->death, report, "Tasks blocked on", &from);
	size_t len;

	if (!line.text)
		return false;
	len = snprintf(text, BLOCKED_WORDS, "%.*s", line.len < BLOCKED_WORDS ? (int)line.len : BLOCKED_WORDS - 1, line.text);
	while (len < BLOCKED_WORDS - 1) {
		line = fault_text_line(explain->death, report, "", &from);
		if (line.len < 3 || memcmp(line.text, " P", 2) || line.text[2] < '0' || line.text[2] > '9')
			break;
		len += snprintf(text + len, BLOCKED_WORDS - len, "%.*s", WORDS(line));
	}
	return true;
}

/* The first task that blocks it; 0: the report names none. @nr: how many do */
static u64 blocking_task(const struct explain *explain, u32 *nr)
{
	char text[BLOCKED_WORDS];
	const char *at = text;
	u64 first = 0;

	*nr = 0;
	if (!explain->cause || !read_blocked(text, explain, explain->cause))
		return 0;
	while ((at = strstr(at, " P"))) {
		at += 2;
		if (*at < '0' || *at > '9')
			continue;
		if (!(*nr)++)
			first = strtoull(at, NULL, 10);
	}
	return first;
}

/*
 * A task within rcu_read_lock() was preempted, and the CPU on which that happened has run one task of
 * real-time priority since.
 */
static bool claim_starved(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	u32 nr;
	u64 pid = blocking_task(explain, &nr), ns;
	const struct history_task *task = pid ? history_task(&explain->history, pid) : NULL;
	const struct history_cpu *cpu = task && task->out ? history_cpu(&explain->history, task->out_cpu) : NULL;
	char place[2 * WORDS_FUNCTION];
	bool is_sure;

	/* A task that slept, or was woken since, waits for something else. */
	if (!cpu || !task->was_preempted || task->woken)
		return false;
	if (!cpu->switched || !cpu->is_realtime || cpu->migration || cpu->switched < task->out ||
	    explain->pm->end.time < cpu->switched + LONG_RUN_NS)
		return false;
	ns = explain->pm->end.time - cpu->switched;
	words_place(place, words_frame(report, plumbing_has));
	is_sure = cpu->switched == task->out && nr == 1 && !pm_lost(explain->pm);
	finding_claim(finding, "rcu-stall", is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "RCU waited for the task %llu%s: CPU %u had preempted it in %s; the real-time task %s-%llu has run there for %llu.%llu s, and no other.",
		      pid, nr > 1 ? " and others" : "", task->out_cpu, place, cpu->comm, cpu->pid, ns / 1000000000, ns / 100000000 % 10);
	finding_open(finding, "Why %s-%llu does not sleep: a task of real-time priority must.", cpu->comm, cpu->pid);
	finding_evidence(finding, task->out, finding_event(task->out_cpu, "sched:sched_switch"),
			 "CPU %u switched from the task %llu, and did not go back to it", task->out_cpu, pid);
	long_run_switch(explain, task->out_cpu);
	return true;
}

/* "rcu: rcu_preempt kthread starved for 5249 jiffies! g3097 f0x0 RCU_GP_WAIT_FQS(5) ->state=0x0 ->cpu=1" */
static void add_starved_thread(struct explain *explain)
{
	u32 from = 0;
	struct report_text line = fault_text_line(explain->death, explain->cause, "kthread starved for ", &from);
	const char *at = line.text ? memmem(line.text, line.len, "->cpu=", 6) : NULL;

	if (!at)
		return;
	words_line_evidence(explain, "", line);
	finding_open(explain->finding, "RCU's own thread had no CPU either, on CPU %llu: what runs there may be the cause, and the code above not.",
		     report_text_number(line, at + 6, 10));
}

/* "rcu: rcu_preempt kthread starved for 5249 jiffies! ..."; 0: it had its time. */
static u64 starved_jiffies(const struct explain *explain)
{
	static const char word[] = "kthread starved for ";
	u32 from = 0;
	struct report_text line = fault_text_line(explain->death, explain->cause, word, &from);
	const char *at = line.text ? memmem(line.text, line.len, word, strlen(word)) : NULL;

	return at ? report_text_number(line, at + strlen(word), 10) : 0;
}

/* "NMI backtrace for cpu 1 skipped: idling at default_idle+0x1e/0x130": the CPU did not keep RCU waiting. */
static bool claim_idle(struct explain *explain, u32 cpu)
{
	u64 jiffies = starved_jiffies(explain);
	struct report_text line;
	char words[64];
	u32 from = 0;

	snprintf(words, sizeof(words), "NMI backtrace for cpu %u skipped: idling", cpu);
	line = fault_text_line(explain->death, explain->cause, words, &from);
	if (!line.text)
		return false;
	if (jiffies)
		finding_claim(explain->finding, "rcu-stall", FINDING_SHOWN,
			      "RCU's own thread did not run for %llu jiffies; CPU %u, for which RCU waited, was idle and kept nothing waiting.", jiffies, cpu);
	else
		finding_claim(explain->finding, "rcu-stall", FINDING_SHOWN,
			      "RCU waited too long, but CPU %u, for which it waited, was idle when the kernel asked it, and kept nothing waiting.", cpu);
	finding_open(explain->finding, "Why: a timer that did not expire, a virtual CPU that its host did not run, or an interrupt that woke nothing.");
	words_line_evidence(explain, "", line);
	return true;
}

bool judge_rcu_stall(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK], function[WORDS_FUNCTION];
	struct long_run_context context;
	struct odd_count count;
	bool is_known, is_odd, spins, waits, no_tick;
	u32 cpu = 0, nr = 0;

	if (!report || report->kind != KERNEL_REPORT_RCU_STALL)
		return false;
	is_known = stalled_cpu_of(report, &cpu, &no_tick);
	if (is_known && claim_idle(explain, cpu)) {
		words_report_evidence(explain, report);
		add_starved_thread(explain);
		return true;
	}
	if (is_known) {
		explain->completed = *report;
		if (cpu_stack_find(&explain->completed, explain->death, cpu))
			explain->cause = report = &explain->completed;
	}
	words_function(function, report->place);
	words_place(place, *function && !plumbing_is_of_waiting(function) ? report->place :
								   words_frame(report, plumbing_is_of_waiting));
	words_task(task, report);
	words_report_evidence(explain, report);
	is_odd = is_known && odd_count_find(&count, explain);
	spins = is_known && !is_odd && cpu_spins(explain, report);
	waits = is_known && !is_odd && cpu_waits_for_answer(report);
	if (spins || waits)
		finding_claim(finding, "rcu-stall", FINDING_SHOWN, "CPU %u kept RCU waiting for too long: it only waited for %s, in %s%s%s.", cpu,
			      spins ? "a spinlock that does not become free" : "another CPU to answer its interrupt", place, *task ? ", task " : "", task);
	else if (is_odd)
		odd_count_claim(explain, "rcu-stall", cpu, place, *task ? task : "unknown", &count);
	else if (is_known && long_run_context(&context, report))
		finding_claim(finding, "rcu-stall", FINDING_SHOWN,
			      "CPU %u kept RCU waiting for too long: it was in %s, in %s; %s %s.", cpu, context.what,
			      place, context.task, *task ? task : "a task");
	else if (is_known)
		finding_claim(finding, "rcu-stall", FINDING_SHOWN,
			      "CPU %u kept RCU waiting for too long, in %s%s%s.", cpu, place,
			      *task ? ", task " : "", task);
	if (is_known) {
		long_run_switch(explain, cpu);
		finding->is_noticed = cpu != explain->pm->end.cpu;
		if (finding->is_noticed)
			finding_next(finding, "epitaph report --cpu %u FILE", cpu);
	} else if (claim_starved(explain) ||
		   user_reader_claim(explain, blocking_task(explain, &nr), nr > 1)) {
		return true;
	} else {
		finding_claim(finding, "rcu-stall", FINDING_SHOWN,
			      "RCU waited for too long, for a task that was preempted or for its own thread; the kernel names no CPU.");
	}
	if (spins) {
		finding_open(finding, "Who holds the lock: another context, or this one itself, which took it twice. Or its memory was freed or overwritten, and none does.");
	} else if (waits) {
		finding_open(finding, "Why another CPU does not answer; epitaph info --stacks FILE has what each one did.");
	} else if (!is_odd) {
		finding_open(finding, no_tick ? "Why the CPU had no tick of its clock in all that time: it ran with interrupts off, or stood still, as a virtual CPU that its host does not run." :
						"Why the code there did not come to an end.");
		poll_loop_add(explain);
	}
	if (!own_lock_is_none(explain) && is_known && !is_odd && !irq_storm_claim(explain, cpu))
		end_wait_claim(explain, cpu);
	add_starved_thread(explain);
	return true;
}

void rcu_stall_ask(struct explain *explain)
{
	u64 pid;
	u32 nr;

	if (!explain->cause || explain->cause->kind != KERNEL_REPORT_RCU_STALL)
		return;
	pid = blocking_task(explain, &nr);
	if (pid)
		history_ask_task(&explain->history, pid);
}
