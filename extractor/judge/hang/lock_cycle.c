// SPDX-License-Identifier: GPL-2.0-or-later
#include "chain_claims.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "completing_task.h"
#include "gone_owner.h"
#include "hang.h"
#include "wait_words.h"

/* Are all of the cycle locks, and none a work item or a thread? */
static bool is_of_locks(const struct kernel_chain *chain)
{
	for (u32 i = chain->back; i < chain->nr; i++)
		if (chain->waits[i].owner_kind == KOWNER_WORKER || chain->waits[i].owner_kind == KOWNER_USER || chain->waits[i].owner_kind == KOWNER_ENDING ||
		    chain->waits[i].owner_kind == KOWNER_HOTPLUG || chain->waits[i].owner_kind == KOWNER_COMPLETER || chain->waits[i].owner_kind == KOWNER_FRONT ||
		    chain->waits[i].owner_kind == KOWNER_CALLER || chain->waits[i].owner_kind == KOWNER_PARKING ||
		    chain->waits[i].owner_kind == KOWNER_SRCU_READER)
			return false;
	return true;
}

static bool has_owner_kind(const struct kernel_chain *chain, enum kernel_owner_kind kind)
{
	for (u32 i = chain->back; i < chain->nr; i++)
		if (chain->waits[i].owner_kind == kind)
			return true;
	return false;
}

/* "A-1 waits for what B-2 holds, and B-2 for what A-1 holds" */
static void claim_cycle(struct finding *finding, const struct kernel_chain *chain)
{
	char who[FINDING_TEXT - 80] = "", first[LINK_WORDS], second[LINK_WORDS], place[2 * WORDS_FUNCTION];
	size_t len = 0;

	for (u32 i = chain->back; i < chain->nr && len < sizeof(who) - 40; i++)
		len += snprintf(who + len, sizeof(who) - len, "%s%s-%d", i == chain->back ? "" : ", ",
				chain->tasks[i]->comm, chain->tasks[i]->pid);
	if (chain->back + 1 == chain->nr && chain->waits[chain->back].owner_kind == KOWNER_WORKER) {
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
			      "%s waits for itself: it runs the work item %s, and waits in that until it has ended (flush or cancel_work_sync()).", who,
			      wait_words_work(place, &chain->waits[chain->back]));
		finding_open(finding, "Which of the functions that the work item calls must not wait for it; epitaph info --stacks FILE has its stack.");
		return;
	}
	/* The lock has an address: that of a task which ended with it held may be this one's by now. */
	if (chain->back + 1 == chain->nr && chain->waits[chain->back].owner_kind == KOWNER_GATE_READER) {
		finding_claim(finding, finding->kind, FINDING_LIKELY, "%s waits for itself: it wants to write a per-CPU semaphore that it has for reading, taken in %s.", who,
			      wait_words_work(place, &chain->waits[chain->back]));
		finding_open(finding, "Which of the functions that this one calls must not write it there. Who waits behind the writer is innocent.");
		return;
	}
	if (chain->back + 1 == chain->nr) {
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "A deadlock: %s waits for a lock that it holds itself.", who);
		finding_open(finding, "Which of its functions took the lock first. None: then a task ended with the lock, and this one has its memory since.");
		return;
	}
	if (is_of_locks(chain)) {
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
			      "A deadlock: each of these tasks waits for a lock that the next one holds, and the last for the first: %s.",
			      who);
		finding_open(finding, "Which order is right: the code has to take these locks in the same one everywhere.");
		return;
	}
	if (chain->nr - chain->back == 2) {
		wait_words_link(first, chain->tasks[chain->back], &chain->waits[chain->back]);
		wait_words_link(second, chain->tasks[chain->back + 1], &chain->waits[chain->back + 1]);
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
			      "A deadlock: %s, and %s.", first, second);
		finding_open(finding, "What is wrong of the two: to wait for that with the lock held, or to take the lock there.");
		return;
	}
	finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
		      "A deadlock: each of these tasks waits for a lock that the next one holds, or for what the next one %s, and the last for the first: %s.",
		      has_owner_kind(chain, KOWNER_USER) ? "uses" :
		      has_owner_kind(chain, KOWNER_COMPLETER) || has_owner_kind(chain, KOWNER_FRONT) ||
		      has_owner_kind(chain, KOWNER_CALLER) ? "runs or is to complete" : "runs", who);
	finding_open(finding, "What is wrong of the two: to wait for that with the lock held, or to take the lock there.");
}

