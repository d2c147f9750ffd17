// SPDX-License-Identifier: GPL-2.0-or-later
#include "completing_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_holder.h"
#include "fault/argument.h"
#include "fault/completions.h"
#include "instruction/instruction.h"
#include "kernel_state/work_wait.h"
#include "late_call.h"
#include "percpu_sem.h"

#define MOST_BYTES	(16U << 20)	/* of a module's code */
#define MOST_LINKS	8	/* completions of one chain */
#define MOST_PASSES	64	/* over a function, to follow its ways */

/* A function that completes it. */
struct completing {
	u64 start;
	u32 size;
};

/* The functions that end such a wait; the completion or the queue is their first argument. */
static bool ends_wait(const struct kernel *kernel, u64 target, enum kernel_wait_kind kind)
{
	static const char *const names[][5] = {
		{ "complete", "complete_all" },
		{ "__wake_up", "__wake_up_sync", "__wake_up_sync_key", "__wake_up_locked", "wake_up_all" },
	};
	struct ksym symbol;

	if (!target || !kallsyms_find(kernel->kallsyms, target, &symbol))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names[0]) && names[kind == KWAIT_QUEUE][i]; i++)
		if (!strcmp(symbol.name, names[kind == KWAIT_QUEUE][i]))
			return true;
	return false;
}

/* Does the instruction complete what is waited for, or what is not seen to be another? */
static bool completes_at(const struct function_code *code, u32 at, const struct instruction *instruction, const struct kernel_wait *wait)
{
	struct argument argument;

	if ((!instruction->is_call && !instruction->jumps) || !ends_wait(code->kernel, instruction->target, wait->kind))
		return false;
	return !argument_read(&argument, code, at) || argument.base != INSTRUCTION_NO_REGISTER || (u64)argument.offset == wait->lock;
}

static bool completes(const struct function_code *code, const struct kernel_wait *wait)
{
	struct instruction instruction;

	for (u32 at = 0; at < code->len && function_code_decode(code, at, &instruction); at += instruction.len)
		if (completes_at(code, at, &instruction, wait))
			return true;
	return false;
}

/*
 * Is there a way from @from to @to that completes nothing? With a @to behind the function: is there one to what
 * completes it?
 */
static bool has_way(const struct function_code *code, u32 from, u32 to, const struct kernel_wait *wait)
{
	bool *is_behind = calloc(code->len + 1, sizeof(*is_behind)), is = false, changed = true;
	struct instruction one;

	if (!is_behind || from >= code->len) {
		free(is_behind);
		return false;
	}
	is_behind[from] = true;
	for (u32 pass = 0; changed && !is && pass < MOST_PASSES; pass++) {
		changed = false;
		for (u32 at = 0; at < code->len && !is; at += one.len) {
			u32 next;

			if (!function_code_decode(code, at, &one))
				break;
			if (!is_behind[at])
				continue;
			is = at == to;
			if (completes_at(code, at, &one, wait)) {
				is |= to >= code->len;
				continue;
			}
			next = at + one.len;
			if (one.goes_on && next < code->len && !is_behind[next])
				is_behind[next] = changed = true;
			if (one.jumps && one.target - code->start < code->len && !is_behind[one.target - code->start])
				is_behind[one.target - code->start] = changed = true;
		}
	}
	free(is_behind);
	return is;
}

/* Has a task that is @at behind the function's start not yet completed it, and may it do so? */
static bool is_in_front(const struct kernel *kernel, const struct completing *completing, u32 at, const struct kernel_wait *wait)
{
	struct function_code *code = malloc(sizeof(*code));
	bool is = code && function_code_read_function(code, kernel, completing->start) && has_way(code, 0, at, wait) &&
		  has_way(code, at, code->len, wait);

	free(code);
	return is;
}

