// SPDX-License-Identifier: GPL-2.0-or-later
#include "explain.h"

#include <elf.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "kept.h"
#include "judge/judge.h"
#include "judge/panic/panic.h"
#include "judge/access/access.h"
#include "judge/access/sanitizer.h"
#include "judge/hang/hang.h"
#include "judge/words.h"
#include "mce/decode.h"
#include "recording/branches.h"

/* What the kernel named as its reason comes before what is concluded from an oops. */
#define MOST_SAID	2	/* lines of the log before the kernel's report */

static bool (*const judges[])(struct explain *explain) = {
	judge_machine_check, judge_sysrq, judge_init, judge_root, judge_memory, judge_filesystem,
	judge_hung_task, judge_lockup, judge_nmi, judge_rcu_stall, judge_sanitizer, judge_lockdep, judge_stack, judge_timer, judge_outlived, judge_unloaded,
	judge_access, judge_check,
	judge_exception, judge_panic_call, judge_deadlock, judge_listed, judge_end,
};

/* --- what else ----------------------------------------------------------- */

/* When a module was loaded, if that is in the trace; NULL: it is not. */
static const struct history_module *load_of(const struct explain *explain, const char *name)
{
	for (u32 i = explain->history.nr_modules; i--; )
		if (!explain->history.modules[i].is_gone && !strcmp(explain->history.modules[i].name, name))
			return &explain->history.modules[i];
	return NULL;
}

/* The last lines of the log since the module was loaded at @from, up to the kernel's first report: what its driver said. */
static void add_lines_since(struct explain *explain, u64 from)
{
	static const char *const of_loading[] = { "loading out-of-tree module", "module verification failed", "module license", "epitaph", "[ cut here ]" };
	const struct report_lines *lines = &explain->death->lines;
	u64 until = explain->pm->end.time;
	u32 nr = 0;

	for (u32 i = 0; i < explain->death->reports.nr; i++)
		if (explain->death->reports.list[i].time > from && explain->death->reports.list[i].time < until)
			until = explain->death->reports.list[i].time;
	for (u32 i = lines->nr; i-- && nr < MOST_SAID; ) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };
		bool is_of_loading = false, is_said = false;

		for (size_t k = 0; k < ARRAY_SIZE(of_loading); k++)
			is_of_loading |= report_text_has(line, of_loading[k]);
		/* A report may begin with words in front of its title, which are evidence already. */
		for (u32 k = 0; explain->cause && k < explain->cause->nr_lines; k++)
			is_said |= explain->cause->lines[k].text == line.text;
		if (is_of_loading || is_said || !line.len || lines->list[i].time <= from || lines->list[i].time >= until)
			continue;
		words_line_evidence(explain, "the log has before it: ", line);
		nr++;
	}
}

/* The module that the claim names, as evidence. */
static void add_module(struct explain *explain)
{
	const char *name = explain->fault.module;
	const struct history_module *load = load_of(explain, name);
	char flags[16];

	if (!*name)
		return;
	words_module_flags(flags, explain, explain->cause ?: explain->panic, name);
	if (load)
		finding_evidence(explain->finding, load->time, finding_event(NO_CPU, "module:module_load"),
				 "the module %s was loaded", name);
	if (load)
		add_lines_since(explain, load->time);
	if (strchr(flags, 'O') || strchr(flags, 'P'))
		finding_evidence_timeless(explain->finding, "the module %s is %s%s", name,
					  strchr(flags, 'P') ? "proprietary" : "out of tree, not part of the kernel's source",
					  strchr(flags, 'E') ? ", and not signed" : "");
}

/* Is a function of it among those that called what died? */
static bool is_in_frames(const struct explain *explain, const char *name)
{
	for (u32 i = 0; explain->cause && i < explain->cause->nr_frames; i++) {
		struct fault_text of = { 0 };

		fault_text_take_module(&of, explain->cause->frames[i]);
		if (!strcmp(of.module, name))
			return true;
	}
	return false;
}

