// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu_claims.h"

#include <stdio.h>
#include <string.h>

#include "judge/stopped_cpu.h"
#include "judge/words.h"

#define NEAR_FRAMES	4	/* of the kernel's own, within the one that waits */

/**
 * struct end_wait - functions that wait, and the one below what they wait for
 * @waits: kernel/time/timer.c, hrtimer.c, kernel/softirq.c, kernel/irq/manage.c; all go round until it has ended
 * @runner: calls it by a pointer
 * @name, @what: in words
 */
static const struct end_wait {
	const char *waits[6];
	const char *runners[3];
	const char *name, *what;
} end_waits[] = {
	{ { "__timer_delete_sync", "timer_delete_sync", "del_timer_sync", "timer_shutdown_sync", "del_singleshot_timer_sync" },
	  { "call_timer_fn" }, "del_timer_sync()", "a timer's function" },
	{ { "hrtimer_cancel" }, { "__hrtimer_run_queues" }, "hrtimer_cancel()", "the function of a timer of high resolution" },
	{ { "tasklet_unlock_spin_wait", "tasklet_unlock_wait", "tasklet_kill" }, { "tasklet_action_common", "tasklet_action" },
	  "tasklet_kill()", "a tasklet" },
	{ { "__synchronize_hardirq", "synchronize_hardirq" }, { "__handle_irq_event_percpu" }, "synchronize_irq()", "an interrupt's handler" },
};

/**
 * struct end_stack - of a CPU
 * @frames: nr of them, the innermost first
 */
struct end_stack {
	u32 cpu;
	char task[WORDS_TASK];
	struct report_text frames[KERNEL_REPORT_FRAMES + 1];
	u32 nr;
};