/* The only one of the module that has the code at @place, "function+0x1/0x20 [module]"; false: none, or more. */
static bool find_completing(struct completing *found, const struct kernel *kernel, struct report_text place,
			    const struct kernel_wait *wait)
{
	struct function_code *code = malloc(sizeof(*code));
	const struct kernel_module *module = NULL;
	struct module_walk walk;
	u32 nr = 0;

	if (code && function_code_read_caller(code, kernel, place) && *code->module)
		module = kernel_modules_at(kernel->modules, code->start);
	walk = (struct module_walk){ .kernel = kernel, .module = module, .most = MOST_BYTES };
	while (nr < 2 && function_code_next(code, &walk)) {
		if (!completes(code, wait))
			continue;
		*found = (struct completing){ code->start, code->size };
		nr++;
	}
	free(code);
	return nr == 1 && !walk.is_cut;
}

/* Does it run, where is not known? Who runs may be in that function as well. */
static bool runs_unseen(const struct kernel_task *task, const struct kernel_stack *stack)
{
	return task->is_running && task->pid && stack->end == KSTACK_NOT_UNWOUND;
}

/* The only task that is in it, and sleeps in a call in front of what completes it; NULL: none, or more. */
static const struct kernel_task *find_completing_task(const struct owners *owners, const struct kernel *kernel, const struct completing *completing,
						      const struct kernel_wait *wait)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct kernel_task *found = NULL;
	u32 nr = 0;

	for (u32 i = 0; stack && i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];
		bool sleeps = !task->is_running && task->state != 'R';

		kernel_unwind(owners->unwinder, task, stack);
		nr += runs_unseen(task, stack);
		for (u32 k = 0; k < stack->nr_sure; k++)
			if (stack->frames[k].ip - completing->start < completing->size) {
				found = sleeps && is_in_front(kernel, completing, (u32)(stack->frames[k].ip - completing->start), wait) ? task : NULL;
				nr++;
				break;
			}
	}
	free(stack);
	return nr == 1 ? found : NULL;
}

/*
 * It is a work item that has not begun: the only worker that runs what stands in front of it, on a workqueue that runs one at a time.
 * NULL: it is none, or completes another one. @work: gets its function; @is_seen: that it completes this one
 */
static const struct kernel_task *find_front_worker(char work[KERNEL_SYMBOL_MAX], bool *is_seen, const struct owners *owners, const struct kernel *kernel,
						   const struct completing *completing, u64 lock)
{
	const struct kernel_task *found = NULL;
	struct completions completions;
	struct work_wait behind;
	u32 nr = 0;

	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (task->is_running || task->state == 'R' || task->is_lacking || !work_wait_behind(&behind, kernel, task, completing->start) ||
		    !completions_read(&completions, kernel, completing->start, behind.item, lock) || (!completions.nr_it && !completions.nr_unknown))
			continue;
		snprintf(work, KERNEL_SYMBOL_MAX, "%s", behind.function);
		*is_seen = completions.nr_it;
		found = task;
		nr++;
	}
	return nr == 1 ? found : NULL;
}

/* fs/kernfs/dir.c, fs/proc/inode.c, fs/debugfs/inode.c: functions that begin so. A read of kernfs may leave no frame of it but sysfs' own. */
static const struct {
	const char *waits;
	const char *within[4];
} removals[] = {
	{ "kernfs_drain", { "kernfs_fop_", "kernfs_seq_", "sysfs_kf_" } },
	{ "proc_entry_rundown", { "proc_reg_" } },
	{ "__debugfs_file_removed", { "full_proxy_", "debugfs_attr_" } },
};

/* Of its frames, does the one of number @at sleep, and nothing that this called? It may also call the file's own release(). */
static bool sleeps_itself(const struct kernel *kernel, const struct kernel_stack *stack, u32 at)
{
	char name[KERNEL_SYMBOL_MAX];

	for (u32 i = 0; i < at; i++)
		if (!kernel_frame_function(kernel, &stack->frames[i], name, sizeof(name)) || !plumbing_is_of_waiting(name))
			return false;
	return true;
}

