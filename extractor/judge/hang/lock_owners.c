// SPDX-License-Identifier: GPL-2.0-or-later
#include "lock_owners.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_state/frozen.h"
#include "kernel_state/waits.h"
#include "kernel_state/work_wait.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "judge/words.h"

#define STARVED_NS	2000000000ULL	/* that a CPU runs one task of real-time priority */
#define MOST_LINKS	6	/* of a chain, as evidence */
#define LINK_WORDS	140
#define WORKER_FLAG	0x20	/* PF_WQ_WORKER */
#define MOST_GONE	3	/* tasks that wait for what a task holds that has ended */

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
		snprintf(text, size, "%s %.140s", word, wait->name);
	else
		snprintf(text, size, "%s at %016llx", word, wait->lock);
}

/* "poll_link() of module hid" */
static const char *work_place(char place[2 * WORDS_FUNCTION], const struct kernel_wait *wait)
{
	words_place(place, (struct report_text){ wait->work, strlen(wait->work) });
	return place;
}

static void add_link(struct finding *finding, const struct kernel_task *task, const struct kernel_wait *wait)
{
	char lock[FINDING_TEXT / 2], place[2 * WORDS_FUNCTION];

	put_lock(lock, sizeof(lock), wait);
	if (wait->owner_kind == KOWNER_YOUNGER)
		finding_evidence_timeless(finding, "%s-%d waits %s; the lock names %s-%d, which began later than that wait: it is not who took it",
					  task->comm, task->pid, lock, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_SHOWN)
		finding_evidence_timeless(finding, "%s-%d waits %s, held by %s-%d: the lock itself names it",
					  task->comm, task->pid, lock, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_WORKER)
		finding_evidence_timeless(finding, "%s-%d waits for the work item %s, which %s-%d runs: the worker itself names it",
					  task->comm, task->pid, work_place(place, wait), wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_HOTPLUG)
		finding_evidence_timeless(finding, "%s-%d waits for the callbacks of CPU hotplug that %s-%d runs: the kernel's state of that CPU names it",
					  task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_HOTPLUG_WRITER)
		finding_evidence_timeless(finding, "%s-%d waits for the lock of CPU hotplug, which %s-%d has: it takes a CPU up or down, by its stack",
					  task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner && wait->owner_kind == KOWNER_ENDING)
		finding_evidence_timeless(finding, "%s-%d waits for the end of the thread %s-%d: that itself names what it completes then",
					  task->comm, task->pid, wait->owner->comm, wait->owner->pid);
	else if (wait->owner)
		finding_evidence_timeless(finding, "%s-%d waits %s, which %s-%d was the last to read", task->comm,
					  task->pid, lock, wait->owner->comm, wait->owner->pid);
	else
		finding_evidence_timeless(finding, "%s-%d waits %s; %s", task->comm, task->pid, lock,
					  wait->owner_kind == KOWNER_UNKNOWN ? "its owner is no task that is known" :
					  "the kernel keeps no owner of it");
}

static void add_links(struct finding *finding, const struct kernel_chain *chain)
{
	for (u32 i = 0; i < chain->nr && i < MOST_LINKS; i++)
		if (i + 1 < chain->nr || chain->is_cycle || chain->last_waits)
			add_link(finding, chain->tasks[i], &chain->waits[i]);
}

/* Are all of the cycle locks, and none a work item or a thread? */
static bool is_of_locks(const struct kernel_chain *chain)
{
	for (u32 i = chain->back; i < chain->nr; i++)
		if (chain->waits[i].owner_kind == KOWNER_WORKER || chain->waits[i].owner_kind == KOWNER_ENDING ||
		    chain->waits[i].owner_kind == KOWNER_HOTPLUG)
			return false;
	return true;
}

/* "remover-112 waits for the work item poll_link(), which kworker/1:1-29 runs" */
static void put_link(char text[LINK_WORDS], const struct kernel_task *task, const struct kernel_wait *wait)
{
	char work[WORDS_FUNCTION];

	words_function(work, (struct report_text){ wait->work, strlen(wait->work) });
	if (wait->owner_kind == KOWNER_WORKER)
		snprintf(text, LINK_WORDS, "%s-%d waits for the work item %.48s(), which %s-%d runs", task->comm, task->pid, work,
			 wait->owner->comm, wait->owner->pid);
	else if (wait->owner_kind == KOWNER_HOTPLUG)
		snprintf(text, LINK_WORDS, "%s-%d waits for callbacks of CPU hotplug that %s-%d runs", task->comm, task->pid, wait->owner->comm,
			 wait->owner->pid);
	else if (wait->owner_kind == KOWNER_ENDING)
		snprintf(text, LINK_WORDS, "%s-%d waits for the end of %s-%d", task->comm, task->pid, wait->owner->comm,
			 wait->owner->pid);
	else
		snprintf(text, LINK_WORDS, "%s-%d waits for a lock that %s-%d holds", task->comm, task->pid, wait->owner->comm,
			 wait->owner->pid);
}

