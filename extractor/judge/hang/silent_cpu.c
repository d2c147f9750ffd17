// SPDX-License-Identifier: GPL-2.0-or-later
#include "silent_cpu.h"

#include <stdio.h>
#include <string.h>

#include "judge/words.h"

#define INNERMOST	4	/* frames */
#define MANY_REPEATS	1000	/* of a timer */
#define LONG_NS		1500000000ULL	/* a tick comes every 10 ms at least where a task runs */
#define TICKS_NS	20000000ULL	/* in which one had come */

/* Does it wait for another CPU itself: for an answer to its interrupt, stop_machine()? */
static bool is_waiting(const struct stopped_cpu *stack)
{
	static const char *const words[] = { "smp_call_function", "csd_lock_wait", "multi_cpu_stop", NULL };
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < stack->nr_frames && i < INNERMOST; i++) {
		words_function(function, stack->frames[i]);
		if (plumbing_begins(function, words))
			return true;
	}
	return false;
}

/* For a spinlock? */
static bool is_spinning(const struct stopped_cpu *stack)
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < stack->nr_frames && i < INNERMOST; i++) {
		words_function(function, stack->frames[i]);
		if (!i && plumbing_is_of_taking(function))
			return false;
		if (plumbing_is_of_spinning(function))
			return true;
	}
	return false;
}

static bool is_silent(const struct explain *explain, u32 nr, u64 since, u64 *ns)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, nr);
	u64 end = explain->pm->end.time;

	/* An idle CPU has no tick, and one without other tasks may have none (nohz_full=). */
	if (!cpu || !cpu->switched || !cpu->pid || !cpu->ticked || cpu->migration || end < cpu->last ||
	    (cpu->last > since && cpu->last - since > TICKS_NS))
		return false;
	*ns = end - cpu->last;
	return *ns >= LONG_NS;
}

/*
 * Does it run one and the same timer over and over within one interrupt? No timer that is right comes twice at one
 * reading of the clock, and there are no more timers on a CPU than that.
 */
static bool is_in_storm(const struct explain *explain, u32 nr, u64 since, u64 *ns)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, nr);
	u64 end = explain->pm->end.time;

	if (!cpu || cpu->repeats < MANY_REPEATS || end < cpu->ticked || end - cpu->ticked > LONG_NS ||
	    cpu->repeated_now > cpu->ticked || cpu->repeated_now > since)
		return false;
	*ns = end - cpu->repeated_now;
	return *ns >= LONG_NS;
}

/* What it ran. */
static void take_storm(struct silent_cpu *silent, const struct explain *explain, const struct history_cpu *cpu)
{
	char name[KERNEL_SYMBOL_MAX];

	silent->repeats = cpu->repeats;
	if (words_symbol(explain, cpu->repeated_function, name, sizeof(name)))
		snprintf(silent->function, sizeof(silent->function), "%.120s", name);
}

static bool find(struct silent_cpu *silent, const struct explain *explain, u32 except, u64 since, bool spins)
{
	struct stopped_cpu stack;
	u32 nr = 0;
	u64 ns;

	memset(silent, 0, sizeof(*silent));
	if (explain->pm->end.how != OUTCOME_CRASHED)
		return false;
	for (u32 i = 0; i < explain->history.nr_cpus; i++) {
		if (i == except || (!is_silent(explain, i, since, &ns) && !is_in_storm(explain, i, since, &ns)) ||
		    !stopped_cpu_read(&stack, explain->pm, i) || !stack.irqs_off || is_waiting(&stack) || is_spinning(&stack) != spins)
			continue;
		if (nr++ && ns <= silent->ns)
			continue;
		silent->cpu = i;
		silent->ns = ns;
	}
	if (!nr)
		return false;
	silent->strength = nr == 1 && !pm_lost(explain->pm) ? FINDING_LIKELY : FINDING_POSSIBLE;
	snprintf(silent->task, sizeof(silent->task), "%s-%llu", history_cpu(&explain->history, silent->cpu)->comm,
		 history_cpu(&explain->history, silent->cpu)->pid);
	if (is_in_storm(explain, silent->cpu, since, &ns))
		take_storm(silent, explain, history_cpu(&explain->history, silent->cpu));
	return stopped_cpu_read(&silent->stack, explain->pm, silent->cpu);
}

bool silent_cpu_find(struct silent_cpu *silent, const struct explain *explain, u32 except, u64 since)
{
	return find(silent, explain, except, since, false);
}

bool silent_cpu_find_spinning(struct silent_cpu *silent, const struct explain *explain, u32 except, u64 since)
{
	return find(silent, explain, except, since, true) && !silent->repeats;
}

struct report_text silent_cpu_place(const struct silent_cpu *silent)
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < silent->stack.nr_frames; i++) {
		words_function(function, silent->stack.frames[i]);
		if (!plumbing_is_of_spinning(function) && !plumbing_is_of_delay(function))
			return silent->stack.frames[i];
	}
	return silent->stack.frames[0];
}

struct report_text silent_cpu_interrupted(const struct silent_cpu *silent)
{
	return stopped_cpu_interrupted(&silent->stack);
}

void silent_cpu_put(char *text, size_t size, const struct silent_cpu *silent)
{
	char place[2 * WORDS_FUNCTION];

	if (silent->repeats) {
		words_place(place, (struct report_text){ silent->function, strlen(silent->function) });
		snprintf(text, size, "CPU %u, in an interrupt that runs the timer function %s over and over", silent->cpu, place);
		return;
	}
	words_place(place, silent_cpu_place(silent));
	snprintf(text, size, "CPU %u, task %s, in %s", silent->cpu, silent->task, place);
}

bool silent_cpu_find_unstopped(u32 *cpu, u64 *ns, const struct explain *explain, u64 since)
{
	static const char words[] = "failed to stop secondary CPUs ";
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = 0; i < lines->nr; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };
		const char *at = line.len ? memmem(line.text, line.len, words, sizeof(words) - 1) : NULL, *end = line.text + line.len;
		u64 nr;

		if (!at)
			continue;
		at += sizeof(words) - 1;
		nr = report_text_number(line, at, 10);
		while (at < end && *at >= '0' && *at <= '9')
			at++;
		*cpu = (u32)nr;
		/* "1-3", "1,3" */
		return at == end && nr < explain->history.nr_cpus && is_silent(explain, *cpu, since, ns);
	}
	return false;
}
