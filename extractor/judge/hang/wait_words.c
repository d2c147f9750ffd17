// SPDX-License-Identifier: GPL-2.0-or-later
#include "wait_words.h"

#include <stdio.h>
#include <string.h>

#define MOST_LINKS	6	/* of a chain */

void wait_words_lock(char *text, size_t size, const struct kernel_wait *wait)
{
	const char *word = kernel_wait_word(wait->kind);

	if (*wait->name)
		snprintf(text, size, "%s %.140s", word, wait->name);
	else
		snprintf(text, size, "%s at %016llx", word, wait->lock);
}

const char *wait_words_work(char place[2 * WORDS_FUNCTION], const struct kernel_wait *wait)
{
	words_place(place, (struct report_text){ wait->work, strlen(wait->work) });
	return place;
}

/* Who wants to read stands behind one that wants to write. */
static void put_writer(char text[64], const struct kernel_wait *wait)
{
	if (wait->owner_kind == KOWNER_READER && wait->writer)
		snprintf(text, 64, ", behind the writer %s-%d,", wait->writer->comm, wait->writer->pid);
}

void wait_words_link_evidence(struct finding *finding, const struct kernel_task *task, const struct kernel_wait *wait)
{
	char lock[FINDING_TEXT / 2], place[2 * WORDS_FUNCTION], writer[64] = "";

	put_writer(writer, wait);
	wait_words_lock(lock, sizeof(lock), wait);
	if (wait->owner_kind == KOWNER_YOUNGER)
		finding_evidence_timeless(finding, "%s-%d waits %s; the lock names %s-%d, which began later than that wait: it is not who took it",
					  task->comm, task->pid, lock, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_SHOWN)
		finding_evidence_timeless(finding, "%s-%d waits %s, held by %s-%d: the lock itself names it",
					  task->comm, task->pid, lock, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_WORKER)
		finding_evidence_timeless(finding, "%s-%d waits for the work item %s, which %s-%d runs: the worker itself names it",
					  task->comm, task->pid, wait_words_work(place, wait), wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_HOTPLUG)
		finding_evidence_timeless(finding, "%s-%d waits for the callbacks of CPU hotplug that %s-%d runs: the kernel's state of that CPU names it",
					  task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_HOTPLUG_WRITER)
		finding_evidence_timeless(finding, "%s-%d waits for the lock of CPU hotplug, which %s-%d has: it takes a CPU up or down, by its stack",
					  task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_COMPLETER)
		finding_evidence_timeless(finding, "%s-%d waits %s; %s-%d sleeps in the only function of that module that completes it, in front of that",
					  task->comm, task->pid, lock, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_CALLER)
		finding_evidence_timeless(finding, "%s-%d waits %s, which %s alone completes; %s-%d is to call that, behind its own wait",
					  task->comm, task->pid, lock, wait_words_work(place, wait), wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_FRONT)
		finding_evidence_timeless(finding, "%s-%d waits %s; the only work item of that module that completes one, %s, is queued behind what %s-%d runs: that workqueue runs one at a time",
					  task->comm, task->pid, lock, wait_words_work(place, wait), wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_USER)
		finding_evidence_timeless(finding, "%s-%d removes a file and waits for its users; %s-%d is the only other task in a function of such a file",
					  task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_CODE)
		finding_evidence_timeless(finding, "%s-%d waits %s; %s-%d, alone, sleeps in a function that has taken it by its code, and has not given it back",
					  task->comm, task->pid, lock, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_ENDING)
		finding_evidence_timeless(finding, "%s-%d waits for the end of the thread %s-%d: that itself names what it completes then",
					  task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_PARKING)
		finding_evidence_timeless(finding, "%s-%d waits for the thread %s-%d to park itself: that itself has what it completes then",
					  task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_SRCU_READER)
		finding_evidence_timeless(finding, "%s-%d waits for the readers of an SRCU; %s-%d alone is seen to read under it, since srcu_read_lock() in %s", task->comm,
					  task->pid, wait->owner->comm, wait->owner->pid, wait_words_work(place, wait));
	else if (wait->owner && wait->owner_kind == KOWNER_GATE_WRITER)
		finding_evidence_timeless(finding, "%s-%d waits for a per-CPU semaphore, queue %016llx, behind the writer %s-%d: the semaphore names it",
					  task->comm, task->pid, wait->lock, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_GATE_READER)
		finding_evidence_timeless(finding, "%s-%d waits to write the per-CPU semaphore %016llx, which one reads: %s-%d, taken in %s", task->comm, task->pid,
					  wait->lock, wait->owner->comm, wait->owner->pid, wait_words_work(place, wait));
	else if (wait->owner_kind == KOWNER_GATE_READER)
		finding_evidence_timeless(finding, "%s-%d waits to write the per-CPU semaphore %016llx, which %llu read by its counters: who is not seen", task->comm,
					  task->pid, wait->lock, wait->nr_readers);
	else if (wait->owner && wait->owner_kind == KOWNER_READER)
		finding_evidence_timeless(finding, "%s-%d%s waits %s; %s-%d alone reads it, taken in %s", task->comm,
					  task->pid, writer, lock, wait->owner->comm, wait->owner->pid, wait_words_work(place, wait));
	else if (wait->owner)
		finding_evidence_timeless(finding, "%s-%d waits %s, which %s-%d was the last to read", task->comm,
					  task->pid, lock, wait->owner->comm, wait->owner->pid);
	else
		finding_evidence_timeless(finding, "%s-%d waits %s; %s", task->comm, task->pid, lock,
					  wait->is_renewed ? "that was set up anew while it waited: its list of waiters is empty" :
					  wait->owner_kind == KOWNER_UNKNOWN ? "its owner is no task that is known" :
					  "the kernel keeps no owner of it");
}