/* "A-1 waits for what B-2 holds, and B-2 for what A-1 holds" */
static void claim_cycle(struct finding *finding, const struct kernel_chain *chain)
{
	char who[FINDING_TEXT - 80] = "", first[LINK_WORDS], second[LINK_WORDS];
	size_t len = 0;

	for (u32 i = chain->back; i < chain->nr && len < sizeof(who) - 40; i++)
		len += snprintf(who + len, sizeof(who) - len, "%s%s-%d", i == chain->back ? "" : ", ",
				chain->tasks[i]->comm, chain->tasks[i]->pid);
	/* The lock has an address: that of a task which ended with it held may be this one's by now. */
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
		put_link(first, chain->tasks[chain->back], &chain->waits[chain->back]);
		put_link(second, chain->tasks[chain->back + 1], &chain->waits[chain->back + 1]);
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
			      "A deadlock: %s, and %s.", first, second);
		finding_open(finding, "What is wrong of the two: to wait for that with the lock held, or to take the lock there.");
		return;
	}
	finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
		      "A deadlock: each of these tasks waits for a lock that the next one holds, or for what the next one runs, and the last for the first: %s.",
		      who);
	finding_open(finding, "What is wrong of the two: to wait for that with the lock held, or to take the lock there.");
}

static const char *what_it_does(const struct kernel_chain *chain, const struct kernel_task *last)
{
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];

	if (last->is_running)
		return "runs";
	if (last->state == 'R')
		return "could run, but has no CPU";
	if (chain->last_waits && !chain->is_cut && wait->owner_kind == KOWNER_NONE)
		return wait->kind == KWAIT_PAGE ? "sleeps itself, for a page that is locked or is being read or written" :
						  "sleeps itself, for something that has no owner";
	return "sleeps; what for is not known";
}

/* The function in which @task waits; "": it is not known. */
static void name_wait(const struct explain *explain, const struct owners *owners, const struct kernel_task *task,
		      char name[KERNEL_SYMBOL_MAX])
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	char function[WORDS_FUNCTION] = "";

	*name = '\0';
	if (stack)
		kernel_unwind(owners->unwinder, task, stack);
	for (u32 i = 0; stack && i < stack->nr_sure; i++) {
		kernel_frame_name(explain->pm->kernel, &stack->frames[i], name, KERNEL_SYMBOL_MAX);
		words_function(function, (struct report_text){ name, strlen(name) });
		if (*function && !plumbing_has(function))
			break;
		*name = '\0';
	}
	free(stack);
}

/* "waits for a lock" */
static const char *what_first_wants(const struct kernel_chain *chain)
{
	switch (chain->waits[0].owner_kind) {
	case KOWNER_WORKER:
		return "a work item to end";
	case KOWNER_HOTPLUG:
		return "a callback of CPU hotplug";
	case KOWNER_ENDING:
		return "a thread to end";
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
		snprintf(text, 4 * WORDS_FUNCTION, "runs the work item %s", work_place(place, wait));
	else if (wait->owner_kind == KOWNER_HOTPLUG)
		snprintf(text, 4 * WORDS_FUNCTION, "runs that callback");
	else if (wait->owner_kind == KOWNER_ENDING)
		snprintf(text, 4 * WORDS_FUNCTION, "has to end");
	else
		snprintf(text, 4 * WORDS_FUNCTION, "holds what is waited for");
}

/* In which a task waits for user space or for work, at the top of a system call or of its thread: with no lock, if all is right. */
static bool waits_with_nothing(const char *function)
{
	static const char *const words[] = {
		"do_nanosleep", "hrtimer_nanosleep", "do_wait", "kernel_wait4", "do_sys_poll", "do_poll", "do_select", "ep_poll", "do_epoll_wait",
		"futex_wait", "__futex_wait", "pipe_read", "sigsuspend", "do_sigtimedwait", "worker_thread", "rescuer_thread",
		"smpboot_thread_fn", "kthread_worker_fn", NULL,
	};

	return plumbing_begins(function, words);
}

/* The lock has but an address: that of a task which ended with it held may be this one's by now. */
static void claim_doubtful_end(struct finding *finding, const struct kernel_task *first, const struct kernel_task *last, const char *place)
{
	finding_claim(finding, finding->kind, FINDING_POSSIBLE,
		      "%s-%d waits for a lock that %s-%d holds by the lock's word; but that one sleeps in %s, and nothing on its stack has taken it.",
		      first->comm, first->pid, last->comm, last->pid, place);
	finding_open(finding, "Whether it came back with the lock, or a task that has ended held it, and this one has its memory since.");
}

static void claim_end(const struct explain *explain, const struct owners *owners)
{
	struct finding *finding = explain->finding;
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_task *first = chain->tasks[0];
	char hold[4 * WORDS_FUNCTION], name[KERNEL_SYMBOL_MAX] = "", place[2 * WORDS_FUNCTION];

	put_hold(hold, chain);
	if (!last->is_running)
		name_wait(explain, owners, last, name);
	words_place(place, (struct report_text){ name, strlen(name) });
	if (chain->waits[chain->nr - 2].owner_kind == KOWNER_SHOWN && waits_with_nothing(name)) {
		claim_doubtful_end(finding, first, last, place);
		return;
	}
	finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
		      "%s-%d waits for %s, and at the end of the chain %s-%d %s and %s%s%s.",
		      first->comm, first->pid, what_first_wants(chain), last->comm, last->pid, hold,
		      what_it_does(chain, last), *name ? ", in " : "", *name ? place : "");
	if (chain->waits[chain->nr - 2].owner_kind == KOWNER_SHOWN)
		finding_open(finding, "Why %s-%d does not give it back; epitaph info --stacks FILE has its stack.",
			     last->comm, last->pid);
	else
		finding_open(finding, "Why %s-%d does not come to that; epitaph info --stacks FILE has its stack.",
			     last->comm, last->pid);
}