/* The first cycle that is sure, of all tasks. */
static void take_cycle(const struct kernel_chain *chain, void *priv)
{
	struct kernel_chain *found = priv;

	if (!found->nr && chain->is_sure)
		*found = *chain;
}

/* How often the tasks of a cycle have given up a CPU in all; false: that is not known. */
static bool count_switches(const struct kernel *kernel, const struct kernel_chain *chain, u64 *ret)
{
	u64 voluntary, involuntary;

	*ret = 0;
	for (u32 i = chain->back; i < chain->nr; i++) {
		u64 va = chain->tasks[i]->va;

		if (!kernel_state_member(kernel, "task_struct", "nvcsw", va, &voluntary) ||
		    !kernel_state_member(kernel, "task_struct", "nivcsw", va, &involuntary))
			return false;
		*ret += voluntary + involuntary;
	}
	return true;
}

/*
 * Of a kernel that runs, owners and waiters are read one after the other: is it the same cycle a second
 * later, and did none of its tasks run meanwhile?
 */
static bool is_cycle_still(const struct owners *owners, const struct kernel *kernel, const struct kernel_chain *found)
{
	struct timespec second = { .tv_sec = 1 };
	struct kernel_chain *chain = owners->chain;
	struct err err = ERR_INIT;
	u64 before, after;

	if (!count_switches(kernel, found, &before))
		return false;
	ppoll(NULL, 0, &second, NULL);
	if (kernel_wait_chain(owners->waits, found->tasks[found->back], chain, &err) || !chain->is_cycle || !chain->is_sure ||
	    chain->back || chain->nr != found->nr - found->back)
		return false;
	for (u32 i = 0; i < chain->nr; i++)
		if (chain->tasks[i] != found->tasks[found->back + i] || chain->waits[i].lock != found->waits[found->back + i].lock)
			return false;
	return count_switches(kernel, found, &after) && after == before;
}

/* A cycle has no first task: of the functions in which its tasks wait, the least by name signs it. */
static void sign_by_cycle(struct explain *explain, const struct owners *owners, const struct kernel_chain *chain)
{
	char name[KERNEL_SYMBOL_MAX];

	for (u32 i = chain->back; i < chain->nr; i++) {
		owners_name_wait(owners, explain->pm->kernel, chain->tasks[i], name);
		if (*name && (!*explain->signed_by || strcmp(name, explain->signed_by) < 0))
			memcpy(explain->signed_by, name, sizeof(name));
	}
}

bool judge_deadlock(struct explain *explain)
{
	struct finding *finding = explain->finding;
	struct kernel_chain *found = calloc(1, sizeof(*found));
	struct err err = ERR_INIT;
	struct owners owners = { 0 };
	bool is = false;

	if (explain->pm->end.how == OUTCOME_UNKNOWN && explain->pm->kernel && found && owners_open(&owners, explain) &&
	    !kernel_deadlocks(owners.waits, owners.chain, take_cycle, found, &err) && found->nr &&
	    is_cycle_still(&owners, explain->pm->kernel, found)) {
		is = true;
		finding->kind = "hung-task";
		claim_cycle(finding, found);
		/* Of a running kernel it is read while it changes. */
		finding->strength = FINDING_LIKELY;
		wait_words_evidence(finding, found);
		sign_by_cycle(explain, &owners, found);
		finding_note(&finding->not_found, "how it ended: it still ran when this was read, or was reset later");
		finding_next(finding, "epitaph info --stacks FILE");
	}
	owners_close(&owners);
	free(found);
	return is;
}

