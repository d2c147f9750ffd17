// SPDX-License-Identifier: GPL-2.0-or-later
#include "chain_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_holder.h"
#include "completing_task.h"
#include "gone_owner.h"
#include "hang.h"
#include "judge/words.h"
#include "owners.h"
#include "wait_words.h"

#define MOST_UNREPORTED	3	/* tasks that hang as well, as evidence */
#define MOST_GONE	3	/* tasks that wait for what a task holds that has ended */

/* What is left of it waits for its parent, and gives nothing back. */
static bool has_ended(const struct kernel_task *task)
{
	return task->state == 'Z' || task->state == 'X';
}

static const char *what_it_does(const struct kernel_chain *chain, const struct kernel_task *last)
{
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];

	if (last->is_running)
		return "runs";
	if (last->is_lacking && !chain->last_waits)
		return "is not in this dump";
	if (has_ended(last))
		return "has ended";
	if (last->state == 'R')
		return "could run, but has no CPU";
	if (chain->last_waits && wait->owner_kind == KOWNER_GATE_READER)
		return "waits itself, until those that read a per-CPU semaphore have left it";
	if (chain->last_waits && wait->owner_kind == KOWNER_UNKNOWN)
		return "waits itself, for a lock whose owner is no task that is known";
	if (chain->last_waits && !chain->is_cut && wait->owner_kind == KOWNER_NONE)
		return wait->kind == KWAIT_PAGE ? "sleeps itself, for a page that is locked or is being read or written" :
						  "sleeps itself, for something that has no owner";
	return "sleeps; what for is not known";
}

/* "waits for a lock" */
static const char *what_first_wants(const struct kernel_chain *chain)
{
	switch (chain->waits[0].owner_kind) {
	case KOWNER_WORKER:
		return "a work item to end";
	case KOWNER_HOTPLUG:
		return "a callback of CPU hotplug";
	case KOWNER_USER:
		return "the users of a file to leave it";
	case KOWNER_ENDING:
		return "a thread to end";
	case KOWNER_PARKING:
		return "a thread to park itself";
	case KOWNER_SRCU_READER:
		return "the readers of an SRCU to leave";
	case KOWNER_COMPLETER:
	case KOWNER_CALLER:
	case KOWNER_FRONT:
		return "a completion";
	default:
		return "a lock";
	}
}

/* What the last task has to do with it. */
static void put_hold(char text[4 * WORDS_FUNCTION], const struct kernel_chain *chain)
{
	const struct kernel_wait *wait = &chain->waits[chain->nr - 2];
	char place[2 * WORDS_FUNCTION];

	if (wait->owner_kind == KOWNER_WORKER)
		snprintf(text, 4 * WORDS_FUNCTION, "runs the work item %s", wait_words_work(place, wait));
	else if (wait->owner_kind == KOWNER_HOTPLUG)
		snprintf(text, 4 * WORDS_FUNCTION, "runs that callback");
	else if (wait->owner_kind == KOWNER_USER)
		snprintf(text, 4 * WORDS_FUNCTION, "is the only user of that file");
	else if (wait->owner_kind == KOWNER_ENDING)
		snprintf(text, 4 * WORDS_FUNCTION, "has to end");
	else if (wait->owner_kind == KOWNER_PARKING)
		snprintf(text, 4 * WORDS_FUNCTION, "has to park itself");
	else if (wait->owner_kind == KOWNER_SRCU_READER)
		snprintf(text, 4 * WORDS_FUNCTION, "reads under that SRCU since %s", wait_words_work(place, wait));
	else if (wait->owner_kind == KOWNER_FRONT)
		snprintf(text, 4 * WORDS_FUNCTION, "runs what stands in front of the work item %s, which completes that,", wait_words_work(place, wait));
	else if (wait->owner_kind == KOWNER_CALLER)
		snprintf(text, 4 * WORDS_FUNCTION, "is to call %s, which completes that,", wait_words_work(place, wait));
	else if (wait->owner_kind == KOWNER_COMPLETER)
		snprintf(text, 4 * WORDS_FUNCTION, "is in the only function that completes that,");
	else
		snprintf(text, 4 * WORDS_FUNCTION, "holds what is waited for");
}