/* The file system, or the disk, that the page at @folio is of: its name. include/linux/pagemap.h */
static bool device_of_page(const struct kernel *kernel, u64 folio, char device[40])
{
	struct btf_member_place id, inode, name;
	u64 mapping, host, sb, disk;

	if (!kernel->ktypes || !kernel_state_member(kernel, "folio", "mapping", folio, &mapping) || !mapping || mapping & 3 ||
	    !kernel_state_member(kernel, "address_space", "host", mapping, &host) || !host ||
	    !kernel_state_member(kernel, "inode", "i_sb", host, &sb) || !sb || !kernel_btf_member(kernel->ktypes, "super_block", "s_id", &id) ||
	    vmem_string(kernel->vmem, sb + id.offset, device, 40) <= 0)
		return false;
	if (strcmp(device, "bdev"))
		return true;
	return kernel_btf_member(kernel->ktypes, "bdev_inode", "vfs_inode", &inode) && kernel_btf_member(kernel->ktypes, "gendisk", "disk_name", &name) &&
	       kernel_state_member(kernel, "bdev_inode", "bdev.bd_disk", host - inode.offset, &disk) && disk &&
	       vmem_string(kernel->vmem, disk + name.offset, device, 40) > 0;
}

/* The end of the chain waits for a page: of which disk. */
static void open_page(struct explain *explain, const struct kernel_chain *chain)
{
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];
	char device[40];

	if (!chain->last_waits || chain->is_cycle || wait->kind != KWAIT_PAGE || !device_of_page(explain->pm->kernel, wait->lock, device))
		return;
	finding_open(explain->finding, "Whether %s, of which that page is, answers late or never: the one that waits for it is innocent.", device);
}

/* Since when CPU @nr has run one task of real-time priority; 0: it has not. */
static u64 starved_ns(const struct explain *explain, s32 nr)
{
	const struct history_cpu *cpu = nr < 0 ? NULL : history_cpu(&explain->history, (u32)nr);
	u64 end = explain->pm->end.time;

	return cpu && cpu->switched && !cpu->migration && cpu->is_realtime && end > cpu->switched ? end - cpu->switched : 0;
}

/* Did CPU @nr run that already when the task @pid went to sleep, which it did not leave since? */
static bool ran_before(const struct explain *explain, s32 nr, s64 pid)
{
	const struct history_task *task = history_task(&explain->history, (u64)pid);

	return task && task->out && !task->woken && explain->history.cpus[nr].switched <= task->out;
}

/* The end of a chain waits for a work item that has not begun: does the memory say why? */
static void claim_work(struct explain *explain, const struct kernel_task *task, const struct work_wait *work, bool is_sure)
{
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION], runs[2 * WORDS_FUNCTION], function[WORDS_FUNCTION];
	u64 ns = starved_ns(explain, work->cpu);
	enum finding_strength most = is_sure ? FINDING_SHOWN : FINDING_POSSIBLE;

	words_place(place, (struct report_text){ work->function, strlen(work->function) });
	words_function(function, (struct report_text){ work->function, strlen(work->function) });
	words_place(runs, (struct report_text){ work->runs, strlen(work->runs) });
	finding_evidence_timeless(finding, "%s-%d waits for the work item %s of the workqueue %s, which has not begun",
				  task->comm, task->pid, place, work->queue);
	if (*work->runs && work->is_ordered) {
		finding_claim(finding, finding->kind, most,
			      "%s-%d waits for itself: it runs %s, and waits for %s(), behind it on the workqueue %s, which runs one work item at a time.",
			      task->comm, task->pid, runs, function, work->queue);
		*finding->open = '\0';
	} else if (ns >= STARVED_NS) {
		if (most > FINDING_LIKELY)
			most = FINDING_LIKELY;
		if (!work->is_due || !ran_before(explain, work->cpu, task->pid) || pm_lost(explain->pm))
			most = FINDING_POSSIBLE;
		finding_claim(finding, finding->kind, most,
			      "%s-%d waits for the work item %s, which has to run on CPU %d: there the real-time task %s-%llu has run for %llu s and let no other run.",
			      task->comm, task->pid, place, work->cpu, explain->history.cpus[work->cpu].comm,
			      explain->history.cpus[work->cpu].pid, ns / 1000000000);
		finding_open(finding, "Why that task does not sleep: a task of real-time priority must.");
	}
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
		name_wait(explain, owners, chain->tasks[i], name);
		if (*name && (!*explain->signed_by || strcmp(name, explain->signed_by) < 0))
			memcpy(explain->signed_by, name, sizeof(name));
	}
}

