// SPDX-License-Identifier: GPL-2.0-or-later
#include "late_call.h"

#include <stdlib.h>

#include "fault/callers.h"

#define MOST_FUNCTIONS	8	/* whose callers are looked for */

/**
 * struct late_search - what is known so far
 * @functions: nr of them, whose callers are to be found; the first done are
 * @exit: of the module
 */
struct late_search {
	u64 functions[MOST_FUNCTIONS];
	u32 nr;
	u64 exit;
	const struct owners *owners;
	const struct kernel_task *waiter;
	struct kernel_stack stack;
	struct late_call *ret;
};

static void push_function(struct late_search *search, u64 start)
{
	for (u32 i = 0; i < search->nr; i++)
		if (search->functions[i] == start)
			return;
	if (search->nr == MOST_FUNCTIONS)
		search->ret->is_open = true;
	else
		search->functions[search->nr++] = start;
}

static void take_late_task(struct late_call *ret, const struct kernel_task *task)
{
	for (u32 i = 0; i < ret->nr; i++)
		if (ret->tasks[i] == task)
			return;
	if (ret->nr == LATE_CALL_TASKS)
		ret->is_open = true;
	else
		ret->tasks[ret->nr++] = task;
}

/* Who is in that caller? True: some task is, perhaps the waiter alone. */
static bool take_tasks_in(struct late_search *search, const struct caller *caller)
{
	bool is_any = false;

	for (u32 i = 0; i < search->owners->tasks->nr; i++) {
		const struct kernel_task *task = &search->owners->tasks->list[i];

		kernel_unwind(search->owners->unwinder, task, &search->stack);
		for (u32 k = 0; k < search->stack.nr_sure; k++) {
			u64 at = search->stack.frames[k].ip - caller->start;

			if (at >= caller->size)
				continue;
			is_any = true;
			if (task == search->waiter)
				break;
			/* What has called it already, or runs, may come to it on another way. */
			if (task->is_running || task->state == 'R' || at > caller->last)
				search->ret->is_open = true;
			else
				take_late_task(search->ret, task);
			break;
		}
	}
	return is_any;
}

/* False: what calls the function is not seen. */
static bool take_callers(struct late_search *search, const struct kernel *kernel, u64 start)
{
	struct callers callers;

	if (!callers_find(&callers, kernel, start))
		return false;
	search->ret->is_open |= callers.is_open || !callers.nr;
	for (u32 i = 0; i < callers.nr; i++)
		if (callers.list[i].start != search->exit && !take_tasks_in(search, &callers.list[i]))
			push_function(search, callers.list[i].start);
	return true;
}

bool late_call_find(struct late_call *ret, const struct owners *owners, const struct kernel *kernel, u64 start, const struct kernel_task *waiter)
{
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, start) : NULL;
	struct late_search *search = module ? calloc(1, sizeof(*search)) : NULL;
	bool is = search;

	*ret = (struct late_call){ 0 };
	if (!search)
		return false;
	search->owners = owners;
	search->waiter = waiter;
	search->ret = ret;
	kernel_state_member(kernel, "module", "exit", module->va, &search->exit);
	push_function(search, start);
	for (u32 i = 0; is && i < search->nr; i++)
		is = take_callers(search, kernel, search->functions[i]);
	free(search);
	return is;
}