/* In which a task waits for user space or for work, at the top of a system call or of its thread: with no lock, if all is right. */
static bool waits_with_nothing(const char *function)
{
	static const char *const words[] = {
		"do_nanosleep", "hrtimer_nanosleep", "do_wait", "kernel_wait4", "do_sys_poll", "do_poll", "do_select", "ep_poll", "do_epoll_wait",
		"futex_wait", "__futex_wait", "pipe_read", "sigsuspend", "do_sigtimedwait", "worker_thread", "rescuer_thread",
		"smpboot_thread_fn", "kthread_worker_fn", "do_signal_stop", "ptrace_stop", "do_freezer_trap", "wait_for_vfork_done",
		"inet_csk_accept", "unix_stream_data_wait", "io_cqring_wait", "do_msgrcv", "kthreadd", "kswapd", "kcompactd", "kauditd_thread",
		"rcu_gp_kthread", "rcu_gp_fqs_loop", "oom_reaper", "irq_thread", "irq_wait_for_interrupt", NULL,
	};

	return plumbing_begins(function, words);
}

/* The lock has but an address: that of a task which ended with it held may be this one's by now. */
static void claim_doubtful_end(struct finding *finding, const struct kernel_task *first, const struct kernel_task *last, const char *does, const char *place)
{
	finding_claim(finding, finding->kind, FINDING_POSSIBLE,
		      "%s-%d waits for a lock that %s-%d holds by the lock's word; but that one %s%s, and nothing on its stack has taken it.",
		      first->comm, first->pid, last->comm, last->pid, does, place);
	finding_open(finding, "Whether it came back with the lock, or a task that has ended held it, and this one has its memory since.");
}

#define TASK_FROZEN	0x8000	/* include/linux/sched.h, since 6.1; before, the task is in the function */

/* Did the freezer stop it within the kernel? */
static bool is_in_freezer(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task)
{
	u64 state;

	return owners_is_within(owners, kernel, task, "__refrigerator") ||
	       (kernel_state_member(kernel, "task_struct", "__state", task->va, &state) && state & TASK_FROZEN);
}

static void claim_end(struct explain *explain, const struct owners *owners)
{
	struct finding *finding = explain->finding;
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_task *first = chain->tasks[0];
	char hold[4 * WORDS_FUNCTION], name[KERNEL_SYMBOL_MAX] = "", place[2 * WORDS_FUNCTION], by[2 * WORDS_FUNCTION];
	bool is_user, is_frozen = is_in_freezer(owners, explain->pm->kernel, last);

	put_hold(hold, chain);
	if (!last->is_running)
		owners_name_wait(owners, explain->pm->kernel, last, name);
	owners_name_module(owners, explain->pm->kernel, last, by);
	if (last->is_running)
		owners_name_run(owners, explain->pm->kernel, last, name, by);
	words_place(place, (struct report_text){ name, strlen(name) });
	is_user = owners_is_in_user_space(owners, explain->pm->kernel, last);
	if (chain->waits[chain->nr - 2].owner_kind == KOWNER_SHOWN && (is_user || (!last->is_running && waits_with_nothing(name)))) {
		claim_doubtful_end(finding, first, last, is_user ? "is in user space" : "sleeps in ", is_user ? "" : place);
		left_lock_claim(explain, owners, chain->tasks[chain->nr - 2], &chain->waits[chain->nr - 2], last);
		return;
	}
	finding_claim(finding, finding->kind, completing_task_strength(chain),
		      "%s-%d waits for %s, and at the end of the chain %s-%d %s and %s%s%s%s%s.",
		      first->comm, first->pid, what_first_wants(chain), last->comm, last->pid, hold,
		      is_frozen ? "is frozen, by a suspend or by the freezer of its cgroup" : what_it_does(chain, last), *name ? ", in " : "", *name ? place : "", *by ? ", called by " : "", by);
	/* Many may wait for one lock, and each have it for a moment. */
	if (is_frozen)
		finding_open(finding, "Who froze it; and that it lets itself be frozen with that held (wait_event_freezable() or its like). Who waits for it is innocent.");
	else if (chain->waits[chain->nr - 2].owner_kind == KOWNER_SHOWN && has_ended(last))
		finding_open(finding, "On which way %s-%d ended without giving it back. The one that waits is innocent.", last->comm, last->pid);
	else if (chain->waits[chain->nr - 2].owner_kind == KOWNER_SHOWN && owners_ran_since(explain->pm->kernel, last, chain->tasks[chain->nr - 2]) == 1)
		finding_open(finding, "Why %s-%d does not give it back. Or it took it a moment ago, as one of many: it ran since %s-%d fell asleep.",
			     last->comm, last->pid, chain->tasks[chain->nr - 2]->comm, chain->tasks[chain->nr - 2]->pid);
	else if (chain->waits[chain->nr - 2].owner_kind == KOWNER_SHOWN)
		finding_open(finding, "Why %s-%d does not give it back; epitaph info --stacks FILE has its stack.",
			     last->comm, last->pid);
	else
		finding_open(finding, "Why %s-%d does not come to that; epitaph info --stacks FILE has its stack.",
			     last->comm, last->pid);
}

