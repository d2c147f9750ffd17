// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks and CPUs that sysrq-w, -t and -l listed. */
#include <stdio.h>
#include <string.h>

#include "hang.h"
#include "judge/words.h"

#define MOST_LISTED	4		/* tasks or CPUs that are named */
#define STANDS_NS	10000000000ULL	/* between two listings, that tell that a task does not move */
#define LISTED_OLD_NS	120000000000ULL	/* by then khungtaskd speaks itself */

static const struct printed_listing *last_listing(const struct explain *explain, bool is_of_cpus)
{
	const struct printed_tasks *printed = &explain->printed;

	for (u32 i = printed->nr_listings; i--; )
		if ((printed->listings[i].key == PRINTED_CPUS) == is_of_cpus)
			return &printed->listings[i];
	return NULL;
}

void listed_ask(struct explain *explain)
{
	const struct printed_listing *last = last_listing(explain, false);

	for (u32 i = 0; last && i < last->nr; i++)
		history_ask_task(&explain->history, explain->printed.list[last->first + i].pid);
}

/* Since when the task has stood there, by an earlier listing that is old enough to tell; 0: unknown. */
static u64 listed_since(const struct explain *explain, const struct printed_listing *last, const struct printed_task *task)
{
	const struct printed_tasks *printed = &explain->printed;
	u64 since = 0;

	for (const struct printed_listing *each = last; each-- > printed->listings; ) {
		const struct printed_task *before;

		if (each->key == PRINTED_CPUS || each->time > last->time)
			continue;
		before = printed_tasks_find(printed, each, task->pid);
		if (!before || !printed_task_same(before, task))
			break;
		if (last->time - each->time >= STANDS_NS)
			since = each->time;
	}
	return since;
}

static bool has_gone_on(const struct explain *explain, const struct printed_listing *last, const struct printed_task *task)
{
	const struct history_task *history = history_task(&explain->history, task->pid);

	return history && (history->woken > last->time || history->out > last->time);
}

static void name_of_listed(char name[WORDS_TASK], const struct printed_task *task)
{
	snprintf(name, WORDS_TASK, "%.*s-%llu", WORDS(printed_task_name(task)), task->pid);
}

/* "__mutex_lock(), called by watcher() in module two_mutexes" */
static void where_listed(char where[4 * WORDS_FUNCTION], const struct kernel_report *report)
{
	struct report_text caller = words_frame(report, plumbing_is_of_waiting);
	char place[2 * WORDS_FUNCTION], function[WORDS_FUNCTION] = "";

	words_place(place, caller);
	for (u32 i = 1; i < report->nr_frames && caller.text; i++)
		if (report->frames[i].text == caller.text)
			words_function(function, report->frames[i - 1]);
	if (*function && strcmp(function, "schedule") && strcmp(function, "__schedule"))
		snprintf(where, 4 * WORDS_FUNCTION, "%s(), called by %s", function, place);
	else
		snprintf(where, 4 * WORDS_FUNCTION, "%s", place);
}

static void add_listed(struct explain *explain, const struct printed_task *task, u64 since)
{
	char name[WORDS_TASK], where[4 * WORDS_FUNCTION], before[80] = "";

	name_of_listed(name, task);
	where_listed(where, &task->report);
	if (since)
		snprintf(before, sizeof(before), ", as %llu s before", (task->report.time - since) / 1000000000);
	finding_evidence(explain->finding, task->report.time, finding_line(task->report.title.text, task->report.title.len),
			 "%s was blocked (state D) in %s%s", name, where, before);
}

/* What the CPUs ran that were not idle. */
static void add_listed_cpus(struct explain *explain, bool is_claim)
{
	const struct printed_listing *last = last_listing(explain, true);
	u64 end = explain->pm->end.time, ns = last && end > last->time ? end - last->time : 0;

	for (u32 i = 0; last && i < last->nr && i < MOST_LISTED; i++) {
		const struct kernel_report *report = &explain->printed.list[last->first + i].report;
		struct report_text place = report->place.text ? report->place : words_frame(report, plumbing_has);
		char task[WORDS_TASK], text[2 * WORDS_FUNCTION];

		words_task(task, report);
		words_place(text, place);
		/* The one that listed them. */
		if (!report->cpu.text || words_has_frame(report, "__handle_sysrq"))
			continue;
		if (is_claim)
			finding_evidence(explain->finding, report->time, finding_line(report->title.text, report->title.len),
					 "CPU %.*s ran %s, in %s", WORDS(report->cpu), *task ? task : "an unknown task", text);
		else
			finding_note(&explain->finding->also, "when sysrq-l was pressed, %llu.%03llu s before the end, CPU %.*s ran %s, in %s",
				     ns / 1000000000, ns / 1000000 % 1000, WORDS(report->cpu), *task ? task : "an unknown task", text);
	}
}

