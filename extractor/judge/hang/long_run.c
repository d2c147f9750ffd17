// SPDX-License-Identifier: GPL-2.0-or-later
#include "long_run.h"

#include <string.h>

#include "judge/words.h"

void long_run_switch(struct explain *explain, u32 nr)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, nr);

	if (cpu && cpu->migration)
		finding_evidence(explain->finding, cpu->migration, finding_event(nr, "sched:sched_switch"),
				 "CPU %u switched to the kernel's migration thread, and to no other task after that", nr);
	else if (cpu && cpu->switched)
		finding_evidence(explain->finding, cpu->switched, finding_event(nr, "sched:sched_switch"),
				 "CPU %u switched to %s-%llu, and to %s after that", nr, cpu->comm, cpu->pid, words_other_tasks(cpu));
	else if (explain->history.has_switches)
		finding_note(&explain->finding->not_found, "a task switch of CPU %u in the trace", nr);
}

/* Of the kernel's clock and its watchdogs, which notice what they interrupted, and of what runs timers. */
static bool is_of_clock(const char *function)
{
	static const char *const words[] = {
		"tick_", "watchdog_timer_fn", "timerqueue_", "rb_", "__rb_", "ktime_", "hrtimer_", "__hrtimer_",
		"__remove_hrtimer", "enqueue_hrtimer", "_raw_spin_", NULL,
	};

	return plumbing_begins(function, words);
}

/* Behind the frame of softirqs: did they begin when an interrupt ended? A task runs them as well. */
static bool is_behind_interrupt(const struct kernel_report *report, u32 from)
{
	static const char *const words[] = { "irq_exit", "__irq_exit", NULL };
	char function[WORDS_FUNCTION];

	for (u32 i = from; i < report->nr_frames; i++) {
		words_function(function, report->frames[i]);
		if (plumbing_begins(function, words))
			return true;
	}
	return false;
}

bool long_run_context(struct long_run_context *context, const struct kernel_report *report)
{
	char function[WORDS_FUNCTION], before[WORDS_FUNCTION];

	*context = (struct long_run_context){ .task = "it had interrupted" };
	words_function(before, report->place);
	for (u32 i = 0; i < report->nr_frames && !context->what; i++) {
		words_function(function, report->frames[i]);
		if (!strcmp(function, "__do_softirq") || !strcmp(function, "handle_softirqs")) {
			context->what = "a softirq";
			if (!is_behind_interrupt(report, i))
				context->task = "the task there was";
		}
		if (!strcmp(function, "__handle_irq_event_percpu") || !strcmp(function, "handle_irq_event"))
			context->what = "an interrupt";
		if (!strcmp(function, "__hrtimer_run_queues") && *before && !is_of_clock(before))
			context->what = "a timer";
		memcpy(before, function, sizeof(before));
	}
	return context->what;
}