static bool is_of_chain(const struct kernel_chain *chain, const struct kernel_task *task)
{
	for (u32 i = 0; i < chain->nr; i++)
		if (chain->tasks[i] == task)
			return true;
	return false;
}

/* What another task waits for, if a task holds that: its chain may lead to the same end. @only_chain: if one of the chain does */
static bool add_other_link(const struct explain *explain, const struct owners *owners, const struct kernel_task *task, bool only_chain)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct kernel_wait wait;
	bool is = false;

	if (stack && task && !is_of_chain(owners->chain, task)) {
		kernel_unwind(owners->unwinder, task, stack);
		is = kernel_wait_of(owners->waits, task, stack, &wait) && wait.owner && (!only_chain || is_of_chain(owners->chain, wait.owner));
	}
	if (is) {
		if (gone_owner_is_younger(explain, task, &wait))
			wait.owner_kind = KOWNER_YOUNGER;
		reader_prove(owners, explain->pm->kernel, &wait);
		wait_words_link_evidence(explain->finding, task, &wait);
	}
	free(stack);
	return is;
}

/* The kernel reports a task only when it has hung long enough: who waits for one of the chain belongs to it, too. */
static void add_unreported(const struct explain *explain, const struct owners *owners, const u64 *pids, u32 nr)
{
	u32 nr_added = 0;

	for (u32 i = 0; i < owners->tasks->nr && nr_added < MOST_UNREPORTED; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];
		bool is_reported = false;

		for (u32 k = 0; k < nr; k++)
			is_reported |= (u64)task->pid == pids[k];
		if (!is_reported && task->state == 'D' && !task->is_running && !task->is_lacking)
			nr_added += add_other_link(explain, owners, task, true);
	}
}

/* A rwsem of the chain has fewer readers than none: kernel/locking/rwsem.c counts them from bit 8 on. */
static void claim_negative_readers(struct explain *explain, const struct kernel_chain *chain)
{
	struct finding *finding = explain->finding;
	char lock[FINDING_TEXT / 2];
	u64 count;

	for (u32 i = 0; i < chain->nr; i++) {
		const struct kernel_wait *wait = &chain->waits[i];

		if ((i + 1 == chain->nr && !chain->is_cycle && !chain->last_waits) ||
		    (wait->kind != KWAIT_RWSEM_READ && wait->kind != KWAIT_RWSEM_WRITE) ||
		    !kernel_state_member(explain->pm->kernel, "rw_semaphore", "count.counter", wait->lock, &count) ||
		    (s64)count >= 0 || (s64)count >> 8 < -1000)
			continue;
		wait_words_lock(lock, sizeof(lock), wait);
		finding_claim(finding, finding->kind, FINDING_LIKELY,
			      "%s-%d waits %s, whose count of readers is %lld: it was given back more often than it was taken (up_read()).",
			      chain->tasks[i]->comm, chain->tasks[i]->pid, lock, (s64)count >> 8);
		finding_open(finding, "Who gave it back once too often: a way with an error whose caller does so as well. It is on no stack any more.");
		return;
	}
}