/*
 * @task waits until all have left the functions of a file that it removes, of sysfs, /proc or debugfs: the only other task that is in
 * such a function, and sleeps. NULL: it waits for something else, there is none, or more.
 */
static const struct kernel_task *find_user_task(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct kernel_task *found = NULL;
	size_t k = 0;
	u32 nr = 0;

	if (!stack)
		return NULL;
	kernel_unwind(owners->unwinder, task, stack);
	while (k < ARRAY_SIZE(removals) && owners_frame(kernel, stack, removals[k].waits, 0) == stack->nr_sure)
		k++;
	if (k < ARRAY_SIZE(removals) && !sleeps_itself(kernel, stack, owners_frame(kernel, stack, removals[k].waits, 0)))
		k = ARRAY_SIZE(removals);
	for (u32 i = 0; k < ARRAY_SIZE(removals) && i < owners->tasks->nr; i++) {
		const struct kernel_task *other = &owners->tasks->list[i];
		bool is_within = false;

		if (other->is_lacking)
			continue;
		kernel_unwind(owners->unwinder, other, stack);
		nr += runs_unseen(other, stack);
		for (size_t w = 0; w < ARRAY_SIZE(removals[k].within) && removals[k].within[w]; w++)
			is_within |= owners_frame(kernel, stack, removals[k].within[w], 0) < stack->nr_sure;
		if (!is_within)
			continue;
		found = other;
		nr++;
	}
	free(stack);
	return nr == 1 && found && found != task && !found->is_running && found->state != 'R' ? found : NULL;
}

/* The chain of @task behind that which there is. */
static void append_chain(struct owners *owners, struct kernel_chain *more, const struct kernel_task *task)
{
	struct kernel_chain *chain = owners->chain;
	struct err err = ERR_INIT;

	if (kernel_chain_close(chain, task) || kernel_wait_chain(owners->waits, task, more, &err))
		return;
	for (u32 i = 0; i < more->nr; i++) {
		if (kernel_chain_close(chain, more->tasks[i]))
			return;
		if (chain->nr == KERNEL_CHAIN_MAX) {
			chain->is_cut = true;
			return;
		}
		chain->waits[chain->nr] = more->waits[i];
		chain->tasks[chain->nr++] = more->tasks[i];
	}
	chain->last_waits = more->last_waits;
	if (more->is_cycle)
		kernel_chain_close(chain, more->tasks[more->back]);
}

static bool waits_for_chain(const struct owners *owners, struct kernel_chain *more, const struct kernel_task *task)
{
	struct err err = ERR_INIT;
	bool is = false;

	if (kernel_wait_chain(owners->waits, task, more, &err))
		return false;
	for (u32 i = 0; i < more->nr && !is; i++)
		for (u32 k = 0; k < owners->chain->nr && !is; k++)
			is = more->tasks[i] == owners->chain->tasks[k];
	return is;
}

/*
 * No task is in the function that completes it: all that are to call it wait for the chain. NULL: one does not, or others may call it.
 * @name: gets the function
 */
static const struct kernel_task *find_late_caller(const struct owners *owners, struct kernel_chain *more, const struct kernel *kernel, u64 start,
						  char name[KERNEL_SYMBOL_MAX])
{
	const struct kernel_task *waiter = owners->chain->tasks[owners->chain->nr - 1];
	struct kernel_frame frame = { .ip = start, .is_exact = true };
	struct late_call late;

	if (!late_call_find(&late, owners, kernel, start, waiter) || late.is_open)
		return NULL;
	for (u32 i = 0; i < late.nr; i++)
		if (!waits_for_chain(owners, more, late.tasks[i]))
			return NULL;
	return late.nr && kernel_frame_name(kernel, &frame, name, KERNEL_SYMBOL_MAX) ? late.tasks[0] : NULL;
}

