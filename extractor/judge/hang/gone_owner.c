// SPDX-License-Identifier: GPL-2.0-or-later
#include "gone_owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "kernel_state/slab.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "wait_words.h"

#define MOST_BYTES	(512U << 10)	/* of code that is followed */
#define CLOCKS_NS	10000000ULL	/* by which the clock of tasks and that of the trace may differ */

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

bool gone_owner_is_younger(const struct explain *explain, const struct kernel_task *task, const struct kernel_wait *wait)
{
	const struct history_task *waiter = history_task(&explain->history, (u64)task->pid);
	u64 start;

	return wait->owner && (wait->owner_kind == KOWNER_SHOWN || wait->owner_kind == KOWNER_LAST_READER) && wait->is_first &&
	       (wait->kind == KWAIT_MUTEX || wait->kind == KWAIT_RWSEM_READ || wait->kind == KWAIT_RWSEM_WRITE) && waiter && waiter->out &&
	       !waiter->woken && !pm_lost(explain->pm) &&
	       kernel_state_member(explain->pm->kernel, "task_struct", "start_time", wait->owner->va, &start) &&
	       start > waiter->out + CLOCKS_NS;
}

void gone_owner_cut(const struct explain *explain, struct kernel_chain *chain)
{
	for (u32 i = 0; i < chain->nr; i++) {
		struct kernel_wait *wait = &chain->waits[i];

		if ((i + 1 == chain->nr && !chain->is_cycle) || !gone_owner_is_younger(explain, chain->tasks[i], wait))
			continue;
		wait->owner_kind = KOWNER_YOUNGER;
		wait->gone = wait->owner->va;
		chain->nr = i + 1;
		chain->is_cycle = false;
		chain->last_waits = true;
	}
}

/* Had the task that the lock names begun before the wait, by the trace? */
static bool was_before_wait(const struct explain *explain, const struct kernel_task *task, const struct kernel_task *owner)
{
	const struct history_task *waiter = history_task(&explain->history, (u64)task->pid);
	const struct history_task *named = history_task(&explain->history, (u64)owner->pid);

	return waiter && waiter->out && named && named->seen && named->seen < waiter->out;
}