/* The last one waits for a lock that no task has which is still in what took it. */
static void claim_left(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;

	left_lock_claim(explain, owners, chain->tasks[chain->nr - 1], &chain->waits[chain->nr - 1], NULL);
}

/* The claims of a chain that ends; a later one knows more than those before it. */
static void claim_chain(struct explain *explain, const struct owners *owners, const u64 *pids, u32 nr)
{
	const struct kernel_chain *chain = owners->chain;

	if (chain->nr > 1)
		claim_end(explain, owners);
	waited_for_claim(explain, owners);
	if (chain->last_waits && chain->waits[chain->nr - 1].gone)
		gone_owner_claim(explain, chain);
	if (chain->last_waits && !chain->waits[chain->nr - 1].is_renewed && (!chain->waits[chain->nr - 1].owner || chain->waits[chain->nr - 1].owner_kind == KOWNER_YOUNGER))
		claim_left(explain, owners);
	unmet_wait_claim(explain, owners);
	own_wait_claim(explain, owners, pids, nr);
	lost_request_claim(explain, owners);
	deaf_wait_claim(explain, owners);
	pool_wait_claim(explain, owners);
}

bool lock_owners_add(struct explain *explain, const u64 *pids, u32 nr)
{
	struct finding *finding = explain->finding;
	const struct kernel_task *task = NULL;
	struct err err = ERR_INIT;
	struct owners owners;
	bool is_whole = false;

	if (!explain->pm->kernel)
		return false;
	/* A dump may lack the first of them. */
	if (owners_open(&owners, explain))
		for (u32 i = 0; i < nr && !task; i++)
			task = owners_task(&owners, pids[i]);
	else
		finding_note(&finding->missing, "who holds the lock: the tasks are not found; epitaph info --stacks FILE says why");
	if (task && !kernel_wait_chain(owners.waits, task, owners.chain, &err)) {
		gone_owner_cut(explain, owners.chain);
		completing_task_extend(&owners, explain->pm->kernel);
		for (u32 i = 0; i < owners.chain->nr; i++)
			reader_prove(&owners, explain->pm->kernel, &owners.chain->waits[i]);
		if (owners.chain->nr > 1 || owners.chain->last_waits)
			wait_words_evidence(finding, owners.chain);
		if (owners.chain->is_cycle)
			lock_cycle_claim(explain, &owners);
		else
			claim_chain(explain, &owners, pids, nr);
		gone_owner_doubt(explain, owners.chain);
		claim_negative_readers(explain, owners.chain);
		for (u32 i = 1; i < nr; i++)
			add_other_link(explain, &owners, owners_task(&owners, pids[i]), false);
		add_unreported(explain, &owners, pids, nr);
		finding_next(finding, "epitaph info --stacks FILE");
		is_whole = owners.chain->is_cycle || !owners.chain->last_waits || owners.chain->waits[owners.chain->nr - 1].owner_kind != KOWNER_UNKNOWN;
	}
	owners_close(&owners);
	return is_whole;
}

void blocked_note(struct explain *explain)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct owners owners = { 0 };
	struct kernel_wait wait;
	u32 nr = 0;

	if (!explain->pm->kernel || !stack || !owners_open(&owners, explain)) {
		free(stack);
		owners_close(&owners);
		return;
	}
	lock_cycle_note(explain, &owners);
	for (u32 i = 0; i < owners.tasks->nr && nr < MOST_GONE; i++) {
		const struct kernel_task *task = &owners.tasks->list[i];

		if (task->is_running || task->state == 'R')
			continue;
		kernel_unwind(owners.unwinder, task, stack);
		if (!kernel_wait_of(owners.waits, task, stack, &wait) || wait.owner_kind != KOWNER_UNKNOWN)
			continue;
		gone_owner_note(explain, task, &wait);
		nr++;
	}
	owners_close(&owners);
	free(stack);
}
