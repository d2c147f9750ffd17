// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs that do nothing else for too long: lockups, stalls of RCU. */
#include <stdio.h>
#include <string.h>

#include "fault/cpu_stack.h"
#include "own_lock.h"
#include "silent_cpu.h"
#include "judge/words.h"

#define LONG_NS		2000000000ULL	/* that a CPU runs one task */

/* --- lockups ------------------------------------------------------------- */

static bool spins(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	if (*function)
		return plumbing_is_of_spinning(function);
	words_function(function, words_frame(report, plumbing_is_of_dying));
	return plumbing_is_of_spinning(function);
}

/* "CPU#1", "on cpu 1". */
static bool locked_up_cpu(struct report_text title, u32 *cpu)
{
	static const char *const words[] = { "CPU#", "on cpu ", "CPU " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *at = memmem(title.text, title.len, words[i], strlen(words[i]));

		at = at ? at + strlen(words[i]) : NULL;
		if (at && at < title.text + title.len && *at >= '0' && *at <= '9') {
			*cpu = report_text_number(title, at, 10);
			return true;
		}
	}
	return false;
}

/* Since when it ran what it ran. */
static void add_last_switch(struct explain *explain, u32 nr)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, nr);

	if (cpu && cpu->migration)
		finding_evidence(explain->finding, cpu->migration, finding_event(nr, "sched:sched_switch"),
				 "CPU %u switched to the kernel's migration thread, and to no other task after that", nr);
	else if (cpu && cpu->switched)
		finding_evidence(explain->finding, cpu->switched, finding_event(nr, "sched:sched_switch"),
				 "CPU %u switched to %s-%llu, and to %s after that", nr, cpu->comm, cpu->pid, words_other_tasks(cpu));
	else if (explain->history.has_switches)
		finding_note(&explain->finding->not_found, "a task switch of CPU %u in the trace", nr);
}

/* Of the kernel's clock and its watchdogs, which notice what they interrupted, and of what runs timers. */
static bool is_of_clock(const char *function)
{
	static const char *const words[] = {
		"tick_", "watchdog_timer_fn", "timerqueue_", "rb_", "__rb_", "ktime_", "hrtimer_", "__hrtimer_",
		"__remove_hrtimer", "enqueue_hrtimer", "_raw_spin_", NULL,
	};

	return plumbing_begins(function, words);
}

/* Behind the frame of softirqs: did they begin when an interrupt ended? A task runs them as well. */
static bool is_behind_interrupt(const struct kernel_report *report, u32 from)
{
	static const char *const words[] = { "irq_exit", "__irq_exit", NULL };
	char function[WORDS_FUNCTION];

	for (u32 i = from; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (plumbing_begins(function, words))
			return true;
	}
	return false;
}

/* In what the CPU was, and what it has to do with the task. */
struct context {
	const char *what;
	const char *task;
};

/* False: in none, but in the task itself. */
static bool find_context(struct context *context, const struct kernel_report *report)
{
	char function[WORDS_FUNCTION], before[WORDS_FUNCTION];

	*context = (struct context){ .task = "it had interrupted" };
	words_function(before, report->place);
	for (u32 i = 0; i < report->nr_frames && !context->what; i++) {
		words_function(function, report->frames[i]);
		if (!strcmp(function, "__do_softirq") || !strcmp(function, "handle_softirqs")) {
			context->what = "a softirq";
			if (!is_behind_interrupt(report, i))
				context->task = "the task there was";
		}
		if (!strcmp(function, "__handle_irq_event_percpu") || !strcmp(function, "handle_irq_event"))
			context->what = "an interrupt";
		if (!strcmp(function, "__hrtimer_run_queues") && *before && !is_of_clock(before))
			context->what = "a timer";
		memcpy(before, function, sizeof(before));
	}
	return context->what;
}