/* How many of the listing stand there still as far as is known, the first of them, and how long they all have. */
static u32 count_listed(const struct explain *explain, const struct printed_listing *last, const struct printed_task **first, u64 *since)
{
	u32 nr = 0;

	*first = NULL;
	*since = ~0ULL;
	for (u32 i = 0; i < last->nr; i++) {
		const struct printed_task *task = &explain->printed.list[last->first + i];
		u64 one = listed_since(explain, last, task);

		if (has_gone_on(explain, last, task))
			continue;
		*first = *first ?: task;
		*since = one < *since ? one : *since;
		nr++;
	}
	return nr;
}

bool judge_listed(struct explain *explain)
{
	const struct printed_listing *last = last_listing(explain, false);
	struct finding *finding = explain->finding;
	char name[WORDS_TASK], where[4 * WORDS_FUNCTION];
	const struct printed_task *first;
	u64 end = explain->pm->end.time, ns = last && end > last->time ? end - last->time : 0, since;
	char when[60] = "right before the end";
	u32 nr, added = 0;

	/* The memory knows better. */
	if (!last || explain->pm->end.how != OUTCOME_UNKNOWN || explain->pm->kernel || ns > LISTED_OLD_NS)
		return false;
	nr = count_listed(explain, last, &first, &since);
	if (!nr)
		return false;
	if (ns >= 1000000000)
		snprintf(when, sizeof(when), "%llu s before the end", ns / 1000000000);
	name_of_listed(name, first);
	where_listed(where, &first->report);
	explain->listed = &first->report;
	finding->is_noticed = true;
	finding_claim(finding, "hung-task", since ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "%u task%s blocked when sysrq-%c was pressed, %s%s; %s%s, in %s.", nr, nr > 1 ? "s were" : " was", last->key, when,
		      since ? ", and at least 10 s before that" : "", nr > 1 ? "the first is " : "", name, where);
	finding_open(finding, since ? "Who holds what they wait for, or should have woken them: a task that waits need not be the culprit." :
				      "Whether they stay blocked: each task that waits for a disk is, for a moment. sysrq-w again, 10 s later, would show it.");
	for (u32 i = 0; i < last->nr && added < MOST_LISTED; i++) {
		const struct printed_task *task = &explain->printed.list[last->first + i];

		if (has_gone_on(explain, last, task))
			continue;
		add_listed(explain, task, listed_since(explain, last, task));
		added++;
	}
	if (nr > added)
		finding_note(&finding->also, "%u more tasks were blocked then", nr - added);
	add_listed_cpus(explain, true);
	finding_note(&finding->not_found, "how it ended: it still ran when this was read, or was reset later");
	finding_note(&finding->missing, "who holds the lock: a vmcore has it");
	finding_next(finding, "epitaph report --source log --all FILE");
	return true;
}

void listed_note(struct explain *explain)
{
	const struct printed_listing *last = last_listing(explain, false);
	u64 end = explain->pm->end.time, ns = last && end > last->time ? end - last->time : 0;
	char text[FINDING_TEXT] = "", name[WORDS_TASK], where[4 * WORDS_FUNCTION];
	size_t len = 0;

	if (explain->listed)
		return;
	for (u32 i = 0; last && i < last->nr && i < MOST_LISTED && len < sizeof(text) / 2; i++) {
		const struct printed_task *task = &explain->printed.list[last->first + i];

		name_of_listed(name, task);
		where_listed(where, &task->report);
		len += snprintf(text + len, sizeof(text) - len, "%s%s in %s", i ? "; " : "", name, where);
	}
	if (last && last->nr)
		finding_note(&explain->finding->also, "when sysrq-%c was pressed, %llu.%03llu s before the end, %u task%s blocked: %s",
			     last->key, ns / 1000000000, ns / 1000000 % 1000, last->nr, last->nr > 1 ? "s were" : " was", text);
	add_listed_cpus(explain, false);
}