void completing_task_extend(struct owners *owners, const struct kernel *kernel)
{
	struct kernel_chain *chain = owners->chain, *more = malloc(sizeof(*more));

	for (u32 i = 0; more && kernel->modules && kernel->kallsyms && instruction_can_decode() && i < MOST_LINKS; i++) {
		struct kernel_wait *wait = &chain->waits[chain->nr - 1];
		const struct kernel_task *task = NULL;
		struct completing completing = { 0 };
		char name[KERNEL_SYMBOL_MAX];
		bool is_seen = true;

		if (chain->is_cycle || chain->is_cut)
			break;
		if (percpu_sem_take(owners, kernel, chain->tasks[chain->nr - 1], wait, &chain->last_waits) && wait->owner) {
			chain->is_sure &= wait->owner_kind == KOWNER_GATE_WRITER;
			append_chain(owners, more, wait->owner);
			continue;
		}
		if (!chain->last_waits || wait->owner || wait->owner_kind == KOWNER_GATE_READER || wait->is_renewed)
			break;
		task = find_user_task(owners, kernel, chain->tasks[chain->nr - 1]);
		wait->owner_kind = task ? KOWNER_USER : wait->owner_kind;
		if (!task) {
			task = code_holder_find(owners, kernel, chain->tasks[chain->nr - 1], wait);
			wait->owner_kind = task ? KOWNER_CODE : wait->owner_kind;
		}
		if (!task && wait->kind == KWAIT_COMPLETION) {
			task = srcu_reader_find(wait->work, owners, kernel, chain->tasks[chain->nr - 1]);
			wait->owner_kind = task ? KOWNER_SRCU_READER : wait->owner_kind;
		}
		if (!task && wait->kind != KWAIT_COMPLETION && wait->kind != KWAIT_QUEUE)
			break;
		owners_name_wait(owners, kernel, chain->tasks[chain->nr - 1], name);
		if (!task && find_completing(&completing, kernel, (struct report_text){ name, strlen(name) }, wait))
			task = find_completing_task(owners, kernel, &completing, wait);
		if (!task && completing.start && wait->kind == KWAIT_COMPLETION) {
			task = find_front_worker(wait->work, &is_seen, owners, kernel, &completing, wait->lock);
			wait->owner_kind = task ? KOWNER_FRONT : wait->owner_kind;
		}
		if (!task && completing.start && wait->kind == KWAIT_COMPLETION) {
			task = find_late_caller(owners, more, kernel, completing.start, wait->work);
			wait->owner_kind = task ? KOWNER_CALLER : wait->owner_kind;
		}
		if (!task || task == chain->tasks[chain->nr - 1])
			break;
		/* Who else may wake a queue, or complete it, is not seen: one that waits for a task of the chain does not. */
		if (((wait->kind == KWAIT_QUEUE && wait->owner_kind != KOWNER_USER) || !is_seen) && !waits_for_chain(owners, more, task)) {
			wait->owner_kind = KOWNER_NONE;
			break;
		}
		wait->owner = task;
		if (wait->owner_kind != KOWNER_USER && wait->owner_kind != KOWNER_CODE && wait->owner_kind != KOWNER_FRONT &&
		    wait->owner_kind != KOWNER_CALLER && wait->owner_kind != KOWNER_SRCU_READER)
			wait->owner_kind = KOWNER_COMPLETER;
		chain->is_sure = false;
		append_chain(owners, more, task);
	}
	free(more);
}

enum finding_strength completing_task_strength(const struct kernel_chain *chain)
{
	if (chain->is_sure)
		return FINDING_SHOWN;
	for (u32 i = 0; i < chain->nr; i++)
		if ((i + 1 < chain->nr || chain->is_cycle) && chain->waits[i].owner_kind == KOWNER_LAST_READER)
			return FINDING_POSSIBLE;
	return FINDING_LIKELY;
}
