// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks that were too small, or overwritten. */
#include <string.h>

#include "access.h"
#include "judge/words.h"

/* Are all frames that were printed of the function that the CPU was in? */
static bool calls_itself(const struct kernel_report *report)
{
	char here[WORDS_FUNCTION], function[WORDS_FUNCTION];
	u32 calls = 0;

	words_function(here, report->place);
	for (u32 i = 0; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (plumbing_is_of_dying(function))
			continue;
		if (strcmp(function, here))
			return false;
		calls++;
	}
	return *here && calls > 3;
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
	if (calls_itself(report)) {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN,
			      "The kernel's stack was full in %s, which calls itself again and again.", place);
		finding_open(finding, "What should have ended the recursion.");
	} else {
		finding_claim(finding, "stack-overflow", FINDING_SHOWN, "The kernel's stack was full in %s.", place);
		finding_open(finding, "Deep recursion or a large local variable: functions that repeat in the call trace say which.");
	}
	words_report_evidence(explain, report);
	return true;
}
