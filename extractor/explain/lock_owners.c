// SPDX-License-Identifier: GPL-2.0-or-later
#include "lock_owners.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_state/waits.h"

#define MOST_LINKS	6	/* of a chain, as evidence */

/* What has been opened of a kernel. */
struct owners {
	struct kernel_tasks *tasks;
	struct kernel_unwinder *unwinder;
	struct kernel_waits *waits;
	struct kernel_chain *chain;
};

static void close_owners(struct owners *owners)
{
	free(owners->chain);
	kernel_waits_close(owners->waits);
	kernel_unwinder_close(owners->unwinder);
	kernel_tasks_close(owners->tasks);
}

static bool open_owners(struct owners *owners, const struct kernel *kernel)
{
	struct err err = ERR_INIT;

	*owners = (struct owners){ .chain = malloc(sizeof(*owners->chain)) };
	return owners->chain && !kernel_tasks_open(&owners->tasks, kernel, &err) &&
	       !kernel_unwinder_open(&owners->unwinder, owners->tasks, &err) &&
	       !kernel_waits_open(&owners->waits, owners->tasks, owners->unwinder, &err);
}

static const struct kernel_task *task_of_pid(const struct kernel_tasks *tasks, u64 pid)
{
	for (u32 i = 0; i < tasks->nr; i++)
		if ((u64)tasks->list[i].pid == pid)
			return &tasks->list[i];
	return NULL;
}

/* "for mutex giro [victim]", or with its address where it has no name. */
static void put_lock(char *text, size_t size, const struct kernel_wait *wait)
{
	const char *word = kernel_wait_word(wait->kind);

	if (*wait->name)
		snprintf(text, size, "%s %s", word, wait->name);
	else
		snprintf(text, size, "%s at %016llx", word, wait->lock);
}

static void add_links(struct finding *finding, const struct kernel_chain *chain)
{
	char lock[FINDING_TEXT / 2];

	for (u32 i = 0; i < chain->nr && i < MOST_LINKS; i++) {
		const struct kernel_task *task = chain->tasks[i];
		const struct kernel_wait *wait = &chain->waits[i];

		if (i + 1 == chain->nr && !chain->is_cycle && !chain->last_waits)
			continue;
		put_lock(lock, sizeof(lock), wait);
		if (wait->owner && wait->owner_kind == KOWNER_SHOWN)
			finding_evidence_timeless(finding, "%s-%d waits %s, held by %s-%d: the lock itself names it",
						  task->comm, task->pid, lock, wait->owner->comm, wait->owner->pid);
		else if (wait->owner)
			finding_evidence_timeless(finding, "%s-%d waits %s, which %s-%d was the last to read", task->comm,
						  task->pid, lock, wait->owner->comm, wait->owner->pid);
		else
			finding_evidence_timeless(finding, "%s-%d waits %s; %s", task->comm, task->pid, lock,
						  wait->owner_kind == KOWNER_UNKNOWN ? "its owner is no task that is known" :
						  "the kernel keeps no owner of it");
	}
}

/* "A-1 waits for what B-2 holds, and B-2 for what A-1 holds" */
static void claim_cycle(struct finding *finding, const struct kernel_chain *chain)
{
	char who[FINDING_TEXT - 80] = "";
	size_t len = 0;

	for (u32 i = chain->back; i < chain->nr && len < sizeof(who) - 40; i++)
		len += snprintf(who + len, sizeof(who) - len, "%s%s-%d", i == chain->back ? "" : ", ",
				chain->tasks[i]->comm, chain->tasks[i]->pid);
	finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
		      "A deadlock: each of these tasks waits for a lock that the next one holds, and the last for the first: %s.",
		      who);
	finding_open(finding, "Which order is right: the code has to take these locks in the same one everywhere.");
}

static const char *what_it_does(const struct kernel_chain *chain, const struct kernel_task *last)
{
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];

	if (last->is_running)
		return "runs";
	if (last->state == 'R')
		return "could run, but has no CPU";
	if (chain->last_waits && !chain->is_cut && wait->owner_kind == KOWNER_NONE)
		return "sleeps itself, for something that has no owner";
	return "sleeps; what for is not known";
}

static void claim_end(struct finding *finding, const struct kernel_chain *chain)
{
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_task *first = chain->tasks[0];

	finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
		      "%s-%d waits for a lock, and at the end of the chain %s-%d holds what is waited for and %s.",
		      first->comm, first->pid, last->comm, last->pid,
		      what_it_does(chain, last));
	finding_open(finding, "Why %s-%d does not give it back; epitaph info --stacks FILE has its stack.",
		     last->comm, last->pid);
}

void lock_owners_add(struct explain *explain, u64 pid)
{
	struct finding *finding = explain->finding;
	const struct kernel_task *task;
	struct err err = ERR_INIT;
	struct owners owners;

	if (!explain->pm->kernel) {
		finding_note(&finding->missing, "who holds the lock: a vmcore has it");
		return;
	}
	task = open_owners(&owners, explain->pm->kernel) ? task_of_pid(owners.tasks, pid) : NULL;
	if (task && !kernel_wait_chain(owners.waits, task, owners.chain, &err)) {
		const struct kernel_chain *chain = owners.chain;

		if (chain->is_cycle)
			claim_cycle(finding, chain);
		else if (chain->nr > 1)
			claim_end(finding, chain);
		if (chain->nr > 1 || chain->last_waits)
			add_links(finding, chain);
		finding_next(finding, "epitaph info --stacks FILE");
	}
	close_owners(&owners);
}