void gone_owner_doubt(struct explain *explain, const struct kernel_chain *chain)
{
	struct finding *finding = explain->finding;
	bool is_noted = false;
	enum finding_strength most = chain->is_cycle && chain->back + 1 < chain->nr ? FINDING_LIKELY : FINDING_POSSIBLE;

	for (u32 i = 0; i < chain->nr; i++) {
		const struct kernel_wait *wait = &chain->waits[i];

		if ((i + 1 == chain->nr && !chain->is_cycle) || !wait->owner->is_lacking)
			continue;
		for (u32 k = 0; k < i; k++)
			is_noted |= chain->waits[k].owner == wait->owner;
		if (!is_noted)
			finding_note(&finding->missing, "the task %s-%d, which the lock names: makedumpfile left it out, and its pid and its stack alone are there",
				     wait->owner->comm, wait->owner->pid);
		if (wait->owner_kind == KOWNER_SHOWN && !was_before_wait(explain, chain->tasks[i], wait->owner) && finding->strength > most)
			finding->strength = most;
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

/* Is the memory of a task that may live not in the dump? */
static bool is_lacking(const struct kernel *kernel, u64 task)
{
	u64 word;

	return task && !vmem_number(kernel->vmem, task, sizeof(word), &word) && vmem_lack(kernel->vmem) != VMEM_UNMAPPED;
}

void gone_owner_claim(struct explain *explain, const struct kernel_chain *chain)
{
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	char lock[FINDING_TEXT / 2], task[WORDS_TASK], how[FINDING_TEXT];
	const struct kernel_report *oops = wait->owner_kind == KOWNER_UNKNOWN ? oops_of_gone(explain, wait->gone, task) : NULL;
	struct finding *finding = explain->finding;

	wait_words_lock(lock, sizeof(lock), wait);
	if (wait->owner_kind == KOWNER_YOUNGER) {
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "%s-%d waits %s, and the task that held it has ended without giving it back: what the lock names is %s-%d by now, which began after that.",
			      last->comm, last->pid, lock, wait->owner->comm, wait->owner->pid);
		finding_open(finding, "Which task held it: a thread that returned, or was killed, on a way without an unlock.");
	} else if (oops) {
		put_gone_oops(how, explain, oops, task);
		finding_claim(finding, finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE, "%s-%d waits %s. %s.", last->comm, last->pid, lock, how);
		finding_open(finding, "Why that task died: see its oops in the log.");
	} else if (is_lacking(explain->pm->kernel, wait->gone)) {
		finding_open(finding, "Who holds it: %s-%d waits %s, whose owner is a task that this dump lacks, at %016llx; makedumpfile leaves out what it takes for free.",
			     last->comm, last->pid, lock, wait->gone);
	} else {
		finding_open(finding, "Who held it: %s-%d waits %s, whose owner is no task that is known. It has ended without giving it back, or the lock was overwritten.",
			     last->comm, last->pid, lock);
	}
}

void gone_owner_note(struct explain *explain, const struct kernel_task *task, const struct kernel_wait *wait)
{
	char lock[FINDING_TEXT / 2], gone[WORDS_TASK], how[FINDING_TEXT];
	const struct kernel_report *oops = oops_of_gone(explain, wait->gone, gone);

	wait_words_lock(lock, sizeof(lock), wait);
	if (!oops) {
		finding_note(&explain->finding->also, "%s-%d waits %s; its owner is none of the tasks that were found: it has ended, the lock was overwritten, or the dump lacks it",
			     task->comm, task->pid, lock);
		return;
	}
	put_gone_oops(how, explain, oops, gone);
	finding_note(&explain->finding->also, "%s-%d waits %s. %s", task->comm, task->pid, lock, how);
}

/* --- the function that came back with it ----------------------------------------- */

bool left_lock_family(enum lock_family *family, const struct kernel_wait *wait)
{
	/* One that is free was given back, and who waits is about to have it. */
	bool is_free = wait->owner_kind == KOWNER_NONE && !wait->nr_readers;

	switch (wait->kind) {
	case KWAIT_MUTEX:
		*family = LOCK_MUTEX;
		return !is_free;
	case KWAIT_RWSEM_READ:
	case KWAIT_RWSEM_WRITE:
		*family = wait->nr_readers ? LOCK_RWSEM_READ : LOCK_RWSEM_WRITE;
		return !is_free;
	case KWAIT_SEMAPHORE:
		*family = LOCK_SEMAPHORE;
		return true;
	case KWAIT_BIT:
		*family = LOCK_BIT;
		return true;
	default:
		return false;
	}
}

/**
 * struct leaving - functions that leave it
 * @nr: with a lock that the code names by the address that is asked for, and with one that a register has
 * @name: of the last of each
 * @gives_other: a function gives back what it has not taken
 */
struct leaving {
	u32 nr[2];
	char name[2][KERNEL_SYMBOL_MAX];
	bool gives_other;
};

/*
 * May the lock be one that lies @offset behind a pointer? An object of the slab begins so far in front of it, or a variable of the
 * module @start is of. The kernel's own locks have other functions that take them.
 */
static bool is_behind_pointer(const struct kernel *kernel, u64 start, s32 offset, u64 lock)
{
	const struct kernel_module *module = kernel_modules_at(kernel->modules, lock);
	struct kernel_object object;
	struct ksym symbol;

	if (module)
		return module == kernel_modules_at(kernel->modules, start) && kernel_modules_find(kernel->modules, module, lock, &symbol) &&
		       symbol.start + (u64)(s64)offset == lock;
	return kernel_object_at(kernel, lock, &object) && object.start + (u64)(s64)offset == lock;
}

static void look_for_leaving(struct leaving *leaving, const struct function_code *code, enum lock_family family, u64 lock)
{
	struct lock_flow flow;

	if (!lock_flow_names(code, family) || !lock_flow_read(&flow, code, family))
		return;
	leaving->gives_other |= flow.gives_other;
	for (u32 i = 0; i < flow.nr; i++) {
		const struct lock_way *way = &flow.ways[i];
		bool is_other = !way->address;

		if (!way->is_known || (way->address && way->address != lock) || !(way->ends & LOCK_HELD) ||
		    (is_other && !is_behind_pointer(code->kernel, code->start, way->offset, lock)))
			continue;
		leaving->nr[is_other]++;
		snprintf(leaving->name[is_other], KERNEL_SYMBOL_MAX, "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
		break;
	}
}

bool left_lock_find(char name[KERNEL_SYMBOL_MAX], const struct kernel *kernel, struct report_text place, enum lock_family family,
		    u64 lock)
{
	struct function_code *code = malloc(sizeof(*code));
	const struct kernel_module *module = NULL;
	struct leaving leaving = { 0 };
	struct module_walk walk;
	u32 which;

	if (code && instruction_can_decode() && kernel->modules && function_code_read_caller(code, kernel, place) && *code->module)
		module = kernel_modules_at(kernel->modules, code->start);
	walk = (struct module_walk){ .kernel = kernel, .module = module, .most = MOST_BYTES };
	while (function_code_next(code, &walk))
		look_for_leaving(&leaving, code, family, lock);
	free(code);
	which = !leaving.nr[0];
	if (walk.is_cut || leaving.gives_other || leaving.nr[which] != 1)
		return false;
	memcpy(name, leaving.name[which], KERNEL_SYMBOL_MAX);
	return true;
}

bool left_lock_claim(struct explain *explain, const struct owners *owners, const struct kernel_task *waiter, const struct kernel_wait *wait,
		     const struct kernel_task *owner)
{
	char name[KERNEL_SYMBOL_MAX], at[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION], lock[FINDING_TEXT / 2], who[WORDS_TASK] = "a task";
	enum lock_family family;

	owners_name_wait(owners, explain->pm->kernel, waiter, at);
	if (!left_lock_family(&family, wait) || !left_lock_find(name, explain->pm->kernel, (struct report_text){ at, strlen(at) }, family, wait->lock))
		return false;
	words_place(place, (struct report_text){ name, strlen(name) });
	wait_words_lock(lock, sizeof(lock), wait);
	if (owner)
		snprintf(who, sizeof(who), "%s-%d", owner->comm, owner->pid);
	finding_claim(explain->finding, explain->finding->kind, owners->chain->nr <= 2 || owners->chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "%s-%d waits %s, which probably %s left held in %s: a way through that function comes back without %s.",
		      waiter->comm, waiter->pid, lock, who, place, lock_flow_word(family));
	finding_open(explain->finding, "Which way that was: one with an error, as a rule. The one that waits is innocent.");
	return true;
}
