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

/* The function that the CPU was in, and those that called it, without what died of it. */
static u32 read_calls(char calls[MOST_CALLS][WORDS_FUNCTION], const struct kernel_report *report)
{
	u32 nr = 0;

	words_function(calls[0], report->place);
	nr += *calls[0] != '\0';
	for (u32 i = 0; i < report->nr_frames && nr < MOST_CALLS; i++) {
		words_function(calls[nr], report->frames[i]);
		nr += *calls[nr] && !plumbing_is_of_dying(calls[nr]);
	}
	return nr;
}

static bool goes_round(char calls[MOST_CALLS][WORDS_FUNCTION], u32 nr, u32 from, u32 period)
{
	if (from + 3 * period > nr)
		return false;
	for (u32 i = from; i < from + 2 * period; i++)
		if (strcmp(calls[i], calls[i + period]))
			return false;
	return true;
}

/* ": a(), b() and c() call one another again and again", if the frames go round three times; "": they do not. */
static void put_circle(char text[FINDING_TEXT], const struct kernel_report *report)
{
	char (*calls)[WORDS_FUNCTION] = malloc(sizeof(*calls) * MOST_CALLS);
	u32 nr = calls ? read_calls(calls, report) : 0, from = 0, period = 0;
	size_t len = 0;

	*text = '\0';
	for (from = 0; from <= CALLS_LEFT_OUT && !period; from++)
		for (u32 p = 1; p <= MOST_OF_CIRCLE && !period; p++)
			if (goes_round(calls, nr, from, p) && (p > 1 || goes_round(calls, nr, from + 1, p)))
				period = p;
	from--;
	if (period == 1 && !strcmp(calls[from], calls[0]))
		snprintf(text, FINDING_TEXT, ", which calls itself again and again");
	else if (period == 1)
		snprintf(text, FINDING_TEXT, ": %.60s() calls itself again and again", calls[from]);
	for (u32 i = from + period; period > 1 && i-- > from && len < FINDING_TEXT;)
		len += snprintf(text + len, FINDING_TEXT - len, "%s%.60s()", i == from + period - 1 ? ": " : i == from ? " and " : ", ", calls[i]);
	if (period > 1 && len < FINDING_TEXT)
		snprintf(text + len, FINDING_TEXT - len, " call one another again and again");
	free(calls);
}

bool judge_stack(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION], circle[FINDING_TEXT];

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
	put_circle(circle, report);
	if (*circle) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN, "The kernel's stack was full in %s%s.", place, circle);
		finding_open(finding, "What should have ended the recursion.");
	} else {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN, "The kernel's stack was full in %s.", place);
		finding_open(finding, "Deep recursion or a large local variable: functions that repeat in the call trace say which.");
	}
	words_report_evidence(explain, report);
	return true;
}