/* Has the stack of @task a function behind the one that waits, which may have taken a lock before it called that? */
static bool has_outer_function(const struct explain *explain, const struct owners *owners, const struct kernel_task *task)
{
	/* Where code begins that knows no lock of the function which it calls by a pointer. */
	static const char *const starts[] = { "kthread", "ret_from_fork", "do_syscall", "entry_", "process_one_work",
					      "vfs_read", "vfs_write", "vfs_ioctl", "proc_reg_", "seq_read", "full_proxy_",
					      "dev_attr_", "drv_attr_", "kobj_attr_", "param_attr_", "sysfs_kf_", NULL };
	struct kernel_stack *stack = malloc(sizeof(*stack));
	char name[KERNEL_SYMBOL_MAX];
	u32 nr = 0;

	if (stack)
		kernel_unwind(owners->unwinder, task, stack);
	for (u32 i = 0; stack && i < stack->nr_sure; i++) {
		if (!kernel_frame_function(explain->pm->kernel, &stack->frames[i], name, sizeof(name)))
			continue;
		if (plumbing_begins(name, starts))
			break;
		nr += !plumbing_has(name);
	}
	free(stack);
	return nr > 1;
}

/* It was the last to read the rwsem of a chain of notifiers, and changes a chain in one of that chain's callbacks. */
static void claim_own_chain(struct explain *explain, const struct owners *owners, const struct kernel_task *task)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	char name[KERNEL_SYMBOL_MAX] = "", place[2 * WORDS_FUNCTION];
	u32 changes, calls;

	if (!stack)
		return;
	kernel_unwind(owners->unwinder, task, stack);
	changes = owners_frame(explain->pm->kernel, stack, "blocking_notifier_chain_", 0);
	calls = owners_frame(explain->pm->kernel, stack, "blocking_notifier_call_chain", changes);
	if (calls < stack->nr_sure) {
		kernel_frame_name(explain->pm->kernel, &stack->frames[changes + 1], name, sizeof(name));
		words_place(place, (struct report_text){ name, strlen(name) });
		finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
			      "%s-%d waits for itself: %s, a callback of a chain of notifiers, adds or removes one of that chain, which waits for all of its callbacks to end.",
			      task->comm, task->pid, place);
		finding_open(explain->finding, "How else it is to be removed: from a work item, or by the one that calls the chain.");
	}
	free(stack);
}

static void note_cycle(const struct kernel_chain *chain, void *priv)
{
	struct explain *explain = priv;
	char who[FINDING_TEXT - 80] = "";
	size_t len = 0;

	if (!chain->is_sure)
		return;
	for (u32 i = chain->back; i < chain->nr && len < sizeof(who) - 40; i++)
		len += snprintf(who + len, sizeof(who) - len, "%s%s-%d", i == chain->back ? "" : ", ", chain->tasks[i]->comm, chain->tasks[i]->pid);
	finding_note(&explain->finding->also, "a deadlock: each of these tasks waits for the next one, and the last for the first: %s; epitaph info --stacks FILE", who);
}

/* The word of a rwsem names the reader that came last, also when that one has left. */
static void claim_unknown_reader(struct finding *finding, const struct kernel_task *task)
{
	finding_claim(finding, finding->kind, FINDING_SHOWN,
		      "%s-%d waits for a read-write semaphore that readers hold; the last of them to come was %s-%d itself, which may have left it since.",
		      task->comm, task->pid, task->comm, task->pid);
	finding_open(finding, "Who reads it still. If no task does, a reader returned without up_read(), perhaps where it met an error.");
}

void lock_cycle_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];

	bool is_reader_unknown;

	claim_cycle(explain->finding, chain);
	if (!chain->is_sure)
		explain->finding->strength = completing_task_strength(chain);
	if (chain->back + 1 < chain->nr)
		return;
	is_reader_unknown = explain->finding->strength == FINDING_POSSIBLE;
	if (is_reader_unknown)
		claim_unknown_reader(explain->finding, last);
	claim_own_chain(explain, owners, last);
	if (explain->finding->strength == FINDING_LIKELY && !has_outer_function(explain, owners, last))
		explain->finding->strength = FINDING_POSSIBLE;
	/* Or none of its functions has it: then another one came back with it. */
	if (is_reader_unknown || explain->finding->strength == FINDING_POSSIBLE)
		left_lock_claim(explain, owners, last, &chain->waits[chain->nr - 1], NULL);
}

void lock_cycle_note(struct explain *explain, const struct owners *owners)
{
	struct err err = ERR_INIT;

	kernel_deadlocks(owners->waits, owners->chain, note_cycle, explain, &err);
}