/* The end of a chain wants to write to a file system that something froze. */
static void claim_frozen(struct finding *finding, const struct kernel_chain *chain, const struct frozen_wait *frozen)
{
	const struct kernel_task *last = chain->tasks[chain->nr - 1];

	finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
		      "%s-%d waits to write to the file system on %s%s%s%s, which %s frozen (fsfreeze), and does not come to an end with that.",
		      last->comm, last->pid, frozen->id, *frozen->type ? " (" : "", frozen->type, *frozen->type ? ")" : "",
		      frozen->is_complete ? "is" : "is being");
	if (frozen->is_complete)
		finding_open(finding, "Who froze it and did not thaw it: a backup, a snapshot, the agent of a hypervisor. The disk is innocent.");
	else
		finding_open(finding, "What keeps the one that freezes it from coming to an end.");
}

/* The oops that the task @pid died of, by the kernel's lines; NULL: it did not. */
static const struct kernel_report *oops_of(const struct explain *explain, u64 pid, const char *comm)
{
	const struct death *death = explain->death;

	for (u32 i = 0; i < death->reports.nr; i++) {
		const struct kernel_report *report = &death->reports.list[i];

		if (report->kind == KERNEL_REPORT_OOPS && report->pid.text && report->comm.text &&
		    report_text_number(report->pid, report->pid.text, 10) == pid && report->comm.len == strlen(comm) &&
		    !memcmp(report->comm.text, comm, report->comm.len))
			return report;
	}
	return NULL;
}

/* The task that was at @va: its memory may have other contents by now, so an oops of the log has to name the same one. */
static const struct kernel_report *oops_of_gone(const struct explain *explain, u64 va, char task[WORDS_TASK])
{
	struct btf_member_place place;
	char comm[17] = "";
	u64 pid;

	if (!explain->pm->kernel->ktypes || !kernel_state_member(explain->pm->kernel, "task_struct", "pid", va, &pid) ||
	    !kernel_btf_member(explain->pm->kernel->ktypes, "task_struct", "comm", &place) ||
	    vmem_string(explain->pm->kernel->vmem, va + place.offset, comm, sizeof(comm)) <= 0)
		return NULL;
	snprintf(task, WORDS_TASK, "%s-%llu", comm, pid);
	return oops_of(explain, pid, comm);
}

#define CLOCKS_NS	10000000ULL	/* by which the clock of tasks and that of the trace may differ */

/*
 * Did the task that the lock names begin after the wait? The first waiter is woken when the lock is given back: that
 * one was not, so the owner is the same since. Then the memory of the owner is another task's by now.
 */
static bool is_owner_younger(const struct explain *explain, const struct kernel_task *task, const struct kernel_wait *wait)
{
	const struct history_task *waiter = history_task(&explain->history, (u64)task->pid);
	u64 start;

	return wait->owner && wait->owner_kind == KOWNER_SHOWN && wait->is_first &&
	       (wait->kind == KWAIT_MUTEX || wait->kind == KWAIT_RWSEM_READ || wait->kind == KWAIT_RWSEM_WRITE) && waiter && waiter->out &&
	       !waiter->woken && !pm_lost(explain->pm) &&
	       kernel_state_member(explain->pm->kernel, "task_struct", "start_time", wait->owner->va, &start) &&
	       start > waiter->out + CLOCKS_NS;
}

/* What another hung task waits for, if a task holds that: its chain may lead to the same end. */
static void add_other_link(const struct explain *explain, const struct owners *owners, const struct kernel_task *task)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct kernel_wait wait;

	for (u32 i = 0; i < owners->chain->nr; i++)
		if (owners->chain->tasks[i] == task)
			task = NULL;
	if (stack && task) {
		kernel_unwind(owners->unwinder, task, stack);
		if (kernel_wait_of(owners->waits, task, stack, &wait) && wait.owner) {
			if (is_owner_younger(explain, task, &wait))
				wait.owner_kind = KOWNER_YOUNGER;
			add_link(explain->finding, task, &wait);
		}
	}
	free(stack);
}

/* Of an owner that cannot be: the chain ends there. */
static void cut_chain(const struct explain *explain, struct kernel_chain *chain)
{
	for (u32 i = 0; i < chain->nr; i++) {
		struct kernel_wait *wait = &chain->waits[i];

		if ((i + 1 == chain->nr && !chain->is_cycle) || !is_owner_younger(explain, chain->tasks[i], wait))
			continue;
		wait->owner_kind = KOWNER_YOUNGER;
		wait->gone = wait->owner->va;
		chain->nr = i + 1;
		chain->is_cycle = false;
		chain->last_waits = true;
	}
}