static bool is_end_word(const char *function, const char *const *names, u32 most)
{
	for (u32 i = 0; i < most && names[i]; i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}

/* What it waits in, and the number of the frame that called that; NULL: it does not. */
static const struct end_wait *find_wait(const struct end_stack *stack, u32 *caller)
{
	char function[WORDS_FUNCTION];
	const struct end_wait *found = NULL;

	for (u32 i = 0; i < stack->nr && i < NEAR_FRAMES; i++) {
		struct fault_text of = { 0 };

		fault_text_take_module(&of, stack->frames[i]);
		if (*of.module)
			break;
		words_function(function, stack->frames[i]);
		for (size_t k = 0; k < ARRAY_SIZE(end_waits); k++)
			if (is_end_word(function, end_waits[k].waits, ARRAY_SIZE(end_waits[k].waits))) {
				found = &end_waits[k];
				*caller = i + 1;
			}
	}
	return found && *caller < stack->nr ? found : NULL;
}

/* The frame of what it runs so, from @from on; -1: nothing. */
static s64 find_run(const struct end_stack *stack, const struct end_wait *wait, u32 from)
{
	char function[WORDS_FUNCTION];

	for (u32 i = from; i < stack->nr; i++) {
		words_function(function, stack->frames[i]);
		if (is_end_word(function, wait->runners, ARRAY_SIZE(wait->runners)))
			return i > from ? (s64)i - 1 : -1;
	}
	return -1;
}

/* Does what runs in the frame @run wait for a spinlock? */
static bool spins_below(const struct end_stack *stack, s64 run)
{
	char function[WORDS_FUNCTION];

	for (s64 i = 0; i < run; i++) {
		words_function(function, stack->frames[i]);
		if (plumbing_is_of_spinning(function) && (i || !plumbing_is_of_taking(function)))
			return true;
	}
	return false;
}

static void take_report(struct end_stack *stack, const struct explain *explain, u32 cpu)
{
	const struct kernel_report *report = explain->cause;

	*stack = (struct end_stack){ .cpu = cpu };
	words_task(stack->task, report);
	if (report->place.text)
		stack->frames[stack->nr++] = report->place;
	for (u32 i = 0; i < report->nr_frames; i++)
		stack->frames[stack->nr++] = report->frames[i];
}

/* The only other CPU that is not idle. @nr: how many are not */
static bool take_other(struct end_stack *stack, struct stopped_cpu *stopped, const struct explain *explain, u32 cpu, u32 *nr)
{
	*nr = 0;
	for (u32 i = 0; i < explain->history.nr_cpus; i++) {
		const struct history_cpu *other = history_cpu(&explain->history, i);
		struct end_stack one = { .cpu = i };
		struct stopped_cpu text;

		if (i == cpu || !other || !other->last)
			continue;
		if (!stopped_cpu_read(&text, explain->pm, i))
			return false;
		stopped_cpu_drop_tick(&text);
		for (one.nr = 0; one.nr < text.nr_frames; one.nr++)
			one.frames[one.nr] = text.frames[one.nr];
		if (!text.nr_frames || stopped_cpu_is_idle(&text) || (*nr)++)
			continue;
		/* What the frames point into goes with them. */
		*stopped = text;
		snprintf(one.task, sizeof(one.task), "%s-%llu", other->comm, other->pid);
		for (u32 k = 0; k < one.nr; k++)
			one.frames[k].text = stopped->text + (one.frames[k].text - text.text);
		*stack = one;
	}
	return *nr == 1;
}

static void sign_by(struct explain *explain, struct report_text frame)
{
	snprintf(explain->signed_by, sizeof(explain->signed_by), "%.*s", WORDS(frame));
}

/* The function itself asked for its own end. */
static bool claim_own(struct explain *explain, const struct end_stack *stack)
{
	char place[2 * WORDS_FUNCTION], asks[2 * WORDS_FUNCTION];
	const struct end_wait *wait;
	u32 caller = 0;
	s64 run;

	wait = find_wait(stack, &caller);
	run = wait ? find_run(stack, wait, caller) : -1;
	if (run < 0)
		return false;
	words_place(place, stack->frames[run]);
	words_place(asks, stack->frames[caller]);
	finding_claim(explain->finding, "spinning", FINDING_LIKELY,
		      "CPU %u waits for itself: %s, called in %s, waits for %s to end, and runs within %s.", stack->cpu, wait->name, asks, wait->what, place);
	finding_open(explain->finding, "Whether it is the same one: then it must not wait there, but only take it out; or the order in which the two are stopped.");
	sign_by(explain, stack->frames[run]);
	return true;
}

static bool claim_pair(struct explain *explain, u32 reported, const struct end_stack *waits, const struct end_stack *runs)
{
	char place[2 * WORDS_FUNCTION], asks[2 * WORDS_FUNCTION], function[WORDS_FUNCTION];
	struct finding *finding = explain->finding;
	const struct end_wait *wait;
	u32 caller = 0;
	s64 run;

	wait = find_wait(waits, &caller);
	run = wait ? find_run(runs, wait, 0) : -1;
	if (run < 0)
		return false;
	words_place(place, runs->frames[run]);
	words_place(asks, waits->frames[caller]);
	words_function(function, waits->frames[caller]);
	if (spins_below(runs, run)) {
		finding_claim(finding, "spinning", FINDING_LIKELY,
			      "A deadlock: CPU %u, task %s, in %.90s waits with %s for the end of %s, which CPU %u runs: %.90s; and that waits for a spinlock, which is probably held there.",
			      waits->cpu, waits->task, asks, wait->name, wait->what, runs->cpu, place);
		finding_open(finding, "What is wrong of the two: that %s() waits with the lock held, or that the function takes it.", function);
	} else {
		finding_claim(finding, "spinning", FINDING_LIKELY,
			      "CPU %u, task %s, in %.90s waits with %s for the end of %s, which CPU %u runs: %.90s, and that does not end.",
			      waits->cpu, waits->task, asks, wait->name, wait->what, runs->cpu, place);
		finding_open(finding, "Why that function does not come to an end; who waits for it is innocent.");
	}
	if (runs->cpu == reported)
		finding_evidence_timeless(finding, "CPU %u, the only other one that did something, was in %s, called by %s", waits->cpu, wait->name, asks);
	else
		finding_evidence_timeless(finding, "CPU %u, the only other one that did something, was in %s, called by %s()", runs->cpu, place,
					  wait->runners[0]);
	sign_by(explain, runs->frames[run]);
	return true;
}

bool end_wait_claim(struct explain *explain, u32 cpu)
{
	struct end_stack reported, other;
	struct stopped_cpu stopped;
	u32 nr;

	take_report(&reported, explain, cpu);
	if (take_other(&other, &stopped, explain, cpu, &nr))
		return claim_pair(explain, cpu, &reported, &other) || claim_pair(explain, cpu, &other, &reported) || claim_own(explain, &reported);
	return !nr && explain->history.nr_cpus && claim_own(explain, &reported);
}
