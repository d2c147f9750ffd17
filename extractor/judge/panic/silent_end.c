// SPDX-License-Identifier: GPL-2.0-or-later
/* No crash, or no word of one: an orderly end, last words, sleep, heat. */
#include <stdio.h>
#include <string.h>

#include "judge/words.h"
#include "panic.h"

#define ORDERLY_NS	180000000000ULL	/* in which the system shuts down, or is forced to */

static void add_last_of_cpus(struct explain *explain)
{
	const struct history *history = &explain->history;

	for (u32 i = 0; i < history->nr_cpus && i < FINDING_EVIDENCE; i++) {
		const struct history_cpu *cpu = history_cpu(history, i);

		if (cpu && cpu->switched)
			finding_evidence(explain->finding, cpu->last, finding_event(i, ""),
					 "last event of CPU %u, which ran %s-%llu", i, cpu->comm, cpu->pid);
		else if (cpu)
			finding_evidence(explain->finding, cpu->last, finding_event(i, ""), "last event of CPU %u", i);
	}
}

/* What a kernel prints last that ends at once and in no order. */
static const struct last_words {
	const char *words;
	const char *claim;
	const char *open;
} all_last_words[] = {
	{ "sysrq: Resetting", "The machine was reset by sysrq-b", "Who asked for it, and why. If the machine was hanging, look at the seconds before." },
	{ "sysrq: Power Off", "The machine was switched off by sysrq-o", "Who asked for it, and why. If the machine was hanging, look at the seconds before." },
	{ "softdog: Initiating system reboot", "The software watchdog (softdog) reset the machine, as no program had written to it in time",
	  "Why: the program had ended, or what it waits for, or all of them, hung." },
};

static bool claim_last_words(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct report_line *line = lines->nr ? &lines->list[lines->nr - 1] : NULL;
	struct finding *finding = explain->finding;

	for (size_t i = 0; line && i < ARRAY_SIZE(all_last_words); i++) {
		const struct last_words *last = &all_last_words[i];

		if (!report_text_has((struct report_text){ line->text, line->len }, last->words))
			continue;
		finding_claim(finding, "reset", FINDING_SHOWN, "%s: that is the last that the kernel printed.", last->claim);
		finding_evidence(finding, line->time, finding_line(line->text, line->len), "%.*s", (int)line->len, line->text);
		finding_open(finding, "%s", last->open);
		finding_next(finding, "epitaph report --last 60 FILE");
		return true;
	}
	return false;
}

/* Did it go to sleep, and not say that it woke up? */
static const struct report_line *find_sleep(const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = lines->nr; i--; ) {
		struct report_text text = { lines->list[i].text, lines->list[i].len };

		if (report_text_has(text, "PM: suspend exit") || report_text_has(text, "PM: hibernation: hibernation exit"))
			return NULL;
		if (report_text_has(text, "PM: suspend entry") || report_text_has(text, "PM: hibernation: hibernation entry"))
			return &lines->list[i];
	}
	return NULL;
}

/* Why the kernel shuts down by itself: "acpitz: critical temperature reached". */
static bool claim_heat(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct postmortem_end *end = &explain->pm->end;

	for (u32 i = lines->nr; i--; ) {
		const struct report_line *line = &lines->list[i];
		struct report_text text = { line->text, line->len };

		if (line->time > end->time || end->time - line->time > ORDERLY_NS ||
		    (!report_text_has(text, "critical temperature reached") && !report_text_has(text, "HARDWARE PROTECTION shutdown")))
			continue;
		finding_claim(explain->finding, "ended", FINDING_SHOWN,
			      "This kernel did not crash: it was too hot or had to protect its hardware, and ended in order, by \"%s\".", end->reason);
		finding_evidence(explain->finding, line->time, finding_line(line->text, line->len), "%.*s", WORDS(text));
		return true;
	}
	return false;
}

/* What was looked for in vain is said of all that was. */
static void note_no_end(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	bool has_sysrq = false, has_oops = false;

	for (u32 i = 0; i < lines->nr; i++)
		has_sysrq |= lines->list[i].len > 7 && !memcmp(lines->list[i].text, "sysrq: ", 7);
	for (u32 i = 0; i < explain->death->reports.nr; i++)
		has_oops |= explain->death->reports.list[i].kind == KERNEL_REPORT_OOPS;
	finding_note(&explain->finding->not_found, "a panic%s%s in the log or in the marks", has_oops ? "" : has_sysrq ? " or an oops" : ", an oops",
		     has_sysrq ? "" : " or a sysrq");
}

/*
 * What is gone with a part of the file may have said all: of a copy that was cut, no reset can be
 * known, and each cut of one crash has the same signature.
 */
static bool claim_unreadable(struct explain *explain)
{
	const struct postmortem_end *end = &explain->pm->end;
	struct finding *finding = explain->finding;

	if (explain->death->lines.nr || !pm_damage(explain->pm))
		return false;
	finding_claim(finding, "unreadable", FINDING_NOT_KNOWN,
		      "%s not known: the file is cut off or damaged in %llu place%s, and the kernel's log in it cannot be read.",
		      end->how == OUTCOME_CRASHED ? "It crashed; why is" : "How it ended is", pm_damage(explain->pm),
		      pm_damage(explain->pm) == 1 ? "" : "s");
	finding_next(finding, "epitaph check FILE    # what is damaged, and where");
	finding_next(finding, "ls -l FILE            # is the original as long? If not, copy it again");
	return true;
}

bool judge_end(struct explain *explain)
{
	const struct postmortem_end *end = &explain->pm->end;
	struct finding *finding = explain->finding;
	const struct report_line *sleep;

	if (end->how == OUTCOME_ENDED && claim_heat(explain))
		return true;
	if (end->how == OUTCOME_ENDED) {
		finding_claim(finding, "ended", FINDING_SHOWN, "This kernel did not crash: it ended in order, by \"%s\".",
			      end->reason);
		return true;
	}
	if (claim_unreadable(explain))
		return true;
	if (end->how == OUTCOME_CRASHED) {
		finding_claim(finding, "panic-call", FINDING_NOT_KNOWN,
			      "It crashed, and no word of why is left: %s", *end->reason ? end->reason : "no log, no stamp.");
		return true;
	}
	if (claim_last_words(explain))
		return true;
	sleep = find_sleep(explain);
	if (sleep)
		finding_evidence(finding, sleep->time, finding_line(sleep->text, sleep->len), "%.*s", (int)sleep->len, sleep->text);
	if (sleep)
		finding_claim(finding, "reset", FINDING_NOT_KNOWN,
			      "The kernel went to sleep and did not say that it woke up: it hung on one of these ways, was reset, lost its power, or slept when this was read.");
	else
		finding_claim(finding, "reset", FINDING_NOT_KNOWN,
			      "The kernel did not say how it ended: it was reset, lost its power, hung, or still ran when this was read.");
	finding_open(finding, "Which of these: hardware, a hypervisor, a watchdog or a power switch leaves no word.");
	add_last_of_cpus(explain);
	note_no_end(explain);
	finding_next(finding, "epitaph report --last 5 FILE");
	finding_next(finding, "ipmitool sel list    # what the management controller saw");
	return true;
}
