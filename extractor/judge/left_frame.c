// SPDX-License-Identifier: GPL-2.0-or-later
#include "left_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/tail_jump.h"

/* What @frame ended up in: the one that was printed in front of it, or the place. */
static struct report_text inner_of(const struct kernel_report *report, struct report_text frame)
{
	for (u32 i = 0; i < report->nr_frames; i++)
		if (report->frames[i].text == frame.text)
			return i ? report->frames[i - 1] : report->place;
	return (struct report_text){ NULL, 0 };
}

bool left_frame_deferred(char name[KERNEL_SYMBOL_MAX], const struct explain *explain, const struct kernel_report *report,
			 struct report_text frame)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, explain->pm->end.cpu);
	const struct history_origin *origin;
	char function[WORDS_FUNCTION], inner[WORDS_FUNCTION];

	words_function(function, frame);
	words_function(inner, inner_of(report, frame));
	/* Without ends each timer would seem to run for ever. */
	if (strcmp(function, "call_timer_fn") || explain->pm->end.how != OUTCOME_CRASHED || !cpu || cpu->runs != HISTORY_TIMER ||
	    !explain->history.has_timer_ends || !explain->cause || explain->cause->time < cpu->began)
		return false;
	origin = history_origin(&explain->history, cpu->object);
	if (!origin || !origin->function || origin->time > cpu->began || !words_symbol_at(explain, origin->function, origin->time, origin->raw, name, KERNEL_SYMBOL_MAX))
		return false;
	/* It may have died itself, and has a frame then. */
	words_function(function, (struct report_text){ name, strlen(name) });
	return strcmp(function, inner);
}

bool left_frame_place(char place[2 * WORDS_FUNCTION], const struct explain *explain, const struct kernel_report *report,
		      struct report_text frame)
{
	char deferred[KERNEL_SYMBOL_MAX];
	struct function_code *code;
	bool is;

	if (left_frame_deferred(deferred, explain, report, frame)) {
		words_place(place, (struct report_text){ deferred, strlen(deferred) });
		return true;
	}
	if (!explain->kernel || !frame.text)
		return false;
	code = malloc(sizeof(*code));
	is = code && (tail_jump_between(code, explain->kernel, frame, inner_of(report, frame)) ||
		      tail_jump_by_table(code, explain->kernel, frame, inner_of(report, frame))) && *code->module;
	if (is) {
		char text[FUNCTION_CODE_NAME + KMODULE_NAME_MAX + 16];

		snprintf(text, sizeof(text), "%s+0x0/0x%x [%s]", code->name, code->size, code->module);
		words_place(place, (struct report_text){ text, strlen(text) });
	}
	free(code);
	return is;
}

void left_frame_add(struct explain *explain, const struct kernel_report *report, struct report_text frame)
{
	char place[2 * WORDS_FUNCTION], function[WORDS_FUNCTION];

	if (!left_frame_place(place, explain, report, frame))
		return;
	words_function(function, frame);
	finding_evidence_timeless(explain->finding, "%s() had called %s, which is in no frame: its last call is a jump", function, place);
}
