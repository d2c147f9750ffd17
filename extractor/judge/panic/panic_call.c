// SPDX-License-Identifier: GPL-2.0-or-later
/* Code that calls panic(), and sysrq-c, which asks for it. */
#include <stdio.h>
#include <string.h>

#include "judge/hang/hang.h"
#include "judge/words.h"
#include "panic.h"

#define RECENT_NS	60000000000ULL	/* they are repeated every few seconds */

/* A kernel that had an oops before prints neither task nor call trace; the recorder's stamp has the task. */
static void task_of_panic(char task[WORDS_TASK], const struct explain *explain)
{
	const struct postmortem_end *end = &explain->pm->end;

	words_task(task, explain->panic);
	if (!*task && end->how == OUTCOME_CRASHED && end->pid >= 0 && *end->comm)
		snprintf(task, WORDS_TASK, "%.*s-%lld", (int)sizeof(end->comm), end->comm, end->pid);
}

/* Of drivers/tty and drivers/input: who reads keys and lines. */
static bool is_of_keyboard(const struct kernel_report *report)
{
	static const char *const words[] = {
		"sysrq_filter", "input_", "kbd_", "serial8250_", "uart_", "tty_", "hvc_", "pl011_", "dw8250_", "lpuart_",
		"imx_uart_", "handle_sysrq_char", NULL,
	};
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (plumbing_begins(function, words))
			return true;
	}
	return false;
}

/* Lines by which the kernel says, again and again, that it waits: they are no reports, and it goes on. */
static const struct complaint {
	const char *words;
	const char *means;
} complaints[] = {
	{ "unregister_netdevice: waiting for ", "a network device cannot go, as a reference to it is not given back" },
	{ " not responding, still trying", "a server of a network file system does not answer" },
	{ "NETDEV WATCHDOG: ", "a network device does not send" },
	{ " timeout, reset controller", "a disk does not answer" },
	{ " timeout, aborting", "a disk does not answer" },
};

/* Of the last minute: the last such line as evidence, and what it means as what the claim leaves open. */
static void add_complaint(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct complaint *found = NULL;
	u64 end = explain->pm->end.time;
	u32 last = 0, nr = 0;

	for (u32 i = 0; i < lines->nr; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		for (size_t k = 0; k < ARRAY_SIZE(complaints); k++) {
			if (lines->list[i].time > end || end - lines->list[i].time > RECENT_NS || !report_text_has(line, complaints[k].words))
				continue;
			nr = found == &complaints[k] ? nr + 1 : 1;
			found = &complaints[k];
			last = i;
		}
	}
	if (!found)
		return;
	words_line_evidence(explain, "", (struct report_text){ lines->list[last].text, lines->list[last].len });
	finding_open(explain->finding, "Why it was asked for. Perhaps, as the kernel said %u time%s: %s.", nr, nr == 1 ? "" : "s", found->means);
}

bool judge_sysrq(struct explain *explain)
{
	struct finding *finding = explain->finding;
	const struct kernel_report *report = explain->panic;
	char task[WORDS_TASK];
	s64 rehearsal;

	if (!report_text_has(explain->said, "sysrq triggered crash"))
		return false;
	task_of_panic(task, explain);
	rehearsal = death_rehearsal(explain->death, explain->pm);
	if (rehearsal >= 0)
		finding_claim(finding, "sysrq-crash", FINDING_SHOWN,
			      "This was a rehearsal: epitaph test-crash asked for the crash%s%s.", *task ? ", as the task " : "", task);
	else if (report && words_has_frame(report, "write_sysrq_trigger"))
		finding_claim(finding, "sysrq-crash", FINDING_SHOWN,
			      "The crash was asked for: %s%s wrote \"c\" to /proc/sysrq-trigger.", *task ? "the task " : "a task", task);
	else if (report && is_of_keyboard(report))
		finding_claim(finding, "sysrq-crash", FINDING_SHOWN,
			      "The crash was asked for by sysrq-c, from a keyboard or a serial console: no write to /proc/sysrq-trigger is on the stack.");
	else if (report && report->nr_frames)
		finding_claim(finding, "sysrq-crash", FINDING_SHOWN,
			      "The crash was asked for by sysrq-c, and not by a write to /proc/sysrq-trigger: none is on the stack.");
	else
		finding_claim(finding, "sysrq-crash", FINDING_SHOWN,
			      "The crash was asked for by sysrq-c; the call trace that says by whom is not here.");
	if (rehearsal >= 0)
		words_line_evidence(explain, "", (struct report_text){ explain->death->lines.list[rehearsal].text,
								       explain->death->lines.list[rehearsal].len });
	else
		finding_open(finding, "Why it was asked for. If the machine was hanging, look at the seconds before.");
	if (rehearsal < 0)
		add_complaint(explain);
	words_report_evidence(explain, report);
	blocked_note(explain);
	return true;
}

