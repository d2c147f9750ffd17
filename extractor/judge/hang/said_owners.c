// SPDX-License-Identifier: GPL-2.0-or-later
#include "chain_claims.h"

#include <stdio.h>
#include <string.h>

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
		return false;
	finding_claim(finding, finding->kind, strength_of_said(explain, is_sure),
		      "A deadlock: each of these tasks waits for a lock that the next one holds, and the last for the first: %s.", who);
	finding_open(finding, "Which order is right: the code has to take these locks in the same one everywhere.");
	return true;
}

/* What the kernel reported of the task at the end; "": it did not report that one. */
static void put_said_end(char text[FINDING_TEXT / 2], const struct explain *explain, u64 pid)
{
	const struct death *death = explain->death;
	char place[2 * WORDS_FUNCTION], word[32];

	*text = '\0';
	snprintf(word, sizeof(word), ":%llu blocked for ", pid);
	for (s64 i = death->first_blocked; i >= 0 && i <= death->cause; i++) {
		const struct kernel_report *report = &death->reports.list[i];

		if (report->kind != KERNEL_REPORT_HUNG_TASK || !report_text_has(report->title, word))
			continue;
		words_place(place, words_frame(report, plumbing_is_of_waiting));
		snprintf(text, FINDING_TEXT / 2, " and sleeps itself, for something that has no owner, in %.90s", place);
	}
}

static bool claim_said_end(struct explain *explain, const struct said_chain *chain)
{
	const struct said_owner *first = chain->list[0], *last = chain->list[chain->nr - 1];
	struct finding *finding = explain->finding;
	char end[FINDING_TEXT / 2];

	put_said_end(end, explain, last->owner);
	if (!*end)
		return false;
	finding_claim(finding, finding->kind, strength_of_said(explain, chain->is_sure),
		      "%s waits for a lock, and at the end of the chain %s holds what is waited for%s.", first->waiter_name, last->owner_name, end);
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