static void put_gone_oops(char text[FINDING_TEXT], const struct explain *explain, const struct kernel_report *oops, const char *gone)
{
	u64 end = explain->pm->end.time, ns = end > oops->time ? end - oops->time : 0;
	char place[2 * WORDS_FUNCTION];

	words_place(place, oops->place);
	snprintf(text, FINDING_TEXT, "Its owner was %s, which died with it of an oops, in %.60s, %llu.%llu s before the end", gone, place,
		 ns / 1000000000, ns / 100000000 % 10);
}

/* The end of the chain waits for what a task holds that is gone. */
static void claim_gone(struct explain *explain, const struct kernel_chain *chain)
{
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	char lock[FINDING_TEXT / 2], task[WORDS_TASK], how[FINDING_TEXT];
	const struct kernel_report *oops = wait->owner_kind == KOWNER_UNKNOWN ? oops_of_gone(explain, wait->gone, task) : NULL;
	struct finding *finding = explain->finding;

	put_lock(lock, sizeof(lock), wait);
	if (wait->owner_kind == KOWNER_YOUNGER) {
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "%s-%d waits %s, and the task that held it has ended without giving it back: what the lock names is %s-%d by now, which began after that.",
			      last->comm, last->pid, lock, wait->owner->comm, wait->owner->pid);
		finding_open(finding, "Which task held it: a thread that returned, or was killed, on a way without an unlock.");
	} else if (oops) {
		put_gone_oops(how, explain, oops, task);
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE, "%s-%d waits %s. %s.", last->comm, last->pid, lock, how);
		finding_open(finding, "Why that task died: see its oops in the log.");
	} else {
		finding_open(finding, "Who held it: %s-%d waits %s, whose owner is no task that is known. It has ended without giving it back, or the lock was overwritten.",
			     last->comm, last->pid, lock);
	}
}

/* The end of a chain waits for a rwsem whose readers are fewer than none: kernel/locking/rwsem.c counts them from bit 8 on. */
static bool claim_negative_readers(struct explain *explain, const struct kernel_chain *chain)
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
		put_lock(lock, sizeof(lock), wait);
		finding_claim(finding, finding->kind, FINDING_LIKELY,
			      "%s-%d waits %s, whose count of readers is %lld: it was given back more often than it was taken (up_read()).",
			      chain->tasks[i]->comm, chain->tasks[i]->pid, lock, (s64)count >> 8);
		finding_open(finding, "Who gave it back once too often: a way with an error whose caller does so as well. It is on no stack any more.");
		return true;
	}
	return false;
}

bool judge_deadlock(struct explain *explain)
{
	struct finding *finding = explain->finding;
	struct kernel_chain *found = calloc(1, sizeof(*found));
	struct err err = ERR_INIT;
	struct owners owners = { 0 };
	bool is = false;

	if (explain->pm->end.how == OUTCOME_UNKNOWN && explain->pm->kernel && found && open_owners(&owners, explain->pm->kernel) &&
	    !kernel_deadlocks(owners.waits, owners.chain, take_cycle, found, &err) && found->nr &&
	    is_cycle_still(&owners, explain->pm->kernel, found)) {
		is = true;
		finding->kind = "hung-task";
		claim_cycle(finding, found);
		/* Of a running kernel it is read while it changes. */
		finding->strength = FINDING_LIKELY;
		add_links(finding, found);
		sign_by_cycle(explain, &owners, found);
		finding_note(&finding->not_found, "how it ended: it still ran when this was read, or was reset later");
		finding_next(finding, "epitaph info --stacks FILE");
	}
	close_owners(&owners);
	free(found);
	return is;
}

/* --- tasks that wait for themselves ----------------------------------------- */

/**
 * struct own_wait - a task that is one of those that it waits for
 * @waits, @within: functions that begin so: in which it waits, and what called that, directly or not
 * @member: of task_struct, which is not 0 then; NULL: any
 * @is_alone: only if no other task is within @within
 */
struct own_wait {
	const char *waits, *within, *member;
	bool is_alone;
	const char *words;
};

static const struct own_wait own_waits[] = {
	{ "async_synchronize_", "async_run_entry_fn", NULL, true,
	  "waits there for such functions to end" },
	{ "kernfs_drain", "kernfs_fop_", NULL, true,
	  "it reads or writes a file of sysfs, and removes one there: that waits for all that use it" },
	{ "__wait_rcu_gp", "", "rcu_read_lock_nesting", false,
	  "it waits for all readers of RCU to end (synchronize_rcu()), and is between rcu_read_lock() and rcu_read_unlock() itself" },
	{ "synchronize_rcu", "", "rcu_read_lock_nesting", false,
	  "it waits for all readers of RCU to end (synchronize_rcu()), and is between rcu_read_lock() and rcu_read_unlock() itself" },
};