static void add_silence(struct finding *finding, const struct explain *explain, const struct silent_cpu *silent)
{
	if (silent->repeats) {
		const struct history_cpu *cpu = history_cpu(&explain->history, silent->cpu);

		finding_evidence(finding, cpu->ticked, finding_event(silent->cpu, "timer:hrtimer_expire_entry"),
				 "CPU %u ran the hrtimer %016llx for the %lluth time at one and the same reading of the clock, within one interrupt; what it had interrupted is innocent",
				 silent->cpu, cpu->repeated, silent->repeats);
		return;
	}
	finding_evidence(finding, explain->pm->end.time - silent->ns, finding_event(silent->cpu, ""),
			 "the last event of CPU %u, which ran %s: from then on not even a tick of its clock; interrupts are off there by its registers",
			 silent->cpu, silent->task);
}

/*
 * A time that is not after the one at which CPU @nr began to wait, as near to it as is known: its last task
 * switch, or that which a soft lockup counts from, in units of 2^30 ns. 0: not known.
 */
static u64 waits_since(const struct explain *explain, const struct kernel_report *report, u32 nr)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, nr);
	const char *at = memmem(report->title.text, report->title.len, " stuck for ", 11);
	u64 counted = at ? report_text_number(report->title, at + 11, 10) << 30 : 0;
	u64 from = counted && counted < report->time ? report->time - counted : 0;

	if (cpu && cpu->migration)
		return cpu->migration > from ? cpu->migration : from;
	return cpu && cpu->switched > from ? cpu->switched : from;
}

/* A CPU that waits for a spinlock, and another one that nothing reaches any more. */
static void claim_holder(struct explain *explain, u32 cpu, struct report_text at, const struct silent_cpu *silent)
{
	struct finding *finding = explain->finding;
	char holder[FINDING_TEXT / 2], function[WORDS_FUNCTION];

	silent_cpu_put(holder, sizeof(holder), silent);
	words_function(function, at);
	finding_claim(finding, "spinning", silent->strength,
		      "CPU %u waited for a spinlock in %s(). %s %s, holds it: interrupts are off there for %llu s.",
		      cpu, function, silent->strength == FINDING_LIKELY ? "Probably" : "Perhaps", holder, silent->ns / 1000000000);
	finding_open(finding, "Why the code there did not come to an end.");
	add_silence(finding, explain, silent);
	finding_next(finding, "epitaph report --cpu %u FILE", silent->cpu);
}

/* Does the CPU wait until others have answered its interrupt? */
static bool waits_for_cpu(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	return !strncmp(function, "smp_call_function", 17) || !strncmp(function, "csd_lock_wait", 13);
}

/* Does the migration thread of the CPU wait until all others have stopped as well? */
static bool waits_for_stop(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	if (!strcmp(function, "multi_cpu_stop"))
		return true;
	words_function(function, report->nr_frames ? report->frames[0] : report->place);
	return !strcmp(function, "multi_cpu_stop");
}

/* A CPU that waits for another one, which waits for a spinlock with interrupts off. */
static bool claim_spinning_other(struct explain *explain, u32 cpu, u64 since)
{
	char place[2 * WORDS_FUNCTION], into[WORDS_FUNCTION];
	struct finding *finding = explain->finding;
	struct silent_cpu silent;

	if (!silent_cpu_find_spinning(&silent, explain, cpu, since))
		return false;
	words_place(place, silent_cpu_place(&silent));
	words_function(into, silent_cpu_interrupted(&silent));
	finding_claim(finding, "spinning", silent.strength,
		      "CPU %u waited for another CPU to %s, %s CPU %u, which has waited for a spinlock with interrupts off for %llu s: task %s, in %s.",
		      cpu, waits_for_stop(explain->cause) ? "stop with it" : "answer its interrupt",
		      silent.strength == FINDING_LIKELY ? "probably" : "perhaps", silent.cpu, silent.ns / 1000000000, silent.task, place);
	if (*into)
		finding_open(finding, "Who holds that spinlock. Perhaps %s(), which the interrupt on CPU %u came into: they have to be off there then. Or CPU %u.",
			     into, silent.cpu, cpu);
	else
		finding_open(finding, "Who holds that spinlock: perhaps CPU %u itself.", cpu);
	add_silence(finding, explain, &silent);
	finding_next(finding, "epitaph report --cpu %u FILE", silent.cpu);
	return true;
}

