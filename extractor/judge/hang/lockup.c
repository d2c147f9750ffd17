// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs that do nothing else for too long. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_holder.h"
#include "cpu_claims.h"
#include "hang.h"
#include "long_run.h"
#include "odd_count.h"
#include "own_lock.h"
#include "silent_cpu.h"
#include "judge/words.h"

/* Is it of a kernel whose locks are as plumbing_is_of_taking() says? */
static bool calls_what_waits(const struct postmortem_origin *origin)
{
	return (origin->machine == EM_X86_64 || origin->machine == EM_AARCH64) && strtoul(origin->release, NULL, 10) >= 5;
}

bool cpu_spins(const struct explain *explain, const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	if (*function)
		return plumbing_is_of_spinning(function) && !(calls_what_waits(&explain->pm->origin) && plumbing_is_of_taking(function));
	words_function(function, words_frame(report, plumbing_is_of_dying));
	return plumbing_is_of_spinning(function);
}

/* "CPU#1", "on cpu 1". */
static bool locked_up_cpu(struct report_text title, u32 *cpu)
{
	static const char *const words[] = { "CPU#", "on cpu ", "on other CPUs ", "CPU:", "CPU " };

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

#define SOON_NS		1000000000ULL	/* from the start of a timer to its end */

/*
 * The timer of high resolution that the CPU started as its last event, for a function of the module in which it is, and that was due
 * long ago. NULL: it did not.
 */
static const struct history_fine *own_timer(const struct explain *explain, const struct silent_cpu *silent, char function[2 * WORDS_FUNCTION])
{
	const struct history_cpu *cpu = history_cpu(&explain->history, silent->cpu);
	const struct history_fine *fine = cpu && cpu->fine_is_armed ? history_fine(&explain->history, cpu->fine) : NULL;
	const struct history_origin *origin = fine ? &fine->origin : NULL;
	struct fault_text of_timer = { 0 }, of_place = { 0 };
	char name[KERNEL_SYMBOL_MAX];

	if (!origin || !fine->is_armed || origin->time != cpu->last || origin->cpu != silent->cpu || origin->expires < origin->time ||
	    origin->expires - origin->time > SOON_NS || explain->pm->end.time < origin->expires + SOON_NS ||
	    !words_symbol_at(explain, origin->function, origin->time, origin->raw, name, sizeof(name)))
		return NULL;
	fault_text_take_module(&of_timer, (struct report_text){ name, strlen(name) });
	fault_text_take_module(&of_place, silent_cpu_place(silent));
	words_place(function, (struct report_text){ name, strlen(name) });
	return *of_timer.module && !strcmp(of_timer.module, of_place.module) ? fine : NULL;
}

static void add_silence(struct finding *finding, const struct explain *explain, const struct silent_cpu *silent)
{
	char function[2 * WORDS_FUNCTION];
	const struct history_fine *timer;

	if (silent->repeats) {
		const struct history_cpu *cpu = history_cpu(&explain->history, silent->cpu);

		finding_evidence(finding, cpu->ticked, finding_event(silent->cpu, "timer:hrtimer_expire_entry"),
				 "CPU %u ran the hrtimer %016llx for the %lluth time at one and the same reading of the clock, within one interrupt; what it had interrupted is innocent",
				 silent->cpu, cpu->repeated, silent->repeats);
		return;
	}
	timer = own_timer(explain, silent, function);
	if (timer) {
		finding_evidence(finding, timer->origin.time, finding_event(silent->cpu, "timer:hrtimer_start"),
				 "the last event of CPU %u, which ran %s: it started the timer of %s, due %llu us later; no tick since: interrupts are off there",
				 silent->cpu, silent->task, function, (timer->origin.expires - timer->origin.time) / 1000);
		finding_open(finding, "Whether the code there waits for %s: the timer that CPU %u started last, and that cannot run on it while interrupts are off.",
			     function, silent->cpu);
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

bool cpu_waits_for_answer(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	return !strncmp(function, "smp_call_function", 17) || !strncmp(function, "csd_lock_wait", 13);
}

/*
 * Does the migration thread of the CPU wait until all others have stopped as well? It goes round and calls these. What is run by it when
 * they have stopped does not wait.
 */
static bool waits_for_stop(const struct kernel_report *report)
{
	static const char *const words[] = {
		"stop_machine_yield", "rcu_momentary_", "touch_nmi_watchdog", "arch_touch_nmi_watchdog", "touch_softlockup_watchdog", "ack_state", NULL,
	};
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	if (!strcmp(function, "multi_cpu_stop"))
		return true;
	if (*function && !plumbing_begins(function, words))
		return false;
	words_function(function, report->nr_frames ? report->frames[0] : report->place);
	return !strcmp(function, "multi_cpu_stop");
}

/* In the dump: has a function of CPU @cpu taken what the task of the silent CPU waits for? */
static bool claim_lock_and_interrupt(struct explain *explain, u32 cpu, const struct silent_cpu *silent, const char *place)
{
	char holds[2 * WORDS_FUNCTION], task[WORDS_TASK] = "";
	const struct kernel_task *spinner;
	struct owners owners = { 0 };
	struct spin_holder holder;
	bool is = false;

	if (explain->pm->kernel && owners_open(&owners, explain)) {
		spinner = owners_task(&owners, history_cpu(&explain->history, silent->cpu)->pid);
		is = spinner && spinner->is_running && spin_holder_of(&holder, &owners, explain->pm->kernel, spinner) && holder.task->cpu == cpu;
	}
	if (is) {
		words_place(holds, (struct report_text){ holder.name, strlen(holder.name) });
		snprintf(task, sizeof(task), "%s-%d", holder.task->comm, holder.task->pid);
		finding_claim(explain->finding, "spinning", FINDING_LIKELY,
			      "A deadlock: CPU %u, task %s, in %.80s has taken a spinlock and waits for another CPU to answer its interrupt; CPU %u, task %s, in %.80s waits for that lock with interrupts off, for %llu s.",
			      cpu, task, holds, silent->cpu, silent->task, place, silent->ns / 1000000000);
		finding_open(explain->finding, "What is wrong of the two: to wait for another CPU with that lock held, or to take it with interrupts off.");
		add_silence(explain->finding, explain, silent);
		finding_next(explain->finding, "epitaph report --cpu %u FILE", silent->cpu);
	}
	owners_close(&owners);
	return is;
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
	if (claim_lock_and_interrupt(explain, cpu, &silent, place))
		return true;
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

/* A CPU that waits for another one, which did not stop for the panic. */
static bool claim_unstopped_other(struct explain *explain, u32 cpu, u64 since)
{
	const struct history_cpu *other;
	u32 nr;
	u64 ns;

	if (!silent_cpu_find_unstopped(&nr, &ns, explain, since) || nr == cpu || pm_lost(explain->pm))
		return false;
	other = history_cpu(&explain->history, nr);
	finding_claim(explain->finding, "spinning", FINDING_LIKELY,
		      "CPU %u waited for another CPU to %s, probably CPU %u: it ran %s-%llu, has had no event for %llu s, and did not stop for the panic either.", cpu,
		      waits_for_stop(explain->cause) ? "stop with it" : "answer its interrupt", nr, other->comm, other->pid, ns / 1000000000);
	finding_open(explain->finding, "Where CPU %u is: with interrupts off, as it seems. It did not come to write its registers down.", nr);
	finding_next(explain->finding, "epitaph report --cpu %u FILE", nr);
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
	if (!is_found && (claim_spinning_other(explain, cpu, since) || claim_unstopped_other(explain, cpu, since)))
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
			snprintf(explain->signed_by, sizeof(explain->signed_by), "%.*s", WORDS(silent_cpu_place(&silent)));
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

/* Return: who holds the lock is known, or none does. */
static bool claim_spinning(struct explain *explain, u32 cpu, const char *place, const char *task)
{
	struct finding *finding = explain->finding;
	struct long_run_context context;

	finding_open(finding, "Who holds the lock: another context, or this one itself, which took it twice. Or its memory was freed or overwritten, and none does.");
	if (long_run_context(&context, explain->cause))
		finding_claim(finding, "spinning", FINDING_SHOWN,
			      "CPU %u waited in %s, in %s, for %s that does not become free; %s %s.", cpu, context.what, place,
			      lock_word(explain->cause), context.task, task);
	else
		finding_claim(finding, "spinning", FINDING_SHOWN,
			      "CPU %u, task %s, waited for %s in %s that does not become free.", cpu, task, lock_word(explain->cause), place);
	return own_lock_add(explain, cpu, context.what, place, task);
}

/*
 * For how long the CPU had no event, not even a tick of its clock, when a soft lockup was found: for most of the time that it counts.
 * 0: it had some, or that is not known.
 */
static u64 stood_still(const struct explain *explain, const struct kernel_report *report, u32 nr)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, nr);
	const char *at = memmem(report->title.text, report->title.len, " stuck for ", 11);
	u64 counted = at ? report_text_number(report->title, at + 11, 10) * 1000000000 : 0;

	if (!cpu || !counted || pm_lost(explain->pm) || cpu->gap < counted / 2 || cpu->gap_end > report->time + SOON_NS ||
	    report->time > cpu->gap_end + SOON_NS)
		return 0;
	return cpu->gap;
}

/* It ran with interrupts off, or not at all. */
static void claim_stood_still(struct explain *explain, u32 cpu, const char *place, const char *task, u64 ns)
{
	u64 from = history_cpu(&explain->history, cpu)->gap_end - ns;

	finding_claim(explain->finding, "soft-lockup", FINDING_SHOWN,
		      "CPU %u had no event for %llu s, not even a tick of its clock; when it went on it was in %s, task %s.", cpu, ns / 1000000000, place, task);
	finding_open(explain->finding, "Whether it ran meanwhile, with interrupts off, or stood still, as a virtual CPU that its host does not run: then that task is innocent.");
	finding_evidence(explain->finding, from, finding_event(cpu, ""), "the last event of CPU %u before that", cpu);
}

bool judge_lockup(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	struct report_text at;
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK], function[WORDS_FUNCTION];
	const char *kind;
	struct long_run_context context;
	struct silent_cpu silent;
	struct odd_count count;
	bool is_hard, is_odd, is_held = false;
	u32 cpu = 0;
	u64 still;

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
	is_odd = odd_count_find(&count, explain);
	still = is_hard || is_odd || !at.text || is_idle_task(task) || cpu_spins(explain, report) || cpu_waits_for_answer(report) || waits_for_stop(report) ?
		0 : stood_still(explain, report, cpu);
	if (is_odd)
		odd_count_claim(explain, kind, cpu, place, *task ? task : "unknown", &count);
	else if (still)
		claim_stood_still(explain, cpu, place, *task ? task : "unknown", still);
	else if (cpu_waits_for_answer(report) || waits_for_stop(report))
		claim_unanswered(explain, cpu, place, waits_since(explain, report, cpu));
	else if (cpu_spins(explain, report))
		is_held = claim_spinning(explain, cpu, place, *task ? task : "unknown");
	else if (long_run_context(&context, report))
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
	if (is_odd || still || cpu_waits_for_answer(report) || waits_for_stop(report)) {
		;
	} else if (cpu_spins(explain, report) && !is_hard && !is_held && silent_cpu_find(&silent, explain, cpu, waits_since(explain, report, cpu))) {
		claim_holder(explain, cpu, at, &silent);
	} else if (is_idle_task(task) && !is_hard && !cpu_spins(explain, report) && !long_run_context(&context, report)) {
		finding_open(finding, "Why none came to run: an idle CPU lets each one run. Its clock stood still, or the machine did, such as a guest that its host stopped.");
	} else if (!cpu_spins(explain, report)) {
		finding_open(finding, "Why it did not come to an end.");
		poll_loop_add(explain);
	}
	if (!is_odd && !still && !irq_storm_claim(explain, cpu))
		end_wait_claim(explain, cpu);
	words_report_evidence(explain, report);
	long_run_switch(explain, cpu);
	finding->is_noticed = cpu != explain->pm->end.cpu;
	if (finding->is_noticed)
		finding_next(finding, "epitaph report --cpu %u FILE", cpu);
	return true;
}