static void note_modules(struct explain *explain)
{
	const struct history *history = &explain->history;
	u64 end = explain->pm->end.time;
	u32 nr = 0;

	for (u32 i = 0; i < history->nr_modules; i++)
		nr += !!strcmp(history->modules[i].name, explain->fault.module);
	for (u32 i = 0; i < history->nr_modules && nr <= 3; i++) {
		const struct history_module *module = &history->modules[i];
		u64 ns = end > module->time ? end - module->time : 0;

		if (strcmp(module->name, explain->fault.module) && !module->is_gone && is_in_frames(explain, module->name)) {
			finding_evidence(explain->finding, module->time, finding_event(NO_CPU, "module:module_load"),
					 "the module %s was loaded, of which a function is in the call trace", module->name);
			add_lines_since(explain, module->time);
		} else if (strcmp(module->name, explain->fault.module)) {
			finding_note(&explain->finding->also, "the module %s was %s %llu.%03llu s before the end",
				     module->name, module->is_gone ? "unloaded" : "loaded", ns / 1000000000, ns / 1000000 % 1000);
		}
	}
	if (nr > 3)
		finding_note(&explain->finding->also, "%u modules or more were loaded or unloaded while it was recorded", nr);
	if (!history->nr_modules && history->nr_events)
		finding_note(&explain->finding->not_found, "a module that was loaded or unloaded while it was recorded");
}

static void note_last_report(struct explain *explain, u32 nr, const struct kernel_report *last)
{
	u64 end = explain->pm->end.time, ns = end > last->time ? end - last->time : 0;
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK];

	words_place(place, last->place);
	words_task(task, last);
	finding_note(&explain->finding->also, "%u earlier report%s of the kernel; the last, %llu.%03llu s before the end: %.*s, in %s%s%s",
		     nr, nr == 1 ? "" : "s", ns / 1000000000, ns / 1000000 % 1000, WORDS(last->title), place,
		     *task ? ", task " : "", task);
}

static void note_earlier_reports(struct explain *explain)
{
	const struct death *death = explain->death;
	const struct kernel_report *last = NULL;
	u32 nr = death->reports.nr_dropped;

	for (u32 i = 0; i < death->reports.nr; i++) {
		if (death_has(death, i) || &death->reports.list[i] == explain->cause ||
		    &death->reports.list[i] == reason_of_warning(explain) || (death->panic >= 0 && i >= death->panic))
			continue;
		nr++;
		last = &death->reports.list[i];
	}
	/* Without a log it was not looked for. */
	if (!nr && (death->lines.nr || !pm_damage(explain->pm)))
		finding_note(&explain->finding->not_found, "an earlier oops or warning of this boot");
	else if (last)
		note_last_report(explain, nr, last);
}

static void note_later_reports(struct explain *explain)
{
	const struct death *death = explain->death;

	for (u32 i = death->panic < 0 ? death->reports.nr : death->panic + 1; i < death->reports.nr; i++)
		if (!death_has(death, i) && (death->reports.list[i].kind == KERNEL_REPORT_OOPS ||
					     death->reports.list[i].kind == KERNEL_REPORT_PANIC))
			finding_note(&explain->finding->also, "after the panic: %.*s",
				     WORDS(death->reports.list[i].title));
	for (u32 i = 0; i < death->nr_cpus; i++)
		finding_note(&explain->finding->also, "CPU %u was dying as well, at %s", death->cpus[i].cpu,
			     *death->cpus[i].place ? death->cpus[i].place : "an unknown place");
}

static void note_machine_checks(struct explain *explain)
{
	const struct mces *mces = pm_mces(explain->pm);
	struct finding *finding = explain->finding;
	u32 nr = mces_count(mces);

	if (!nr)
		finding_note(&finding->not_found, "a machine check");
	else if (strcmp(finding->kind, "machine-check"))
		finding_note(&finding->also, "%u machine check%s, none of which stopped the kernel: epitaph mce FILE", nr,
			     nr == 1 ? "" : "s");
}