/* The task that waits is innocent, whatever it called. */
static void claim_unanswered(struct explain *explain, u32 cpu, const char *place, u64 since)
{
	struct finding *finding = explain->finding;
	struct silent_cpu silent;
	bool is_found = silent_cpu_find(&silent, explain, cpu, since);
	char holder[FINDING_TEXT / 2], waited[3 * WORDS_FUNCTION];

	if (waits_for_stop(explain->cause))
		snprintf(waited, sizeof(waited), "for another CPU to stop with it (stop_machine())");
	else if (is_found)
		snprintf(waited, sizeof(waited), "for another CPU to answer its interrupt");
	else
		snprintf(waited, sizeof(waited), "in %s, for another CPU to answer its interrupt", place);
	finding_open(finding, "Why another CPU does not answer; epitaph info --stacks FILE has what each one did.");
	if (!is_found && claim_spinning_other(explain, cpu, since))
		return;
	if (!is_found) {
		finding_claim(finding, "spinning", FINDING_SHOWN, "CPU %u waited%s %s.", cpu, waits_for_stop(explain->cause) ? "" : ",", waited);
		return;
	}
	silent_cpu_put(holder, sizeof(holder), &silent);
	finding_claim(finding, "spinning", silent.strength,
		      "CPU %u waited %s. %s that is %s: interrupts are off there for %llu s.", cpu, waited,
		      silent.strength == FINDING_LIKELY ? "Probably" : "Perhaps", holder, silent.ns / 1000000000);
	add_silence(finding, explain, &silent);
	finding_next(finding, "epitaph report --cpu %u FILE", silent.cpu);
}

/* Did hardware send the NMI? panic() has the same text for that as for one of unknown source. */
static bool is_of_pci(const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	u64 end = explain->panic ? explain->panic->time : explain->pm->end.time;
	bool ret = false;

	for (u32 i = 0; i < lines->nr && lines->list[i].time <= end; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		if (report_text_has(line, "NMI received for unknown reason"))
			ret = false;
		else if (report_text_has(line, "PCI system error (SERR)"))
			ret = true;
	}
	return ret;
}

static void claim_pci_error(struct explain *explain)
{
	finding_claim(explain->finding, "nmi", FINDING_SHOWN,
		      "The hardware failed: an NMI said that there was a PCI system error (SERR), and this machine panics then (kernel.panic_on_unrecovered_nmi).");
	finding_open(explain->finding, "Which device. The logs of the firmware and of the management controller may say.");
	words_report_evidence(explain, explain->panic);
	finding_next(explain->finding, "ipmitool sel list    # what the management controller saw");
	snprintf(explain->signed_by, sizeof(explain->signed_by), "pci-serr");
	explain->is_signed_in_part = true;
}

