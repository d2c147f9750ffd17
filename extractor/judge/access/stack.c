// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks that were too small, or overwritten. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "judge/words.h"
#include "stack_guard.h"

#define MOST_OF_CIRCLE	6	/* functions that call one another */
#define MOST_CALLS	64
#define CALLS_LEFT_OUT	4	/* in front of the circle: what the last of it had called */

/**
 * struct calls - the function that the CPU was in, and those that called it, without those that say nothing
 * @places: of the report's lines
 */
struct calls {
	char names[MOST_CALLS][WORDS_FUNCTION];
	struct report_text places[MOST_CALLS];
	u32 nr;
};

static void take_caller(struct calls *calls, struct report_text place)
{
	if (calls->nr == MOST_CALLS)
		return;
	words_function(calls->names[calls->nr], place);
	if (!*calls->names[calls->nr] || plumbing_has(calls->names[calls->nr]))
		return;
	calls->places[calls->nr++] = place;
}

static bool goes_round(const struct calls *calls, u32 from, u32 period)
{
	if (from + 3 * period > calls->nr)
		return false;
	for (u32 i = from; i < from + 2 * period; i++)
		if (strcmp(calls->names[i], calls->names[i + period]))
			return false;
	return true;
}

/* How many functions call one another, and from which on; 0: the frames do not go round three times. */
static u32 find_circle(u32 *from, const struct calls *calls)
{
	for (*from = 0; *from <= CALLS_LEFT_OUT; ++*from)
		for (u32 p = 1; p <= MOST_OF_CIRCLE; p++)
			if (goes_round(calls, *from, p) && (p > 1 || goes_round(calls, *from + 1, p)))
				return p;
	return 0;
}

/* ": a(), b() and c() call one another again and again" */
static void put_circle(char text[FINDING_TEXT], const struct calls *calls, u32 from, u32 period)
{
	size_t len = 0;

	if (period == 1 && !strcmp(calls->names[from], calls->names[0]))
		snprintf(text, FINDING_TEXT, ", which calls itself again and again");
	else if (period == 1)
		snprintf(text, FINDING_TEXT, ": %.60s() calls itself again and again", calls->names[from]);
	for (u32 i = from + period; period > 1 && i-- > from && len < FINDING_TEXT;)
		len += snprintf(text + len, FINDING_TEXT - len, "%s%.40s()", i == from + period - 1 ? ": " : i == from ? " and " : ", ", calls->names[i]);
	if (period > 1 && len < FINDING_TEXT)
		snprintf(text + len, FINDING_TEXT - len, " call one another again and again");
}

/* In which of them the stack ended is chance: the least by name, of those of modules where there is one. */
static void sign_circle(struct explain *explain, const struct calls *calls, u32 from, u32 period)
{
	u32 least = from;
	bool is_of_module = false;

	for (u32 i = from; i < from + period; i++) {
		struct fault_text in = { 0 };
		bool has_module;

		fault_text_take_module(&in, calls->places[i]);
		has_module = *in.module;
		if (has_module != is_of_module ? has_module : strcmp(calls->names[i], calls->names[least]) < 0)
			least = i;
		is_of_module |= has_module;
	}
	snprintf(explain->signed_by, sizeof(explain->signed_by), "%.*s", WORDS(calls->places[least]));
}

static bool claim_circle(struct explain *explain, const struct kernel_report *report, const char *place)
{
	struct calls *calls = calloc(1, sizeof(*calls));
	char circle[FINDING_TEXT] = "";
	u32 from, period = 0;

	if (calls) {
		take_caller(calls, report->place);
		for (u32 i = 0; i < report->nr_frames; i++)
			take_caller(calls, report->frames[i]);
		period = find_circle(&from, calls);
	}
	if (period) {
		put_circle(circle, calls, from, period);
		sign_circle(explain, calls, from, period);
		finding_claim(explain->finding, "stack-overflow", FINDING_SHOWN, "The kernel's stack was full in %s%s.", place, circle);
		finding_open(explain->finding, "What should have ended the recursion.");
	}
	free(calls);
	return period;
}

/* --- where the unwinder found no way: what the kernel saw on the stack ------------- */

#define MOST_SEEN	32	/* different places */
#define LINES_NS	1000000000ULL	/* from the first line of a report to its end */
#define FEWEST_TIMES	16	/* that one has to be there */

/**
 * struct seen_places - lines "? f+0x12/0x30 [m]" of a report
 * @list: nr_places of them, each once
 * @times: of each
 * @nr: lines in all
 */
struct seen_places {
	struct report_text list[MOST_SEEN];
	u32 times[MOST_SEEN];
	u32 nr_places;
	u32 nr;
};

static void see_place(struct seen_places *seen, struct report_text place)
{
	u32 i = 0;

	seen->nr++;
	while (i < seen->nr_places && (seen->list[i].len != place.len || memcmp(seen->list[i].text, place.text, place.len)))
		i++;
	if (i == MOST_SEEN)
		return;
	seen->list[i] = place;
	seen->times[i]++;
	if (i == seen->nr_places)
		seen->nr_places++;
}

static void see_guess(struct seen_places *seen, struct report_text line)
{
	const char *at = memmem(line.text, line.len, "? ", 2);

	if (at)
		see_place(seen, (struct report_text){ at + 2, (u32)(line.text + line.len - at - 2) });
}