static void note_what_is_missing(struct explain *explain)
{
	const struct postmortem *pm = explain->pm;
	struct finding *finding = explain->finding;

	if (!explain->history.nr_events && !explain->death->lines.nr && pm_damage(pm))
		finding_note(&finding->missing, "recorded events: those that there were cannot be read");
	else if (!explain->history.nr_events)
		finding_note(&finding->missing, "recorded events: the file has the kernel's log alone");
	else if (pm->console && pm->console->nr_unplaced)
		finding_note(&finding->missing, "when %u events of ftrace happened that the kernel printed: with printk:console among them, the text says it",
			     pm->console->nr_unplaced);
	else if (!explain->history.has_switches)
		finding_note(&finding->missing, "task switches: epitaph events '+sched:sched_switch' records them");
	if (pm->is_other_boot)
		finding_note(&finding->missing, "%s%s", pm->recording ? "the kernel of this dump, which is " : "a recording: ",
			     pm->recording ? pm->why_no_kernel : pm->why_no_region);
	if (!explain->death->lines.nr)
		finding_note(&finding->missing, "the kernel's log");
	else if (explain->death->lines.source == REPORT_SOURCE_CONSOLE)
		finding_note(&finding->missing, "the full log: only lines that were printed on a console are here; a vmcore has all");
	if (explain->pm->console && explain->pm->console->is_timeless)
		finding_note(&finding->missing, "times: the lines of this text have none, they are in their order alone");
	if (explain->fault.nr_registers && !instruction_can_decode())
		finding_note(&finding->missing, "which register and field it was: libcapstone decodes the instruction, and is not here (Debian: libcapstone4)");
	if (pm_lost(pm))
		finding_note(&finding->missing, "%llu events at least, which were lost", pm_lost(pm));
	if (pm_damage(pm))
		finding_note(&finding->missing, "what was in %llu damaged places; epitaph check FILE lists them", pm_damage(pm));
	/* A sanitizer says it itself, if it knows it. */
	if ((!strcmp(finding->kind, "freed-memory") || !strcmp(finding->kind, "list-corruption") ||
	     !strcmp(finding->kind, "deleted-entry")) && (!explain->cause || !kernel_report_is_of_sanitizer(explain->cause)))
		finding_note(&finding->missing, "who freed the memory. To have it next time, on that machine: epitaph events '+kmem:*'");
}

/* --- all ----------------------------------------------------------------- */

/* Does it look like an address of the kernel's data? */
static bool is_data_pointer(u64 value)
{
	return in_kernel_half(value) && value < 0xffffffff80000000ULL;
}

static void ask(struct explain *explain)
{
	hung_task_ask(explain);
	rcu_stall_ask(explain);
	listed_ask(explain);
	object_ask(explain);
	for (u32 i = 0; i < explain->fault.nr_registers; i++)
		if (is_data_pointer(explain->fault.registers[i].value) &&
		    !fault_text_is_stack(&explain->fault.registers[i]) && strcmp(explain->fault.registers[i].name, "GS"))
			history_ask_value(&explain->history, explain->fault.registers[i].value);
}

/*
 * With "quiet" only the first line of a soft lockup is on a console. The CPU itself found it, and panics: its call
 * trace has behind the interrupt what was locked up.
 */
static bool complete_lockup(struct explain *explain, const struct kernel_report *report)
{
	const struct kernel_report *panic = explain->panic;
	struct kernel_report *completed = &explain->completed;

	if (!report || report->kind != KERNEL_REPORT_LOCKUP || !report_text_has(report->title, "soft lockup") ||
	    report->place.text || report->nr_frames || !panic || !panic->interrupted.text)
		return false;
	*completed = *report;
	completed->place = panic->interrupted;
	completed->nr_frames = panic->nr_frames - panic->interrupted_frame;
	memcpy(completed->frames, panic->frames + panic->interrupted_frame, completed->nr_frames * sizeof(*panic->frames));
	completed->cpu = panic->cpu;
	completed->comm = panic->comm;
	completed->pid = panic->pid;
	return true;
}

/* A report that was not printed has neither lines nor a time of its own. */
static void complete(struct explain *explain, const struct kernel_report **report)
{
	struct kernel_report *completed = &explain->completed;
	const struct stopped_cpu *stopped = &explain->stopped;
	bool is_panic = !*report || (*report)->kind == KERNEL_REPORT_PANIC;

	if (complete_lockup(explain, *report)) {
		*report = completed;
		return;
	}
	if (*report && kernel_report_is_of_sanitizer(*report)) {
		*completed = **report;
		sanitizer_complete(completed, explain->death);
		*report = completed;
		if (completed->nr_frames)
			return;
	}
	/* A report that panic() cuts short has its call trace below the panic's line. */
	if (*report && (*report)->kind <= KERNEL_REPORT_WARNING && !(*report)->nr_frames && explain->panic &&
	    explain->panic != *report && explain->panic->nr_frames) {
		*completed = **report;
		memcpy(completed->frames, explain->panic->frames, sizeof(completed->frames));
		completed->nr_frames = explain->panic->nr_frames;
		*report = completed;
		return;
	}
	/* The CPU that found a lockup or a hung task is not the one that the report is of. */
	if ((*report && ((*report)->nr_frames || (*report)->kind > KERNEL_REPORT_WARNING)) ||
	    !stopped_cpu_read(&explain->stopped, explain->pm, explain->pm->recording ? explain->pm->recording->crash.cpu : NO_CPU))
		return;
	*completed = *report ? **report : (struct kernel_report){ .time = explain->pm->end.time };
	memcpy(completed->frames, stopped->frames, sizeof(completed->frames));
	completed->nr_frames = stopped->nr_frames;
	if (!is_panic && !completed->place.text)
		completed->place = stopped->frames[0];
	*report = completed;
}