/* Somebody or something sent it. */
bool judge_nmi(struct explain *explain)
{
	struct finding *finding = explain->finding;
	struct silent_cpu silent;
	char holder[FINDING_TEXT / 2];

	if (!report_text_has(explain->said, "NMI: Not continuing"))
		return false;
	finding->is_noticed = true;
	if (is_of_pci(explain)) {
		claim_pci_error(explain);
		return true;
	}
	if (silent_cpu_find(&silent, explain, NO_CPU, ~0ULL)) {
		silent_cpu_put(holder, sizeof(holder), &silent);
		if (silent.repeats)
			finding_claim(finding, "nmi", silent.strength,
				      "%s, had done nothing else for %llu.%llu s when an NMI came whose source the kernel does not know.",
				      holder, silent.ns / 1000000000, silent.ns / 100000000 % 10);
		else
			finding_claim(finding, "nmi", silent.strength,
				      "%s, had run with interrupts off for %llu.%llu s when an NMI came whose source the kernel does not know, and this machine panics then.",
				      holder, silent.ns / 1000000000, silent.ns / 100000000 % 10);
		finding_open(finding, silent.repeats ? "Why the timer expires anew at a time that is past: look at its period." :
						       "Why the code there did not come to an end.");
		add_silence(finding, explain, &silent);
		finding_next(finding, "epitaph report --cpu %u FILE", silent.cpu);
		if (*silent.function)
			snprintf(explain->signed_by, sizeof(explain->signed_by), "%s", silent.function);
		else
			snprintf(explain->signed_by, sizeof(explain->signed_by), "%.*s", WORDS(silent.stack.frames[0]));
	} else {
		finding_claim(finding, "nmi", FINDING_SHOWN,
			      "An NMI came whose source the kernel does not know, and this machine panics then (kernel.unknown_nmi_panic or panic_on_unrecovered_nmi).");
		finding_open(finding, "Who sent it: a button, a management controller or a hypervisor, as to a machine that hangs; a watchdog; a profiler; or broken hardware.");
	}
	words_report_evidence(explain, explain->panic);
	return true;
}

/* "kworker/1:2-412" of "... stuck for 26s! [kworker/1:2:412]". */
static void task_of_title(char task[WORDS_TASK], struct report_text title)
{
	const char *open = title.len ? memrchr(title.text, '[', title.len) : NULL, *end = title.text + title.len;
	const char *colon = open ? memrchr(open, ':', end - open) : NULL;
	const char *close = colon ? memchr(colon, ']', end - colon) : NULL;

	if (close && colon > open + 1)
		snprintf(task, WORDS_TASK, "%.*s-%.*s", (int)(colon - open - 1), open + 1, (int)(close - colon - 1), colon + 1);
}

/* "swapper/3-0" */
static bool is_idle_task(const char *task)
{
	return !strncmp(task, "swapper/", 8);
}

/* Where it was is neither in the report nor in a call trace. */
static void claim_without_place(struct explain *explain, const char *kind, u32 cpu, const char *task)
{
	finding_claim(explain->finding, kind, FINDING_SHOWN, "CPU %u%s%s%s let no other task run for too long%s; in which function is not in this file.",
		      cpu, *task ? ", task " : "", task, *task ? "," : "", strcmp(kind, "hard-lockup") ? "" : ", with interrupts off");
}

static const char *lock_word(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	if (!strcmp(function, "queued_read_lock_slowpath") || words_has_frame(report, "queued_read_lock_slowpath"))
		return "a read-write lock, to read,";
	return !strcmp(function, "queued_write_lock_slowpath") || words_has_frame(report, "queued_write_lock_slowpath") ?
		       "a read-write lock, to write," : "a spinlock";
}

static void claim_spinning(struct explain *explain, u32 cpu, const char *place, const char *task)
{
	struct finding *finding = explain->finding;
	struct context context;

	finding_open(finding, "Who holds the lock: another context, or this one itself, which took it twice.");
	if (find_context(&context, explain->cause))
		finding_claim(finding, "spinning", FINDING_SHOWN,
			      "CPU %u waited in %s, in %s, for %s that does not become free; %s %s.", cpu, context.what, place,
			      lock_word(explain->cause), context.task, task);
	else
		finding_claim(finding, "spinning", FINDING_SHOWN,
			      "CPU %u, task %s, waited for %s in %s that does not become free.", cpu, task, lock_word(explain->cause), place);
	own_lock_add(explain, cpu, context.what, place, task);
}

