// SPDX-License-Identifier: GPL-2.0-or-later
#include "chain_claims.h"

#include <stdio.h>
#include <string.h>

#include "hang.h"
#include "judge/words.h"

#define MOST	32
#define PASS_NS	5000000000ULL	/* the recorder's lines stand in front of the report */

/**
 * struct said_owner - "INFO: task cat:512 is blocked on a mutex likely owned by task holder:77."
 * @is_sure: it holds it by the lock's word; false: it was the last to read
 * @is_checked: by the recorder: the owner is older than the wait. The kernel names what task has that address by now
 * @line: the words
 */
struct said_owner {
	u64 waiter;
	u64 owner;
	bool is_sure;
	bool is_checked;
	char waiter_name[WORDS_TASK];
	char owner_name[WORDS_TASK];
	struct report_text line;
	u64 time;
};

struct said_owners {
	struct said_owner list[MOST];
	u32 nr;
};

/* "holder:77" that ends at @end, or in front of " <" or "." there: its name and number. */
static bool read_said_task(const char *at, const char *end, char name[WORDS_TASK], u64 *pid)
{
	const char *stop = memmem(at, end - at, " <", 2) ?: end, *colon;

	colon = memrchr(at, ':', stop - at);
	if (!colon || colon == at || colon + 1 == stop || colon[1] < '0' || colon[1] > '9')
		return false;
	*pid = report_text_number((struct report_text){ at, stop - at }, colon + 1, 10);
	snprintf(name, WORDS_TASK, "%.*s-%llu", (int)(colon - at), at, *pid);
	return true;
}

static bool read_said_line(struct said_owner *said, struct report_text line)
{
	static const char by[] = " likely owned by task ", task[] = "task ";
	const char *end = line.text + line.len, *owner = memmem(line.text, line.len, by, strlen(by));
	const char *waiter = owner ? memmem(line.text, owner - line.text, task, strlen(task)) : NULL, *stop;

	if (!waiter)
		return false;
	waiter += strlen(task);
	stop = memmem(waiter, owner - waiter, " is blocked on ", 15) ?: memmem(waiter, owner - waiter, " blocked on ", 12);
	said->line = line;
	said->is_checked = !memmem(line.text, line.len, "INFO: ", 6);
	said->is_sure = !memmem(owner, end - owner, "<reader>", 8);
	return stop && read_said_task(waiter, stop, said->waiter_name, &said->waiter) &&
	       read_said_task(owner + strlen(by), end, said->owner_name, &said->owner);
}

/* The last line of each waiter, of the last look: in an earlier one they may have waited for others. */
static void read_said(struct said_owners *all, const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	u64 began = explain->death->reports.list[explain->death->first_blocked].time;
	struct said_owner said;
	u32 k;

	all->nr = 0;
	for (u32 i = 0; i < lines->nr; i++) {
		if (!read_said_line(&said, (struct report_text){ lines->list[i].text, lines->list[i].len }))
			continue;
		said.time = lines->list[i].time;
		if (said.time + PASS_NS < began)
			continue;
		for (k = 0; k < all->nr && all->list[k].waiter != said.waiter; k++)
			;
		if (k < MOST)
			all->list[k] = said;
		if (k == all->nr && k < MOST)
			all->nr++;
	}
}

static const struct said_owner *of_waiter(const struct said_owners *all, u64 pid)
{
	for (u32 i = 0; i < all->nr; i++)
		if (all->list[i].waiter == pid)
			return &all->list[i];
	return NULL;
}

/* One after the other; @back: where it comes back to, nr: it does not. */
struct said_chain {
	const struct said_owner *list[MOST];
	u32 nr;
	u32 back;
	bool is_sure;
};

static void follow_said(struct said_chain *chain, const struct said_owners *all, u64 pid)
{
	const struct said_owner *said;

	*chain = (struct said_chain){ .is_sure = true };
	while ((said = of_waiter(all, pid))) {
		for (u32 i = 0; i < chain->nr; i++)
			if (chain->list[i] == said) {
				chain->back = i;
				return;
			}
		chain->list[chain->nr++] = said;
		chain->is_sure &= said->is_sure;
		pid = said->owner;
	}
	chain->back = chain->nr;
}

/* No more than that they still waited, and no more than the lines. */
static enum finding_strength strength_of_said(const struct explain *explain, bool is_sure)
{
	return is_sure && explain->finding->strength >= FINDING_LIKELY ? FINDING_LIKELY : FINDING_POSSIBLE;
}