/* The number of the first frame whose function begins with @word; nr_sure: none. */
static u32 frame_with(const struct explain *explain, const struct kernel_stack *stack, const char *word, u32 from)
{
	char name[KERNEL_SYMBOL_MAX];
	u32 i;

	for (i = from; i < stack->nr_sure; i++)
		if (kernel_frame_function(explain->pm->kernel, &stack->frames[i], name, sizeof(name)) && !strncmp(name, word, strlen(word)))
			break;
	return i;
}

static bool is_own_wait(const struct explain *explain, const struct own_wait *own, const struct kernel_task *task, const struct kernel_stack *stack)
{
	u32 at = frame_with(explain, stack, own->waits, 0);
	u64 value;

	if (task->is_running || task->state == 'R' || at == stack->nr_sure)
		return false;
	if (own->member && (!kernel_state_member(explain->pm->kernel, "task_struct", own->member, task->va, &value) || !(u32)value))
		return false;
	return !*own->within || frame_with(explain, stack, own->within, at) < stack->nr_sure;
}

/* Is another task than @task within that? */
static bool others_within(const struct explain *explain, const struct owners *owners, const struct own_wait *own, const struct kernel_task *task,
			  struct kernel_stack *stack)
{
	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *other = &owners->tasks->list[i];

		if (other == task)
			continue;
		kernel_unwind(owners->unwinder, other, stack);
		if (frame_with(explain, stack, own->within, 0) < stack->nr_sure)
			return true;
	}
	return false;
}

/* "asynchronous function disk_probe() of module sd" that the worker @task runs, kernel/async.c; else without its name. */
static void put_async(char text[FINDING_TEXT / 2], const struct explain *explain, const struct kernel_task *task)
{
	const struct kernel *kernel = explain->pm->kernel;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];
	struct btf_member_place member;
	u64 kthread, worker, work, function;

	snprintf(text, FINDING_TEXT / 2, "an asynchronous function (async_schedule())");
	if (!(task->flags & WORKER_FLAG) || !kernel->ktypes || !kernel_btf_member(kernel->ktypes, "async_entry", "work", &member) ||
	    !kernel_state_member(kernel, "task_struct", "worker_private", task->va, &kthread) ||
	    !kernel_state_member(kernel, "kthread", "data", kthread, &worker) ||
	    !kernel_state_member(kernel, "worker", "current_work", worker, &work) || !work ||
	    !kernel_state_member(kernel, "async_entry", "func", work - member.offset, &function) ||
	    !kernel_symbol(kernel, function, name, sizeof(name)))
		return;
	words_place(place, (struct report_text){ name, strlen(name) });
	snprintf(text, FINDING_TEXT / 2, "the asynchronous function %.100s", place);
}

/* Does @task wait for itself? Then that is the claim. */
static bool claim_own_wait(struct explain *explain, const struct owners *owners, const struct kernel_task *task)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct own_wait *own = NULL;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION], async[FINDING_TEXT / 2], words[FINDING_TEXT];
	bool is_sure;

	if (stack)
		kernel_unwind(owners->unwinder, task, stack);
	for (size_t i = 0; stack && i < ARRAY_SIZE(own_waits) && !own; i++)
		if (is_own_wait(explain, &own_waits[i], task, stack))
			own = &own_waits[i];
	if (own) {
		is_sure = !own->is_alone || !others_within(explain, owners, own, task, stack);
		name_wait(explain, owners, task, name);
		words_place(place, (struct report_text){ name, strlen(name) });
		if (!strcmp(own->within, "async_run_entry_fn")) {
			put_async(async, explain, task);
			snprintf(words, sizeof(words), "it runs %s, and %s", async, own->words);
		} else {
			snprintf(words, sizeof(words), "%s", own->words);
		}
		finding_claim(explain->finding, explain->finding->kind, is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "%s-%d waits for itself, in %s: %s.", task->comm, task->pid, place, words);
		finding_open(explain->finding, is_sure ? "Which of its callers must not call that there; epitaph info --stacks FILE has its stack." :
							 "Whether it is that, or another task that does the same; epitaph info --stacks FILE has their stacks.");
	}
	free(stack);
	return own;
}

/* --- a program that the kernel started ---------------------------------------- */

/* The only task of user space whose parent is a worker; NULL: there is none, or more. kernel/umh.c */
static const struct kernel_task *find_helper(const struct explain *explain, const struct owners *owners)
{
	const struct kernel_task *found = NULL, *parent;
	u64 va;

	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (task->flags & KERNEL_TASK_KTHREAD || !kernel_state_member(explain->pm->kernel, "task_struct", "real_parent", task->va, &va))
			continue;
		parent = kernel_tasks_find(owners->tasks, va);
		if (!parent || !(parent->flags & WORKER_FLAG))
			continue;
		if (found)
			return NULL;
		found = task;
	}
	return found;
}