void wait_words_evidence(struct finding *finding, const struct kernel_chain *chain)
{
	for (u32 i = 0; i < chain->nr && i < MOST_LINKS; i++)
		if (i + 1 < chain->nr || chain->is_cycle || chain->last_waits)
			wait_words_link_evidence(finding, chain->tasks[i], &chain->waits[i]);
}

void wait_words_link(char text[LINK_WORDS], const struct kernel_task *task, const struct kernel_wait *wait)
{
	char work[WORDS_FUNCTION], writer[64] = "";

	put_writer(writer, wait);
	words_function(work, (struct report_text){ wait->work, strlen(wait->work) });
	if (wait->owner_kind == KOWNER_WORKER)
		snprintf(text, LINK_WORDS, "%s-%d waits for the work item %.48s(), which %s-%d runs", task->comm, task->pid, work,
			 wait->owner->comm, wait->owner->pid);
	else if (wait->owner_kind == KOWNER_HOTPLUG)
		snprintf(text, LINK_WORDS, "%s-%d waits for callbacks of CPU hotplug that %s-%d runs", task->comm, task->pid, wait->owner->comm,
			 wait->owner->pid);
	else if (wait->owner_kind == KOWNER_COMPLETER)
		snprintf(text, LINK_WORDS, "%s-%d waits for what %s-%d is to complete", task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner_kind == KOWNER_CALLER)
		snprintf(text, LINK_WORDS, "%s-%d waits for a completion by %.48s(), which %s-%d is to call", task->comm, task->pid, work, wait->owner->comm,
			 wait->owner->pid);
	else if (wait->owner_kind == KOWNER_FRONT)
		snprintf(text, LINK_WORDS, "%s-%d waits for the work item %.48s(), queued behind what %s-%d runs", task->comm, task->pid, work,
			 wait->owner->comm, wait->owner->pid);
	else if (wait->owner_kind == KOWNER_USER)
		snprintf(text, LINK_WORDS, "%s-%d removes a file and waits for its user %s-%d", task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner_kind == KOWNER_GATE_WRITER)
		snprintf(text, LINK_WORDS, "%s-%d waits for a lock behind the writer %s-%d", task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner_kind == KOWNER_PARKING)
		snprintf(text, LINK_WORDS, "%s-%d waits for %s-%d to park itself", task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner_kind == KOWNER_SRCU_READER)
		snprintf(text, LINK_WORDS, "%s-%d waits for the readers of an SRCU, of which %s-%d is one", task->comm, task->pid, wait->owner->comm,
			 wait->owner->pid);
	else if (wait->owner_kind == KOWNER_ENDING)
		snprintf(text, LINK_WORDS, "%s-%d waits for the end of %s-%d", task->comm, task->pid, wait->owner->comm,
			 wait->owner->pid);
	else
		snprintf(text, LINK_WORDS, "%s-%d%s waits for a lock that %s-%d holds", task->comm, task->pid, writer, wait->owner->comm,
			 wait->owner->pid);
}