static void read_seen_places(struct seen_places *seen, const struct explain *explain, const struct kernel_report *report)
{
	const struct report_lines *lines = &explain->death->lines;
	struct report_text line;
	u32 from = 0;

	*seen = (struct seen_places){ .nr = 0 };
	while ((line = fault_text_line(explain->death, report, "? ", &from)).text)
		see_guess(seen, line);
	/* The report is the recorder's, which stood behind the kernel's lines, and they pushed their own beginning out of the ring. */
	if (seen->nr || report != &explain->completed)
		return;
	for (u32 i = 0; i < lines->nr; i++)
		if (lines->list[i].time <= report->time && report->time - lines->list[i].time < LINES_NS)
			see_guess(seen, (struct report_text){ lines->list[i].text, lines->list[i].len });
}

/* One place is there again and again, and makes up most of what is there. */
static bool claim_seen(struct explain *explain, const struct kernel_report *report, const char *place)
{
	char function[WORDS_FUNCTION], again[2 * WORDS_FUNCTION];
	struct seen_places seen;
	u32 most = 0;

	read_seen_places(&seen, explain, report);
	for (u32 i = 1; i < seen.nr_places; i++)
		if (seen.times[i] > seen.times[most])
			most = i;
	if (!seen.nr_places || seen.times[most] < FEWEST_TIMES || 2 * seen.times[most] < seen.nr)
		return false;
	words_function(function, report->place);
	words_place(again, seen.list[most]);
	finding_claim(explain->finding, "stack-overflow", FINDING_LIKELY, "The kernel's stack was full%s%.100s: %.100s is on it %u times, and calls itself again and again.",
		      plumbing_has(function) ? "" : " in ", plumbing_has(function) ? "" : place, again, seen.times[most]);
	snprintf(explain->signed_by, sizeof(explain->signed_by), "%.*s", WORDS(seen.list[most]));
	finding_open(explain->finding, "What should have ended the recursion, and which functions lie between: those of a call by a pointer may not be seen.");
	return true;
}

static void judge_guard(struct explain *explain)
{
	struct finding *finding = explain->finding;
	enum stack_guard guard = stack_guard_ask(explain);

	if (guard == GUARD_OF_STACK) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN,
			      "The stack of a function was overwritten, up to the word that guards its return address: %.*s.", WORDS(explain->said));
		finding_open(finding, "By that function, beyond an array of its own; by one that it called with a pointer to it; or by another user of that stack.");
	} else if (guard == GUARD_NOT_KNOWN) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN,
			      "A function found the word that guards its return address changed: %.*s.", WORDS(explain->said));
		finding_open(finding, "Its stack was overwritten, as a rule: by it, beyond an array of its own, by one that it called, or by another user of that stack. Or the word to compare with was, which x86-64 has for each CPU: this_cpu_inc() by a NULL pointer does that.");
	}
}

#define LEFT	1024	/* bytes of a stack that is not full */
#define STACK	0x4000	/* bytes, and what it is aligned to: THREAD_SIZE; with KASAN more */

/*
 * The kernel says so of any access to the page below the stack, up to 5.15 also of that above: arch/x86/mm/fault.c. What fills a stack
 * reaches that page by the stack pointer.
 */
static bool claim_beside_stack(struct explain *explain, const struct kernel_report *report, const char *place)
{
	u32 from = 0;
	struct report_text line = report_text_behind(fault_text_line(explain->death, report, "CR2: ", &from), "CR2: ");
	u64 address = line.len ? report_text_number(line, line.text, 16) : 0, sp, behind = (address | 0xfff) + 1;
	bool is_below;

	if (!address || !fault_text_stack(&sp, explain->death, report))
		return false;
	is_below = sp > behind && sp - behind >= LEFT && sp - behind < 4 * STACK;
	/* The page below a stack is the last in front of such a border; a long variable can reach over it. */
	if (!is_below && (address / STACK != sp / STACK + 1 || address % STACK >= 0x1000))
		return false;
	finding_claim(explain->finding, "wild-pointer", FINDING_SHOWN, "%s accessed memory at %016llx, in the page %s its stack, where no memory is. The stack was not full: its pointer was at %016llx.",
		      place, address, is_below ? "below" : "above", sp);
	if (is_below)
		finding_open(explain->finding, "Whether an index of an array on the stack was below zero; or the end of the area of vmalloc() was passed that lies in front of the stack.");
	else
		finding_open(explain->finding, "Whether an array on the stack is too short, or a length of it too large.");
	return true;
}

bool judge_stack(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];

	if (report_text_has(explain->said, "stack-protector: Kernel stack is corrupted")) {
		judge_guard(explain);
		words_report_evidence(explain, explain->panic);
		return true;
	}
	if (report_text_has(explain->said, "corrupted stack end detected")) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN,
			      "The end of a task's kernel stack was overwritten, as the scheduler found: it was too deep before, or another wrote there.");
		finding_open(finding, "What ran on it before this: the call trace is of the moment in which it was noticed.");
		words_report_evidence(explain, explain->panic);
		return true;
	}
	/* arm64 panics without an oops: arch/arm64/kernel/traps.c, panic_bad_stack(). */
	if (!report || (report->kind != KERNEL_REPORT_OOPS && report->kind != KERNEL_REPORT_BUG) ||
	    (!report_text_has(report->title, "stack guard page") &&
	     !report_text_has(report->title, "stack overflow") && !report_text_has(report->title, "Insufficient stack space")))
		return false;
	words_place(place, report->place);
	if (!claim_beside_stack(explain, report, place) && !claim_circle(explain, report, place) && !claim_seen(explain, report, place)) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN, "The kernel's stack was full in %s.", place);
		finding_open(finding, "Deep recursion or a large local variable: functions that repeat in the call trace say which.");
	}
	words_report_evidence(explain, report);
	return true;
}