/* Bits of the error code of a page fault: arch/x86/include/asm/trap_pf.h */
static enum fault_access access_of_error(u64 code)
{
	return code & 0x10 ? FAULT_CALL : code & 2 ? FAULT_WRITE : FAULT_READ;
}

/* Of arm64, whose error is ESR_EL1: Arm Architecture Reference Manual (DDI 0487), D24.2.40. */
static enum fault_access access_of_syndrome(u64 esr)
{
	switch (esr >> 26 & 0x3f) {
	case 0x21:
		return FAULT_CALL;
	case 0x25:
		return esr & 0x40 ? FAULT_WRITE : FAULT_READ;
	default:
		return FAULT_UNKNOWN;
	}
}

/*
 * The lines of an oops are lost, as by a ring that its call trace filled; the recorder's stamp has what it was and
 * where: "Oops: error 0x2 at victim_fire+0x12/0x20 [victim], address 0x0".
 */
static bool take_stamp(struct explain *explain)
{
	const struct postmortem *pm = explain->pm;
	struct report_text said = explain->said, place;
	const char *error = said.text ? memmem(said.text, said.len, ": error 0x", 10) : NULL, *at, *address;

	if (explain->cause || explain->panic || !error || !pm->recording || !pm->recording->crash.known || pm->recording->crash.from_dump ||
	    memmem(said.text, error - said.text, "; ", 2))
		return false;
	at = memmem(error, said.text + said.len - error, " at ", 4);
	if (!at)
		return false;
	place = (struct report_text){ at + 4, said.text + said.len - at - 4 };
	address = memmem(place.text, place.len, ", address 0x", 12);
	if (address)
		place.len = address - place.text;
	explain->completed = (struct kernel_report){
		.kind = KERNEL_REPORT_OOPS, .time = pm->end.time, .caller = KERNEL_REPORT_NO_CALLER, .title = { said.text, error - said.text },
	};
	if (!place.len || !memchr(place.text, '+', place.len))
		return false;
	explain->completed.place = place;
	explain->cause = &explain->completed;
	fault_text_read(&explain->fault, explain->death, explain->cause);
	if (address && !explain->fault.has_address) {
		u64 code = report_text_number(said, error + 10, 16);
		u32 machine = pm->recording->generation->hdr.machine;

		explain->fault.has_address = true;
		explain->fault.address = report_text_number(said, address + 12, 16);
		explain->fault.access = machine == EM_X86_64 ? access_of_error(code) : machine == EM_AARCH64 ? access_of_syndrome(code) : FAULT_UNKNOWN;
	}
	return true;
}

static void take_death(struct explain *explain)
{
	const struct death *death = explain->death;

	explain->panic = death->panic < 0 ? NULL : &death->reports.list[death->panic];
	explain->cause = death->cause < 0 ? NULL : &death->reports.list[death->cause];
	if (explain->panic)
		explain->said = kernel_report_panic_text(explain->panic);
	else if (explain->pm->end.how == OUTCOME_CRASHED && !explain->pm->end.is_unsaid)
		explain->said = (struct report_text){ explain->pm->end.reason, strlen(explain->pm->end.reason) };
	if (!take_stamp(explain))
		fault_text_read(&explain->fault, death, explain->cause ?: explain->panic);
	if (!*explain->fault.module && explain->cause)
		fault_text_take_module(&explain->fault, words_frame(explain->cause, plumbing_has));
	complete(explain, explain->cause ? &explain->cause : &explain->panic);
	if (explain->cause && kernel_report_is_of_sanitizer(explain->cause))
		fault_text_take_module(&explain->fault, explain->cause->place);
}

