// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks of the kernel that failed: BUG(), WARN(), lists, counters, stacks; and CPU exceptions. */
#include <string.h>

#include "words.h"

/* The first of the report's lines that has @word. */
static struct report_text line_with(const struct kernel_report *report, const char *word)
{
	for (u32 i = 0; i < report->nr_lines; i++)
		if (report_text_has(report->lines[i], word))
			return report->lines[i];
	return (struct report_text){ NULL, 0 };
}

/* Where it stood, or who called what noticed it. */
static void place_of_check(char place[2 * WORDS_FUNCTION], const struct kernel_report *report)
{
	struct report_text frame = words_frame(report, words_is_plumbing);
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	words_place(place, *function && !words_is_plumbing(function) ? report->place : frame);
}

static bool is_list(const struct kernel_report *report, struct report_text *line)
{
	*line = line_with(report, "list_del corruption");
	if (!line->text)
		*line = line_with(report, "list_add ");
	if (!line->text && report->before.text &&
	    (report_text_has(report->before, "list_del corruption") || report_text_has(report->before, "list_add ")))
		*line = report->before;
	return line->text;
}

static void claim_list(struct explain *explain, struct report_text line)
{
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];

	place_of_check(place, explain->cause);
	if (report_text_has(line, "is LIST_POISON"))
		finding_claim(finding, "list-corruption", FINDING_SHOWN,
			      "%s took an entry out of a list that it was taken out of before.", place);
	else if (report_text_has(line, "double add"))
		finding_claim(finding, "list-corruption", FINDING_SHOWN,
			      "%s put an entry into a list in which it is already.", place);
	else if (report_text_has(line, "6b6b6b6b6b6b"))
		finding_claim(finding, "list-corruption", FINDING_LIKELY,
			      "%s found a list whose neighbour was freed: its pointers are the slab allocator's poison 0x6b.",
			      place);
	else
		finding_claim(finding, "list-corruption", FINDING_SHOWN,
			      "%s found a list whose neighbours do not point to each other: an entry was freed, overwritten, or changed without its lock.",
			      place);
	finding_open(finding, "Who damaged the list: this is who noticed it.");
}

static void claim_refcount(struct explain *explain, const struct kernel_report *report)
{
	struct finding *finding = explain->finding;
	struct report_text line = line_with(report, "refcount_t:");
	char place[2 * WORDS_FUNCTION];

	place_of_check(place, report);
	finding_claim(finding, "refcount", FINDING_SHOWN, "A reference counter went wrong in %s: %.*s", place,
		      WORDS(line.text ? line : report->title));
	finding_open(finding, "Which put was one too many, or which get is missing: this is where it was noticed.");
}

bool judge_check(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	struct report_text line;
	char place[2 * WORDS_FUNCTION];

	if (!report || (report->kind != KERNEL_REPORT_OOPS && report->kind != KERNEL_REPORT_BUG &&
			report->kind != KERNEL_REPORT_WARNING))
		return false;
	place_of_check(place, report);
	if (is_list(report, &line))
		claim_list(explain, line);
	else if (report->kind == KERNEL_REPORT_WARNING && report_text_has(report->title, "refcount.c"))
		claim_refcount(explain, report);
	else if (report->kind == KERNEL_REPORT_WARNING)
		finding_claim(finding, "warning", FINDING_SHOWN,
			      "This machine panics on warnings (kernel.panic_on_warn), and %s warned.", place);
	else if (report_text_has(report->title, "scheduling while atomic"))
		finding_claim(finding, "bug", FINDING_SHOWN,
			      "%s slept where that is forbidden (scheduling while atomic): it holds a spinlock, or preemption is off.",
			      place);
	else if (report_text_has(report->title, "kernel BUG at ") && report_text_has(report->title, "slub.c"))
		finding_claim(finding, "bug", FINDING_SHOWN,
			      "A check of the kernel's memory allocator failed (%.*s), for %s.", WORDS(report->title), place);
	else if (report_text_has(report->title, "kernel BUG at ") || report->kind == KERNEL_REPORT_BUG)
		finding_claim(finding, "bug", FINDING_SHOWN, "A check in %s failed: %.*s", place, WORDS(report->title));
	else
		return false;
	if (!*finding->open)
		finding_open(finding, "What made the condition true; read the source at that line.");
	words_report_evidence(explain, report);
	return true;
}

bool judge_stack(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];

	if (report_text_has(explain->said, "stack-protector: Kernel stack is corrupted")) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN,
			      "A function wrote beyond an array on its stack: %.*s.", WORDS(explain->said));
		finding_open(finding, "The function is the one named, or one that it called with a pointer to its stack.");
		words_report_evidence(explain, explain->panic);
		return true;
	}
	if (!report || report->kind != KERNEL_REPORT_OOPS ||
	    (!report_text_has(report->title, "stack guard page was hit") &&
	     !report_text_has(report->title, "stack overflow")))
		return false;
	words_place(place, report->place);
	finding_claim(finding, "stack-overflow", FINDING_SHOWN, "The kernel's stack was full in %s.", place);
	finding_open(finding, "Deep recursion or a large local variable: functions that repeat in the call trace say which.");
	words_report_evidence(explain, report);
	return true;
}

bool judge_exception(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];

	if (!report || report->kind != KERNEL_REPORT_OOPS)
		return false;
	words_place(place, report->place);
	if (report_text_has(report->title, "divide error"))
		finding_claim(finding, "exception", FINDING_SHOWN, "%s divided by zero, or the quotient was too large.", place);
	else if (report_text_has(report->title, "invalid opcode"))
		finding_claim(finding, "exception", FINDING_SHOWN,
			      "The CPU found no valid instruction in %s: damaged code, a jump into data, or a BUG() whose line is gone.", place);
	else
		finding_claim(finding, "exception", FINDING_SHOWN, "An exception of the CPU in %s: %.*s.", place,
			      WORDS(report->title));
	words_report_evidence(explain, report);
	return true;
}