/* The end of the chain waits for a program. */
static void claim_helper(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1], *helper = find_helper(explain, owners);
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct finding *finding = explain->finding;

	if (stack && helper && !chain->is_cycle) {
		kernel_unwind(owners->unwinder, last, stack);
		if (frame_with(explain, stack, "call_usermodehelper_exec", 0) < stack->nr_sure) {
			finding_claim(finding, finding->kind, FINDING_LIKELY,
				      "%s-%d waits for a program of user space, %s-%d, which the kernel started and which does not end.", last->comm,
				      last->pid, helper->comm, helper->pid);
			finding_open(finding, "Why that program does not end. The kernel waits for it as its caller asked: call_usermodehelper(UMH_WAIT_PROC).");
		}
	}
	free(stack);
}

/* --- who waits for RCU ---------------------------------------------------------- */

/* The only task that sleeps within rcu_read_lock(); NULL: none does, or more. A preempted one can run, and is no such. */
static const struct kernel_task *find_rcu_reader(const struct explain *explain, const struct owners *owners)
{
	const struct kernel_task *found = NULL;
	u64 nesting;

	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (task->is_running || task->state == 'R' ||
		    !kernel_state_member(explain->pm->kernel, "task_struct", "rcu_read_lock_nesting", task->va, &nesting) || !(u32)nesting)
			continue;
		if (found)
			return NULL;
		found = task;
	}
	return found;
}

/* The end of the chain waits for readers of RCU. */
static void claim_reader(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1], *reader = find_rcu_reader(explain, owners);
	struct kernel_stack *stack = malloc(sizeof(*stack));
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];

	if (stack && reader && reader != last && !chain->is_cycle) {
		kernel_unwind(owners->unwinder, last, stack);
		if (frame_with(explain, stack, "__wait_rcu_gp", 0) < stack->nr_sure || frame_with(explain, stack, "synchronize_rcu", 0) < stack->nr_sure) {
			name_wait(explain, owners, reader, name);
			words_place(place, (struct report_text){ name, strlen(name) });
			finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
				      "%s-%d waits for RCU, and RCU for %s-%d, which sleeps between rcu_read_lock() and rcu_read_unlock(), in %s.",
				      last->comm, last->pid, reader->comm, reader->pid, place);
			finding_open(explain->finding, "Which of its functions began to read, and which of those must not sleep there; epitaph info --stacks FILE has its stack.");
		}
	}
	free(stack);
}

/* --- a disk whose requests do not end ------------------------------------------ */

/* Of the queue that is to be empty: the name of its disk, and how many users it has left. block/blk-mq.c */
static bool read_disk_queue(const struct kernel *kernel, const struct kernel_wait *wait, char disk[40], u64 *left)
{
	struct btf_member_place queue_of_wait, name;
	u64 queue, gendisk, back, data;

	if (wait->kind != KWAIT_QUEUE || !kernel->ktypes || !kernel_btf_member(kernel->ktypes, "request_queue", "mq_freeze_wq", &queue_of_wait) ||
	    !kernel_btf_member(kernel->ktypes, "gendisk", "disk_name", &name))
		return false;
	queue = wait->lock - queue_of_wait.offset;
	if (!kernel_state_member(kernel, "request_queue", "disk", queue, &gendisk) || !gendisk ||
	    !kernel_state_member(kernel, "gendisk", "queue", gendisk, &back) || back != queue ||
	    vmem_string(kernel->vmem, gendisk + name.offset, disk, 40) <= 0)
		return false;
	if (!kernel_state_member(kernel, "request_queue", "q_usage_counter.data", queue, &data) ||
	    !kernel_state_member(kernel, "percpu_ref_data", "count", data, left))
		*left = 0;
	return true;
}

/* The end of the chain waits until all requests of a disk have ended. */
static void claim_requests(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct finding *finding = explain->finding;
	char disk[40], users[48] = "";
	u64 left;

	if (stack)
		kernel_unwind(owners->unwinder, last, stack);
	if (stack && !chain->is_cycle && chain->last_waits && frame_with(explain, stack, "blk_mq_freeze_queue_wait", 0) < stack->nr_sure &&
	    read_disk_queue(explain->pm->kernel, &chain->waits[chain->nr - 1], disk, &left)) {
		if (left && left < 100000)
			snprintf(users, sizeof(users), ": %llu %s left", left, left == 1 ? "is" : "are");
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
			      "%s-%d waits until all requests of the disk %s have ended, and they do not%s.", last->comm, last->pid, disk, users);
		finding_open(finding, "Why not: the disk does not answer, its driver has lost a request, or something came back with the queue in use.");
	}
	free(stack);
}

static void add_own_waits(struct explain *explain, const struct owners *owners, const u64 *pids, u32 nr)
{
	const struct kernel_chain *chain = owners->chain;

	if (chain->is_cycle || claim_own_wait(explain, owners, chain->tasks[chain->nr - 1]))
		return;
	for (u32 i = 0; i < nr; i++) {
		const struct kernel_task *task = task_of_pid(owners->tasks, pids[i]);

		if (task && claim_own_wait(explain, owners, task))
			return;
	}
}