/* The place in lines of source. */
static void add_source(struct explain *explain)
{
	struct report_text place = explain->cause ? explain->cause->place : (struct report_text){ NULL, 0 };
	char *line = NULL;
	size_t len = 0;
	FILE *f;

	if (!place.text || !explain->pm->debuginfo)
		return;
	f = open_memstream(&line, &len);
	if (!f)
		return;
	debuginfo_put_text(explain->pm->debuginfo, f, place.text, place.len, true);
	if (!fclose(f) && len > place.len)
		finding_evidence_timeless(explain->finding, "source: %s", line);
	free(line);
}

#define BRANCHES_SHOWN	3

/*
 * How the CPU that died got to the place: the branch that left its function, and those before. Newer ones
 * are of the handlers, and of the recorder.
 */
static void add_last_branches(struct explain *explain)
{
	const struct postmortem *pm = explain->pm;
	char place[WORDS_FUNCTION] = "", name[WORDS_FUNCTION];
	struct epitaph_branches list;
	struct branch_ends ends;
	u32 nr = 0;

	if (pm->end.how != OUTCOME_CRASHED || pm->end.cpu == NO_CPU || !pm->recording || !explain->cause ||
	    branches_read(pm->recording, pm->end.cpu, &list) != 1 ||
	    le32toh(list.cpu) != pm->end.cpu || le32toh(list.state) != EPITAPH_BRANCHES_READ)
		return;
	words_function(place, explain->cause->place);
	ends = branch_ends_of(pm->recording, &list);
	while (*place && nr < BRANCHES_SHOWN && branch_ends_next(&ends)) {
		if (!ends.from || !ends.to)
			continue;
		words_function(name, (struct report_text){ ends.from, ends.from_len });
		if (!nr && strcmp(name, place))
			continue;
		finding_evidence_timeless(explain->finding, "%sCPU %u branched: %.*s -> %.*s",
					  nr++ ? "before that, " : "", pm->end.cpu, (int)ends.from_len, ends.from,
					  (int)ends.to_len, ends.to);
	}
}

/* A timer or a work item that the CPU died in: who asked for it, long before. */
static void add_origin(struct explain *explain)
{
	const struct history_cpu *cpu = timers_died_in(explain);
	struct finding *finding = explain->finding;
	const struct history_origin *origin;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION] = "", doer[WORDS_TASK];
	const char *what, *done, *begin, *request;

	if (!cpu)
		return;
	what = cpu->runs == HISTORY_TIMER ? "timer" : "work item";
	done = cpu->runs == HISTORY_TIMER ? "armed" : "queued";
	begin = cpu->runs == HISTORY_TIMER ? "timer:timer_expire_entry" : "workqueue:workqueue_execute_start";
	request = cpu->runs == HISTORY_TIMER ? "timer:timer_start" : "workqueue:workqueue_queue_work";
	origin = history_origin(&explain->history, cpu->object);
	if (origin && words_symbol_at(explain, origin->function, origin->time, origin->raw, name, sizeof(name)))
		words_place(place, (struct report_text){ name, strlen(name) });
	finding_evidence(finding, cpu->began, finding_event(explain->pm->end.cpu, begin), "CPU %u began to run the %s %016llx, and did not come to its end",
			 explain->pm->end.cpu, what, cpu->object);
	if (origin)
		words_doer(doer, origin->comm, origin->pid);
	if (origin && origin->time <= cpu->began)
		finding_evidence(finding, origin->time, finding_event(origin->cpu, request), "%s %s this %s, on CPU %u%s%s", doer,
				 done, what, origin->cpu, *place ? ", for " : "", place);
	else
		finding_note(&finding->not_found, "who %s the %s that the CPU died in", done, what);
}

/* What anybody does next. */
static void add_next(struct explain *explain)
{
	const struct postmortem_end *end = &explain->pm->end;
	struct finding *finding = explain->finding;

	if (end->how != OUTCOME_CRASHED)
		return;
	if (end->cpu != NO_CPU && explain->history.nr_events && !finding->is_noticed)
		finding_next(finding, "epitaph report --cpu %u FILE", end->cpu);
	if (explain->pm->kernel)
		finding_next(finding, "epitaph report --source log --events 60 FILE");
	if (explain->cause && explain->cause->place.text && !explain->pm->debuginfo)
		finding_note(&finding->missing, "lines of source: epitaph explain --debug-dir DIR FILE adds them, with debuginfo of this kernel");
}