bool judge_lockup(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	struct report_text at;
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK], function[WORDS_FUNCTION];
	const char *kind;
	struct context context;
	struct silent_cpu silent;
	bool is_hard;
	u32 cpu = 0;

	if (!report || report->kind != KERNEL_REPORT_LOCKUP)
		return false;
	is_hard = report_text_has(report->title, "hard LOCKUP") || report_text_has(report->title, "Hard LOCKUP");
	kind = is_hard ? "hard-lockup" : "soft-lockup";
	locked_up_cpu(report->title, &cpu);
	words_task(task, report);
	if (!*task)
		task_of_title(task, report->title);
	words_function(function, report->place);
	at = plumbing_is_of_waiting(function) || !*function ? words_frame(report, plumbing_is_of_waiting) : report->place;
	words_place(place, at);
	if (waits_for_cpu(report) || waits_for_stop(report))
		claim_unanswered(explain, cpu, place, waits_since(explain, report, cpu));
	else if (spins(report))
		claim_spinning(explain, cpu, place, *task ? task : "unknown");
	else if (find_context(&context, report))
		finding_claim(finding, kind, FINDING_SHOWN,
			      "CPU %u was in %s, in %s, and let no task run for too long; %s %s.", cpu,
			      context.what, place, context.task, *task ? task : "a task");
	else if (!at.text)
		claim_without_place(explain, kind, cpu, task);
	else if (is_hard)
		finding_claim(finding, kind, FINDING_SHOWN,
			      "CPU %u, task %s, ran in %s with interrupts off for too long.", cpu, *task ? task : "unknown",
			      place);
	else if (is_idle_task(task))
		finding_claim(finding, kind, FINDING_SHOWN, "CPU %u ran its idle task, in %s, and no other for too long.", cpu, place);
	else
		finding_claim(finding, kind, FINDING_SHOWN,
			      "CPU %u ran the task %s in %s and let no other task run for too long.", cpu,
			      *task ? task : "unknown", place);
	if (waits_for_cpu(report) || waits_for_stop(report))
		;
	else if (spins(report) && !is_hard && silent_cpu_find(&silent, explain, cpu, waits_since(explain, report, cpu)))
		claim_holder(explain, cpu, at, &silent);
	else if (is_idle_task(task) && !is_hard)
		finding_open(finding, "Why none came to run: an idle CPU lets each one run. Its clock stood still, or the machine did, such as a guest that its host stopped.");
	else if (!spins(report))
		finding_open(finding, "Why it did not come to an end.");
	words_report_evidence(explain, report);
	add_last_switch(explain, cpu);
	finding->is_noticed = cpu != explain->pm->end.cpu;
	if (finding->is_noticed)
		finding_next(finding, "epitaph report --cpu %u FILE", cpu);
	return true;
}

/* --- RCU ----------------------------------------------------------------- */

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

/* The CPU of "rcu: \t1-....: (2100 ticks this GP)". */
static bool stalled_cpu_of(const struct kernel_report *report, u32 *cpu)
{
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
		if (at < end && *at == '-')
			return true;
	}
	return false;
}

/* The task that blocks it: "P115" of "Tasks blocked on level-0 rcu_node (CPUs 0-1): P115/1:b..l". */
static u64 blocking_task(const struct kernel_report *report)
{
	for (u32 i = 0; i < report->nr_lines; i++) {
		const struct report_text line = report->lines[i];
		const char *at = report_text_has(line, "Tasks blocked on") ? memmem(line.text, line.len, ": P", 3) : NULL;

		if (at)
			return report_text_number(line, at + 3, 10);
	}
	return 0;
}

/* How many tasks block it: "P115/1:b..l P117/1:b..l" */
static u32 count_blocking_tasks(const struct kernel_report *report)
{
	u32 nr = 0;

	for (u32 i = 0; i < report->nr_lines; i++) {
		const struct report_text line = report->lines[i];
		const char *at = line.text, *end = line.text + line.len;

		if (!report_text_has(line, "Tasks blocked on"))
			continue;
		while ((at = memmem(at, end - at, " P", 2))) {
			at += 2;
			nr += at < end && *at >= '0' && *at <= '9';
		}
	}
	return nr;
}

