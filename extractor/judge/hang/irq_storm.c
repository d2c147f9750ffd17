// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu_claims.h"

#include <stdio.h>
#include <string.h>

#include "judge/stopped_cpu.h"
#include "judge/words.h"
#include "kernel_state/tasks.h"

#define LEAST_APART	10000000ULL	/* between the two looks */

/**
 * struct irq_seen - an interrupt on a CPU, as one look at it has that
 * @vector: "sysvec_irq_work"
 * @entry: the frame of that
 * @handler: of a module, that it ran; a text of NULL: none
 * @into: what it came into
 * @at: the number of that frame
 */
struct irq_seen {
	char vector[WORDS_FUNCTION];
	struct report_text entry;
	struct report_text handler;
	struct report_text into;
	u32 at;
};

/* That of the clock ends the wait, and is how a CPU is looked at; an NMI looks too. */
static bool is_vector(const char *function)
{
	return (!strncmp(function, "sysvec_", 7) && !strstr(function, "apic_timer") && !strstr(function, "reboot")) ||
	       !strcmp(function, "common_interrupt");
}

/* Softirqs that run as an interrupt ends let others come: one of these may be what does not end. */
static bool is_of_softirqs(const char *function)
{
	static const char *const words[] = { "handle_softirqs", "__do_softirq", "irq_exit", "__irq_exit", NULL };

	return plumbing_begins(function, words);
}

static bool find_irq(struct irq_seen *seen, const struct report_text *frames, u32 nr)
{
	char function[WORDS_FUNCTION];
	bool is_within = true;

	*seen = (struct irq_seen){ .vector = "" };
	for (u32 i = 0; i < nr; i++) {
		struct fault_text of = { 0 };

		words_function(function, frames[i]);
		/* The entry lies between the handler and what was interrupted. */
		if (*seen->vector && strncmp(function, "asm_", 4)) {
			seen->into = frames[i];
			seen->at = i;
			return true;
		}
		if (is_within && is_of_softirqs(function))
			return false;
		fault_text_take_module(&of, frames[i]);
		if (is_within && *of.module && !seen->handler.text)
			seen->handler = frames[i];
		if (is_vector(function)) {
			snprintf(seen->vector, sizeof(seen->vector), "%s", function);
			seen->entry = frames[i];
			is_within = false;
		}
	}
	return false;
}

/*
 * Are they two interrupts? One whose handler does not end is in the same call of its entry both times, and has come into the same
 * instruction.
 */
static bool are_two(const struct irq_seen *asked, const struct irq_seen *end)
{
	return !report_text_same(asked->entry, end->entry) || !report_text_same(asked->into, end->into);
}

/* Has one of the frames from @from on the function of @frame? What is behind the entry stands in a line of its own, which may lack. */
static bool has_frame(const struct report_text *frames, u32 nr, u32 from, struct report_text frame)
{
	char function[WORDS_FUNCTION], wanted[WORDS_FUNCTION];

	words_function(wanted, frame);
	for (u32 i = from; i < nr; i++) {
		words_function(function, frames[i]);
		if (*wanted && !strcmp(function, wanted))
			return true;
	}
	return false;
}

/* kernel/irq_work.c: what was raised on the CPU, and has not run. */
static bool waiting_irq_work(const struct explain *explain, u32 cpu, char name[KERNEL_SYMBOL_MAX])
{
	const struct kernel *kernel = explain->pm->kernel;
	u64 list, first, function;

	return kernel && kernel->ktypes && kernel_percpu(kernel, "raised_list", cpu, &list) && vmem_u64(kernel->vmem, list, &first) && first &&
	       kernel_state_member(kernel, "irq_work", "func", first, &function) && words_symbol(explain, function, name, KERNEL_SYMBOL_MAX);
}

bool irq_storm_claim(struct explain *explain, u32 cpu)
{
	const struct kernel_report *report = explain->cause;
	char name[KERNEL_SYMBOL_MAX] = "", place[2 * WORDS_FUNCTION], into[2 * WORDS_FUNCTION], first[WORDS_FUNCTION];
	struct report_text frames[KERNEL_REPORT_FRAMES + 1];
	struct finding *finding = explain->finding;
	struct stopped_cpu stopped;
	struct irq_seen asked, end;
	u32 nr = 0;

	if (report->place.text)
		frames[nr++] = report->place;
	for (u32 i = 0; i < report->nr_frames; i++) {
		/* The line RIP: of what was interrupted is no frame. */
		if (report->interrupted.text && i == report->interrupted_frame && nr < ARRAY_SIZE(frames))
			frames[nr++] = report->interrupted;
		if (nr < ARRAY_SIZE(frames))
			frames[nr++] = report->frames[i];
	}
	if (!find_irq(&asked, frames, nr) || !stopped_cpu_read(&stopped, explain->pm, cpu) || !find_irq(&end, stopped.frames, stopped.nr_frames) ||
	    strcmp(asked.vector, end.vector) || explain->pm->end.time < report->time + LEAST_APART)
		return false;
	if (!has_frame(stopped.frames, stopped.nr_frames, end.at, asked.into) && !has_frame(frames, nr, asked.at, end.into))
		return false;
	if (!are_two(&asked, &end)) {
		finding_open(finding, "Whether one interrupt (%s) does not end, or one comes after the other: both times CPU %u was in the same call of its entry, and it had come into the same instruction.",
			     asked.vector, cpu);
		return false;
	}
	words_place(into, end.into);
	words_function(first, end.into);
	if (asked.handler.text || end.handler.text)
		snprintf(name, sizeof(name), "%.*s", WORDS(end.handler.text ? end.handler : asked.handler));
	else if (!strcmp(asked.vector, "sysvec_irq_work"))
		waiting_irq_work(explain, cpu, name);
	if (*name) {
		words_place(place, (struct report_text){ name, strlen(name) });
		finding_claim(finding, finding->kind, FINDING_LIKELY,
			      "On CPU %u one interrupt (%s) came after the other, for %s, and nothing else came to run; what they came into, %s, only asked for the first one, if at all.",
			      cpu, asked.vector, place, into);
		finding_open(finding, "Why that asks for the next one each time.");
	} else {
		finding_claim(finding, finding->kind, FINDING_LIKELY,
			      "On CPU %u one interrupt (%s) came after the other, and nothing else came to run; what they came into is %s.", cpu,
			      asked.vector, into);
		finding_open(finding, "What asks for the next one each time: a handler that does so itself, or a device that is not served. What they came into may only be where the first one came.");
	}
	finding_evidence_timeless(finding, "CPU %u was in %s, which had come into %s(), when the kernel asked it, and again at the end", cpu, asked.vector, first);
	/* What a dump adds does not sign. */
	explain->is_signed_in_part = !asked.handler.text && !end.handler.text;
	snprintf(explain->signed_by, sizeof(explain->signed_by), "%s", explain->is_signed_in_part ? asked.vector : name);
	return true;
}