/* Each worker has the same frames: the function of its work item comes first, where the kernel alone names that. */
static void sign_by_hung_task(struct explain *explain, const struct kernel_report *report)
{
	struct report_text at = hung_task_place(explain, report);

	signature_make(explain->finding, report, at.text && !memchr(at.text, '+', at.len) ? at : report->place);
}

/* What is said of memory is of that, then. */
static void add_kept(struct explain *explain)
{
	if (explain->kernel && explain->kernel->kept)
		finding_evidence_timeless(explain->finding, "memory: there is no dump of it; what the recorder kept of it when the kernel died was asked");
}

static void judge(struct explain *explain)
{
	static const struct report_text none;

	for (size_t i = 0; i < ARRAY_SIZE(judges) && !judges[i](explain); i++)
		;
	if (*explain->signed_by)
		signature_make_of(explain->finding, explain->signed_by, explain->is_signed_in_part);
	else if (!strcmp(explain->finding->kind, "nmi"))
		signature_make(explain->finding, NULL, none);
	/* Whose request failed last says nothing of the cause. */
	else if (!strcmp(explain->finding->kind, "out-of-memory"))
		signature_make(explain->finding, NULL, none);
	else if (!strcmp(explain->finding->kind, "hung-task") && explain->listed)
		signature_make(explain->finding, explain->listed, none);
	else if (!strcmp(explain->finding->kind, "hung-task") && explain->cause)
		sign_by_hung_task(explain, &explain->death->reports.list[explain->death->first_blocked]);
	else
		signature_make(explain->finding, explain->cause ?: explain->panic, none);
	add_source(explain);
	add_last_branches(explain);
	add_origin(explain);
	finding_minor(explain->finding, true);
	add_kept(explain);
	finding_minor(explain->finding, false);
	module_sleepers_add(explain);
	module_between_add(explain);
	finding_minor(explain->finding, true);
	add_module(explain);
	finding_minor(explain->finding, false);
	add_next(explain);
	note_modules(explain);
	listed_note(explain);
	note_later_reports(explain);
	note_earlier_reports(explain);
	note_machine_checks(explain);
	note_what_is_missing(explain);
}

/* A text ends anywhere: what @report is of may have been over by then. */
static void note_that_it_may_have_gone_on(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	u64 s = report && explain->pm->end.time > report->time ? (explain->pm->end.time - report->time) / 1000000000 : 0;
	char on[48] = "";
	bool is_shown = !report || report->kind <= KERNEL_REPORT_WARNING;

	if (!is_shown && finding->strength > FINDING_POSSIBLE)
		finding->strength = FINDING_POSSIBLE;
	if (!explain->pm->console->is_timeless)
		snprintf(on, sizeof(on), ", and goes on for %llu s", s);
	finding_note(&finding->missing, "how it ended: the text has no panic behind this %s%s; the machine may have gone on",
		     !report || report->kind == KERNEL_REPORT_OOPS ? "oops" : is_shown ? "report" : report->kind == KERNEL_REPORT_LOCKUP ? "lockup" : "stall", on);
}

int explain_death(struct finding *finding, struct postmortem *pm, struct err *err)
{
	struct explain explain = { .pm = pm, .finding = finding };
	struct kernel *kept = NULL;
	struct death death;
	bool is_outlived = false;
	int ret = death_read(&death, pm, err);

	memset(finding, 0, sizeof(*finding));
	finding->end = pm->end.time;
	if (!ret) {
		explain.death = &death;
		explain.is_hang = pm->end.how == OUTCOME_UNKNOWN && death_take_hang(&death);
		is_outlived = !explain.is_hang && pm->console && pm->end.how == OUTCOME_UNKNOWN && death_take_last(&death, pm);
		take_death(&explain);
		ret = printed_tasks_read(&explain.printed, death.lines.list, death.lines.nr, err);
	}
	if (!ret && !pm->kernel)
		ret = kept_open(&kept, pm, err);
	explain.kernel = pm->kernel ?: kept;
	if (!ret)
		ret = faulting_access_read(&explain.access, explain.kernel, &death, explain.cause,
					   words_frame(explain.cause, plumbing_is_of_dying), &explain.fault, err);
	if (!ret) {
		ask(&explain);
		ret = history_read(&explain.history, pm, err);
	}
	if (!ret)
		judge(&explain);
	if (!ret && is_outlived)
		note_that_it_may_have_gone_on(&explain);
	history_free(&explain.history);
	printed_tasks_free(&explain.printed);
	death_free(&death);
	kernel_close(kept);
	return ret;
}