/*
 * A task within rcu_read_lock() was preempted, and the CPU on which that happened has run one task of
 * real-time priority since.
 */
static bool claim_starved(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	u64 pid = blocking_task(report), ns;
	const struct history_task *task = pid ? history_task(&explain->history, pid) : NULL;
	const struct history_cpu *cpu = task && task->out ? history_cpu(&explain->history, task->out_cpu) : NULL;
	char place[2 * WORDS_FUNCTION];
	bool is_sure;

	/* A task that slept, or was woken since, waits for something else. */
	if (!cpu || !task->was_preempted || task->woken)
		return false;
	if (!cpu->switched || !cpu->is_realtime || cpu->migration || cpu->switched < task->out ||
	    explain->pm->end.time < cpu->switched + LONG_NS)
		return false;
	ns = explain->pm->end.time - cpu->switched;
	words_place(place, words_frame(report, plumbing_has));
	is_sure = cpu->switched == task->out && count_blocking_tasks(report) == 1 && !pm_lost(explain->pm);
	finding_claim(finding, "rcu-stall", is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "RCU waited for the task %llu%s: CPU %u had preempted it in %s; the real-time task %s-%llu has run there for %llu.%llu s, and no other.",
		      pid, count_blocking_tasks(report) > 1 ? " and others" : "", task->out_cpu, place, cpu->comm, cpu->pid, ns / 1000000000, ns / 100000000 % 10);
	finding_open(finding, "Why %s-%llu does not sleep: a task of real-time priority must.", cpu->comm, cpu->pid);
	finding_evidence(finding, task->out, finding_event(task->out_cpu, "sched:sched_switch"),
			 "CPU %u switched from the task %llu, and did not go back to it", task->out_cpu, pid);
	add_last_switch(explain, task->out_cpu);
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
	words_line_evidence(explain, "", line, explain->cause->time);
	finding_open(explain->finding, "RCU's own thread had no CPU either, on CPU %llu: what runs there may be the cause, and the code above not.",
		     report_text_number(line, at + 6, 10));
}

bool judge_rcu_stall(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK], function[WORDS_FUNCTION];
	struct context context;
	bool is_known;
	u32 cpu = 0;

	if (!report || report->kind != KERNEL_REPORT_RCU_STALL)
		return false;
	is_known = stalled_cpu_of(report, &cpu);
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
	if (is_known && find_context(&context, report))
		finding_claim(finding, "rcu-stall", FINDING_SHOWN,
			      "CPU %u kept RCU waiting for too long: it was in %s, in %s; %s %s.", cpu, context.what,
			      place, context.task, *task ? task : "a task");
	else if (is_known)
		finding_claim(finding, "rcu-stall", FINDING_SHOWN,
			      "CPU %u kept RCU waiting for too long, in %s%s%s.", cpu, place,
			      *task ? ", task " : "", task);
	if (is_known) {
		add_last_switch(explain, cpu);
		finding->is_noticed = cpu != explain->pm->end.cpu;
		if (finding->is_noticed)
			finding_next(finding, "epitaph report --cpu %u FILE", cpu);
	} else if (claim_starved(explain)) {
		return true;
	} else {
		finding_claim(finding, "rcu-stall", FINDING_SHOWN,
			      "RCU waited for too long, for a task that was preempted or for its own thread; the kernel names no CPU.");
	}
	finding_open(finding, "Why the code there did not come to an end.");
	own_lock_is_none(explain);
	add_starved_thread(explain);
	return true;
}

void rcu_stall_ask(struct explain *explain)
{
	if (explain->cause && explain->cause->kind == KERNEL_REPORT_RCU_STALL && blocking_task(explain->cause))
		history_ask_task(&explain->history, blocking_task(explain->cause));
}
