// SPDX-License-Identifier: GPL-2.0-or-later
#include "many_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "judge/words.h"
#include "kernel_state/unwind.h"

static int by_comm(const void *a, const void *b)
{
	const struct kernel_task *x = *(const struct kernel_task *const *)a, *y = *(const struct kernel_task *const *)b;

	return strcmp(x->comm, y->comm);
}

/* The function in which @task sleeps; "": it is not known. */
static void name_sleep(char name[KERNEL_SYMBOL_MAX], const struct kernel_tasks *tasks, const struct kernel_task *task)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct kernel_unwinder *unwinder = NULL;
	char function[WORDS_FUNCTION];
	struct err err = ERR_INIT;

	*name = '\0';
	if (stack && !kernel_unwinder_open(&unwinder, tasks, &err)) {
		kernel_unwind(unwinder, task, stack);
		for (u32 i = 0; i < stack->nr_sure; i++) {
			kernel_frame_name(tasks->kernel, &stack->frames[i], name, KERNEL_SYMBOL_MAX);
			words_function(function, (struct report_text){ name, strlen(name) });
			if (*function && !plumbing_has(function))
				break;
			*name = '\0';
		}
	}
	kernel_unwinder_close(unwinder);
	free(stack);
}

bool many_tasks_find(struct many_tasks *many, const struct explain *explain)
{
	const struct kernel_task **order = NULL, *most = NULL;
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;

	*many = (struct many_tasks){ .nr = 0 };
	if (!explain->pm->kernel || kernel_tasks_open(&tasks, explain->pm->kernel, &err))
		return false;
	order = calloc(tasks->nr + 1, sizeof(*order));
	for (u32 i = 0; order && i < tasks->nr; i++)
		order[i] = &tasks->list[i];
	if (order)
		qsort(order, tasks->nr, sizeof(*order), by_comm);
	for (u32 i = 0, from = 0; order && i < tasks->nr; i++) {
		if (strcmp(order[i]->comm, order[from]->comm))
			from = i;
		if (i - from + 1 > many->nr) {
			many->nr = i - from + 1;
			most = order[i];
		}
	}
	many->all = tasks->nr;
	if (most && many->nr > tasks->nr / 2) {
		memcpy(many->comm, most->comm, sizeof(many->comm));
		name_sleep(many->place, tasks, most);
	} else {
		most = NULL;
	}
	free(order);
	kernel_tasks_close(tasks);
	return most;
}