/* Texts by which panic() ends what was reported before: alone they do not say why. */
static bool is_end_of_report(struct report_text said)
{
	static const char *const texts[] = {
		"Fatal exception", "hung_task: blocked", "softlockup: hung", "Hard LOCKUP", "RCU Stall",
		"panic_on_warn set", "kasan.fault=panic set", "Fatal hardware error",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (report_text_has(said, texts[i]))
			return true;
	return false;
}

/* The last report before a panic for a taint: that is what set it. kernel/panic.c, add_taint() */
static bool claim_taint(struct explain *explain)
{
	const struct death *death = explain->death;
	struct finding *finding = explain->finding;
	const struct kernel_report *report = death->panic > 0 ? &death->reports.list[death->panic - 1] : NULL;
	struct report_text because = { NULL, 0 };
	u32 from = 0;

	if (!report_text_has(explain->said, "panic_on_taint set") || !report || report->kind == KERNEL_REPORT_PANIC)
		return false;
	if (report_text_has(report->title, "Bad page state"))
		because = fault_text_line(death, report, "page dumped because: ", &from);
	finding_claim(finding, "panic-call", FINDING_SHOWN, "This machine panics on a taint (panic_on_taint=), after the kernel's report: %.*s%s%.*s.",
		      WORDS(report->title), because.text ? "; " : "", WORDS(because));
	if (because.text)
		finding_open(finding, "Who gave that page back once too often, or wrote to it or its struct page: the task that takes it now only found that.");
	else
		finding_open(finding, "What led to that report; its lines are in the log.");
	words_report_evidence(explain, report);
	words_report_evidence(explain, explain->panic);
	return true;
}

/* Texts of panic() that say more to who knows them. */
static const struct known_panic {
	const char *text;
	const char *kind;
	const char *claim;
	const char *open;
} known_panics[] = {
	{ "Uncorrected hardware memory error", "machine-check", "The kernel used memory that the hardware could not correct, where it cannot go on without.",
	  "Which module of memory: the lines of the hardware error, or what the management controller kept." },
	{ "EDAC ", "machine-check", "The driver of the memory controller (EDAC) reported an error that could not be corrected.",
	  "Why that memory failed; the panic's text says which it is." },
	{ "NMI IOCK error", "nmi", "An NMI said that a device or its bus has an error (I/O check), and this machine panics then (kernel.panic_on_io_nmi).",
	  "Which device: the management controller, or its own error registers." },
	{ "An NMI occurred", "nmi", "The management hardware of the server sent an NMI (hpwdt): a person pressed its button, it saw an error, or its watchdog had not been fed in time.",
	  "Why: the integrated management log has it." },
	{ "watchdog pretimeout event", "watchdog", "A watchdog was about to reset the machine: what feeds it had not done so in time.",
	  "Why: the program that feeds it did not run, or waited. Look at the CPUs and at memory in the time before." },
	{ "Software Watchdog Timer expired", "watchdog", "The software watchdog (softdog) expired: what feeds it had not done so in time.",
	  "Why: the program that feeds it did not run, or waited. Look at the CPUs and at memory in the time before." },
	{ "Corrupt kernel stack", "stack-overflow", "The stack pointer pointed to no stack of the kernel: it was overrun, or overwritten.",
	  "What ran on it: a deep recursion, a large local variable, or what wrote there." },
	{ "ernel stack overflow", "stack-overflow", "The kernel's stack was full; the lines that say where are not in this file.",
	  "Deep recursion or a large local variable: functions that repeat in the call trace say which." },
	{ "dm-verity device corrupted", "panic-call", "dm-verity read a block whose hash is wrong, and this device panics then.",
	  "Whether the disk gave other data than was written, or the image was changed: the line before has the block." },
};

static bool claim_known(struct explain *explain)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_panics); i++) {
		const struct known_panic *known = &known_panics[i];

		if (!report_text_has(explain->said, known->text))
			continue;
		finding_claim(explain->finding, known->kind, FINDING_SHOWN, "%s", known->claim);
		finding_open(explain->finding, "%s", known->open);
		words_report_evidence(explain, explain->panic);
		return true;
	}
	return false;
}