/* What the kernel reported of the task @pid at the end; NULL: it did not report that one. */
static const struct kernel_report *report_of(const struct explain *explain, u64 pid)
{
	const struct death *death = explain->death;
	char word[32];

	snprintf(word, sizeof(word), ":%llu blocked for ", pid);
	for (s64 i = death->cause; i >= 0 && i >= death->first_blocked; i--)
		if (death->reports.list[i].kind == KERNEL_REPORT_HUNG_TASK && report_text_has(death->reports.list[i].title, word))
			return &death->reports.list[i];
	return NULL;
}

/* The first of its frames from @from on whose function begins with @starts; nr_frames: none does. */
static u32 frame_of(const struct kernel_report *report, const char *starts, u32 from)
{
	char function[WORDS_FUNCTION];

	for (; from < report->nr_frames; from++) {
		words_function(function, report->frames[from]);
		if (!strncmp(function, starts, strlen(starts)))
			break;
	}
	return from;
}

/* It was the last to read the rwsem of a chain of notifiers, and changes a chain in one of that chain's callbacks. */
static bool claim_said_own_chain(struct explain *explain, const struct said_owner *said)
{
	const struct kernel_report *report = said->is_sure ? NULL : report_of(explain, said->owner);
	char place[2 * WORDS_FUNCTION];
	u32 changes, calls;

	if (!report)
		return false;
	changes = frame_of(report, "blocking_notifier_chain_", 0);
	calls = frame_of(report, "blocking_notifier_call_chain", changes);
	if (calls == report->nr_frames)
		return false;
	words_place(place, report->frames[changes + 1]);
	finding_claim(explain->finding, explain->finding->kind, strength_of_said(explain, true),
		      "%s waits for itself: %s, a callback of a chain of notifiers, adds or removes one of that chain, which waits for all of its callbacks to end.",
		      said->owner_name, place);
	finding_open(explain->finding, "Whether it is the same chain: a vmcore has its lock.");
	return true;
}

static bool claim_said_circle(struct explain *explain, const struct said_chain *chain)
{
	struct finding *finding = explain->finding;
	char who[FINDING_TEXT - 120] = "";
	size_t len = 0;
	bool is_sure = true;

	for (u32 i = chain->back; i < chain->nr; i++)
		is_sure &= chain->list[i]->is_sure;
	for (u32 i = chain->back; i < chain->nr && len < sizeof(who) - WORDS_TASK; i++)
		len += snprintf(who + len, sizeof(who) - len, "%s%s", i == chain->back ? "" : ", ", chain->list[i]->waiter_name);
	if (chain->nr - chain->back == 1)
		return claim_said_own_chain(explain, chain->list[chain->back]);
	finding_claim(finding, finding->kind, strength_of_said(explain, is_sure),
		      "A deadlock: each of these tasks waits for a lock that the next one holds, and the last for the first: %s.", who);
	finding_open(finding, "Which order is right: the code has to take these locks in the same one everywhere.");
	return true;
}

/*
 * The work item that a task which sleeps since @asleep waits for, if the task @runner runs it: the only one that was queued or began
 * to run before, and has not ended. NULL: there is none, or others.
 */
static const struct deferred *work_waited_for(const struct explain *explain, u64 asleep, u64 runner)
{
	const struct deferred_table *table = &explain->history.deferred;
	const struct deferred *found = NULL;

	/* The kernel reports no more tasks that hang: another worker may, too. */
	if (explain->death->is_hang_silent)
		return NULL;
	if (!asleep || !table->has_ends[DEFERRED_WORK] || table->nr_dropped || pm_lost(explain->pm))
		return NULL;
	for (u32 i = 0; i < DEFERRED_PLACES; i++) {
		const struct deferred *work = &table->places[i];
		u64 since = work->is_running ? work->began.time : work->started.time;

		if (!work->object || work->kind != DEFERRED_WORK || !(work->is_running || work->is_pending) || since > asleep)
			continue;
		if (found || !work->is_running || (u64)work->began.pid != runner)
			return NULL;
		found = work;
	}
	return found;
}

/* Does a worker hang beside @runner? It may run what began before the trace did. */
static bool is_other_worker(const struct explain *explain, u64 runner)
{
	const struct kernel_report *own = report_of(explain, runner);
	const struct death *death = explain->death;

	for (s64 i = death->first_blocked; i >= 0 && i <= death->cause; i++)
		if (&death->reports.list[i] != own && frame_of(&death->reports.list[i], "process_one_work", 0) < death->reports.list[i].nr_frames)
			return true;
	return false;
}

