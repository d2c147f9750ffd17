// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks that were too small, or overwritten. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "judge/words.h"

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

bool judge_stack(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];

	if (report_text_has(explain->said, "stack-protector: Kernel stack is corrupted")) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN,
			      "The stack of a function was overwritten, up to the word that guards its return address: %.*s.", WORDS(explain->said));
		finding_open(finding, "By that function, beyond an array of its own; by one that it called with a pointer to it; or by another user of that stack.");
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
	if (!claim_circle(explain, report, place)) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN, "The kernel's stack was full in %s.", place);
		finding_open(finding, "Deep recursion or a large local variable: functions that repeat in the call trace say which.");
	}
	words_report_evidence(explain, report);
	return true;
}
