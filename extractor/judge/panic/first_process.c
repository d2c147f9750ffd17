// SPDX-License-Identifier: GPL-2.0-or-later
/* The first process ended, or could not be started: there was no root file system. */
#include <stdio.h>
#include <string.h>

#include "judge/words.h"
#include "panic.h"

static const char *signal_name(u32 signal)
{
	switch (signal) {
	case 4: return "SIGILL";
	case 6: return "SIGABRT";
	case 7: return "SIGBUS";
	case 9: return "SIGKILL";
	case 11: return "SIGSEGV";
	case 15: return "SIGTERM";
	default: return "no common one";
	}
}

/* Lines of the log of a fault of process 1. */
static void add_faults_of_init(struct explain *explain, u64 before)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = 0; i < lines->nr; i++) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };

		if (lines->list[i].time <= before &&
		    (report_text_has(text, "[1]: segfault at") || report_text_has(text, "[1] trap ") ||
		     report_text_has(text, "[1]: unhandled") || report_text_has(text, "[1] general protection")))
			finding_evidence(explain->finding, lines->list[i].time, finding_line(text.text, text.len), "%.*s", WORDS(text));
	}
}

/* An oops that ended the task is the cause of the panic about its end. */
static bool take_oops_of(struct explain *explain, const char *pid)
{
	const struct death *death = explain->death;
	u32 end = death->panic < 0 ? death->reports.nr : death->panic;

	while (end--) {
		const struct kernel_report *report = &death->reports.list[end];

		if (report->kind != KERNEL_REPORT_OOPS || report->pid.len != strlen(pid) ||
		    memcmp(report->pid.text, pid, report->pid.len))
			continue;
		explain->cause = report;
		fault_text_read(&explain->fault, death, report);
		return true;
	}
	return false;
}

bool judge_init(struct explain *explain)
{
	struct finding *finding = explain->finding;
	const char *at = explain->said.text;
	u32 code;

	if (report_text_has(explain->said, "Attempted to kill the idle task!"))
		take_oops_of(explain, "0");
	if (!report_text_has(explain->said, "Attempted to kill init!") || take_oops_of(explain, "1"))
		return false;
	at = memmem(at, explain->said.len, "exitcode=0x", 11);
	code = at ? report_text_number(explain->said, at + 11, 16) : 0;
	if (!at)
		finding_claim(finding, "init-died", FINDING_SHOWN,
			      "Process 1 ended, and no system runs without it.");
	else if (code & 0x7f)
		finding_claim(finding, "init-died", FINDING_SHOWN,
			      "Process 1 was killed by signal %u (%s), and no system runs without it.",
			      code & 0x7f, signal_name(code & 0x7f));
	else
		finding_claim(finding, "init-died", FINDING_SHOWN,
			      "Process 1 ended by itself with status %u, and no system runs without it.",
			      code >> 8 & 0xff);
	words_report_evidence(explain, explain->panic);
	add_faults_of_init(explain, explain->panic ? explain->panic->time : explain->pm->end.time);
	finding_open(finding, code & 0x7f ? "Who sent the signal, or what made it fault." :
					    "Why it ended.");
	finding_next(finding, "epitaph report --pid 1 --all FILE");
	return true;
}

bool judge_root(struct explain *explain)
{
	struct finding *finding = explain->finding;

	if (!report_text_has(explain->said, "Unable to mount root fs") &&
	    !report_text_has(explain->said, "No working init found") &&
	    !report_text_has(explain->said, "Requested init"))
		return false;
	if (report_text_has(explain->said, "Unable to mount root fs"))
		finding_claim(finding, "no-root", FINDING_SHOWN,
			      "The kernel found no root file system: %.*s.", WORDS(explain->said));
	else
		finding_claim(finding, "no-root", FINDING_SHOWN,
			      "The root file system has no init that runs: %.*s.", WORDS(explain->said));
	words_report_evidence(explain, explain->panic);
	finding_open(finding, "Why: root= and initrd of the boot loader, and the driver of the disk, decide this.");
	finding_next(finding, "epitaph report --source log --all FILE");
	return true;
}