/* Is the work item's @function of the module that waits for one in @end? What began before the trace did is not in it. */
static bool is_of_same_module(const struct kernel_report *end, const char *function)
{
	struct fault_text waits = { 0 }, runs = { 0 };

	for (u32 i = 0; i < end->nr_frames && !*waits.module; i++)
		fault_text_take_module(&waits, end->frames[i]);
	fault_text_take_module(&runs, (struct report_text){ function, strlen(function) });
	return *waits.module && !strcmp(waits.module, runs.module);
}

/* The end of the chain waits for a work item to end, which a task of the chain runs. */
static bool claim_said_work(struct explain *explain, const struct said_chain *chain, const struct kernel_report *end)
{
	const struct said_owner *last = chain->list[chain->nr - 1];
	const struct history_task *task = history_task(&explain->history, last->owner);
	char function[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];
	const struct deferred *work = NULL;
	u32 k = chain->nr;

	if (frame_of(end, "__flush_work", 0) == end->nr_frames || !task || task->woken)
		return false;
	while (!work && k-- > 0)
		work = work_waited_for(explain, task->out, chain->list[k]->waiter);
	if (!work || is_other_worker(explain, chain->list[k]->waiter) || !words_deferred(explain, work, function, sizeof(function)))
		return false;
	words_place(place, (struct report_text){ function, strlen(function) });
	finding_claim(explain->finding, explain->finding->kind, strength_of_said(explain, chain->is_sure && is_of_same_module(end, function)),
		      "A deadlock: %s waits for a lock that %s holds%s, and %s waits for the work item %s, which %s runs.", chain->list[k]->waiter_name,
		      chain->list[k]->owner_name, k + 1 < chain->nr ? ", which waits for a lock as well" : "", last->owner_name, place,
		      chain->list[k]->waiter_name);
	finding_open(explain->finding, "Which of them gives way: a work item must not be waited for under a lock that it takes.");
	finding_evidence(explain->finding, work->began.time, finding_event(work->began.cpu, "workqueue:workqueue_execute_start"),
			 "%s began to run %.80s, the only work item that did not end and was there before %s slept", chain->list[k]->waiter_name, place,
			 last->owner_name);
	return true;
}

static bool claim_said_end(struct explain *explain, const struct said_chain *chain)
{
	const struct said_owner *first = chain->list[0], *last = chain->list[chain->nr - 1];
	const struct kernel_report *end = report_of(explain, last->owner);
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];
	const char *what;

	if (!end)
		return false;
	if (claim_said_work(explain, chain, end))
		return true;
	what = hung_task_wants(end);
	words_place(place, hung_task_place(explain, end));
	finding_claim(finding, finding->kind, strength_of_said(explain, chain->is_sure),
		      "%s waits for a lock, and at the end of the chain %s holds what is waited for and %s%s in %.90s.", first->waiter_name,
		      last->owner_name, what ? "waits itself for " : "sleeps", what ?: "", place);
	finding_open(finding, "Why %s does not give it back.", last->owner_name);
	return true;
}

bool said_owners_claim(struct explain *explain, u64 pid, bool only_deadlock)
{
	struct said_owners all;
	struct said_chain chain;
	bool is_claim;

	read_said(&all, explain);
	follow_said(&chain, &all, pid);
	/* Of the first that was found there may be no line, and of others a deadlock. */
	for (u32 i = 0; i < all.nr && !chain.nr; i++) {
		follow_said(&chain, &all, all.list[i].waiter);
		if (chain.back == chain.nr)
			chain = (struct said_chain){ 0 };
	}
	if (!chain.nr || (only_deadlock && chain.back == chain.nr))
		return false;
	is_claim = chain.back < chain.nr ? claim_said_circle(explain, &chain) : claim_said_end(explain, &chain);
	if (!is_claim && chain.list[chain.nr - 1]->is_checked)
		finding_open(explain->finding, "By the lock's word %s holds it, or a task that ended with it and had that memory before. A vmcore has its stack.",
			     chain.list[chain.nr - 1]->owner_name);
	for (u32 i = 0; i < chain.nr; i++)
		finding_evidence(explain->finding, chain.list[i]->time, finding_line(chain.list[i]->line.text, chain.list[i]->line.len), "%.*s",
				 WORDS(chain.list[i]->line));
	return is_claim;
}