/* Has the stack of @task a function behind the one that waits, which may have taken a lock before it called that? */
static bool has_outer_function(const struct explain *explain, const struct owners *owners, const struct kernel_task *task)
{
	static const char *const starts[] = { "kthread", "ret_from_fork", "do_syscall", "entry_", "process_one_work", NULL };
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
	changes = frame_with(explain, stack, "blocking_notifier_chain_", 0);
	calls = frame_with(explain, stack, "blocking_notifier_call_chain", changes);
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

void lock_owners_add(struct explain *explain, const u64 *pids, u32 nr)
{
	struct finding *finding = explain->finding;
	const struct kernel_task *task = NULL;
	struct err err = ERR_INIT;
	struct work_wait work;
	struct frozen_wait frozen;
	struct owners owners;

	if (!explain->pm->kernel) {
		finding_note(&finding->missing, "who holds the lock: a vmcore has it");
		return;
	}
	if (open_owners(&owners, explain->pm->kernel))
		task = task_of_pid(owners.tasks, pids[0]);
	else
		finding_note(&finding->missing, "who holds the lock: the tasks are not found; epitaph info --stacks FILE says why");
	if (task && !kernel_wait_chain(owners.waits, task, owners.chain, &err)) {
		const struct kernel_chain *chain = owners.chain;

		cut_chain(explain, owners.chain);
		if (chain->is_cycle)
			claim_cycle(finding, chain);
		if (chain->is_cycle && chain->back + 1 == chain->nr)
			claim_own_chain(explain, &owners, chain->tasks[chain->back]);
		if (chain->is_cycle && chain->back + 1 == chain->nr && finding->strength > FINDING_POSSIBLE &&
		    !has_outer_function(explain, &owners, chain->tasks[chain->back]))
			finding->strength = FINDING_POSSIBLE;
		if (chain->is_cycle)
			;
		else if (chain->nr > 1)
			claim_end(explain, &owners);
		open_page(explain, chain);
		if (chain->nr > 1 || chain->last_waits)
			add_links(finding, chain);
		if (chain->last_waits && !chain->is_cycle &&
		    work_wait_read(&work, explain->pm->kernel, chain->tasks[chain->nr - 1], &chain->waits[chain->nr - 1]))
			claim_work(explain, chain->tasks[chain->nr - 1], &work, chain->nr == 1 || chain->is_sure);
		if (chain->last_waits && !chain->is_cycle &&
		    frozen_wait_read(&frozen, explain->pm->kernel, &chain->waits[chain->nr - 1]))
			claim_frozen(finding, chain, &frozen);
		if (chain->last_waits && !chain->is_cycle && chain->waits[chain->nr - 1].gone)
			claim_gone(explain, chain);
		if (claim_negative_readers(explain, chain)) {
			finding_next(finding, "epitaph info --stacks FILE");
			close_owners(&owners);
			return;
		}
		claim_reader(explain, &owners);
		add_own_waits(explain, &owners, pids, nr);
		claim_helper(explain, &owners);
		claim_requests(explain, &owners);
		for (u32 i = 1; i < nr; i++)
			add_other_link(explain, &owners, task_of_pid(owners.tasks, pids[i]));
		finding_next(finding, "epitaph info --stacks FILE");
	}
	close_owners(&owners);
}

/* --- a machine that was made to crash --------------------------------------- */

static void note_gone(struct explain *explain, const struct kernel_task *task, const struct kernel_wait *wait)
{
	char lock[FINDING_TEXT / 2], gone[WORDS_TASK], how[FINDING_TEXT];
	const struct kernel_report *oops = oops_of_gone(explain, wait->gone, gone);

	put_lock(lock, sizeof(lock), wait);
	if (!oops) {
		finding_note(&explain->finding->also, "%s-%d waits %s; its owner is none of the tasks that were found: it has ended, the lock was overwritten, or the dump lacks it",
			     task->comm, task->pid, lock);
		return;
	}
	put_gone_oops(how, explain, oops, gone);
	finding_note(&explain->finding->also, "%s-%d waits %s. %s", task->comm, task->pid, lock, how);
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

void blocked_note(struct explain *explain)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct err err = ERR_INIT;
	struct owners owners = { 0 };
	struct kernel_wait wait;
	u32 nr = 0;

	if (!explain->pm->kernel || !stack || !open_owners(&owners, explain->pm->kernel)) {
		free(stack);
		close_owners(&owners);
		return;
	}
	kernel_deadlocks(owners.waits, owners.chain, note_cycle, explain, &err);
	for (u32 i = 0; i < owners.tasks->nr && nr < MOST_GONE; i++) {
		const struct kernel_task *task = &owners.tasks->list[i];

		if (task->is_running || task->state == 'R')
			continue;
		kernel_unwind(owners.unwinder, task, stack);
		if (!kernel_wait_of(owners.waits, task, stack, &wait) || wait.owner_kind != KOWNER_UNKNOWN)
			continue;
		note_gone(explain, task, &wait);
		nr++;
	}
	close_owners(&owners);
	free(stack);
}