/* Before 4.6: the NMI watchdog's panic has the CPU in its text, and no line in front of it. */
static bool claim_hard_lockup(struct explain *explain)
{
	const char *at = explain->said.text ? memmem(explain->said.text, explain->said.len, "hard LOCKUP on cpu ", 19) : NULL;
	char place[2 * WORDS_FUNCTION];

	if (!at)
		return false;
	words_place(place, words_frame(explain->panic, plumbing_has));
	finding_claim(explain->finding, "hard-lockup", FINDING_SHOWN, "CPU %llu took no interrupts for too long, in %s.",
		      report_text_number(explain->said, at + 19, 10), place);
	finding_open(explain->finding, "What it waited for, or why it did not come to an end.");
	words_report_evidence(explain, explain->panic);
	return true;
}

/* What the NMI came into is behind its entry. */
static struct report_text frame_behind_nmi(const struct kernel_report *panic)
{
	char function[WORDS_FUNCTION];
	u32 from = 0;

	for (u32 i = 0; i < panic->nr_frames; i++) {
		words_function(function, panic->frames[i]);
		if (!strcmp(function, "end_repeat_nmi") || !strcmp(function, "asm_exc_nmi"))
			from = i + 1;
	}
	for (u32 i = from; from && i < panic->nr_frames; i++) {
		words_function(function, panic->frames[i]);
		if (*function && !plumbing_has(function))
			return panic->frames[i];
	}
	return (struct report_text){ NULL, 0 };
}

/* "Hard LOCKUP" is the panic of the CPU itself; the line in front of it is lost. */
static bool claim_lockup_of_panic(struct explain *explain)
{
	const struct kernel_report *panic = explain->panic;
	struct report_text at;
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK];

	if (!panic || !panic->cpu.text || !report_text_has(explain->said, "Hard LOCKUP"))
		return false;
	at = frame_behind_nmi(panic);
	if (!at.text)
		return false;
	words_place(place, at);
	words_task(task, panic);
	finding_claim(explain->finding, "hard-lockup", FINDING_SHOWN, "CPU %.*s, task %s, took no interrupts for too long, in %s.", WORDS(panic->cpu),
		      *task ? task : "unknown", place);
	finding_open(explain->finding, "What it waited for, or why it did not come to an end.");
	snprintf(explain->signed_by, sizeof(explain->signed_by), "%.*s", WORDS(at));
	words_report_evidence(explain, panic);
	return true;
}

bool judge_panic_call(struct explain *explain)
{
	struct finding *finding = explain->finding;
	const struct kernel_report *panic = explain->panic;
	struct report_text caller = words_frame(panic, plumbing_is_of_dying);
	struct fault_text of_caller = { 0 };
	char place[2 * WORDS_FUNCTION], task[WORDS_TASK];

	if (!explain->said.len || (explain->cause && explain->cause != panic))
		return false;
	if (claim_taint(explain) || claim_known(explain) || claim_hard_lockup(explain) || claim_lockup_of_panic(explain))
		return true;
	words_place(place, caller);
	words_task(task, panic);
	if (is_end_of_report(explain->said))
		finding_claim(finding, "panic-call", FINDING_NOT_KNOWN,
			      "The kernel panicked with \"%.*s\"; the lines that say for what are not in this file.",
			      WORDS(explain->said));
	else if (caller.text)
		finding_claim(finding, "panic-call", FINDING_SHOWN, "%s called panic()%s%s: \"%.*s\".", place,
			      *task ? ", in the task " : "", task, WORDS(explain->said));
	else
		finding_claim(finding, "panic-call", FINDING_SHOWN, "The kernel called panic(): \"%.*s\".",
			      WORDS(explain->said));
	if (finding->strength == FINDING_SHOWN)
		finding_open(finding, "Why the code decided so; read its source.");
	words_report_evidence(explain, panic);
	fault_text_take_module(&of_caller, caller);
	if (module_waits_add(explain, of_caller.module))
		finding_open(finding, "Why the code decided so. Perhaps it only noticed that the tasks of its module which wait did not go on; read its source.");
	return true;
}
