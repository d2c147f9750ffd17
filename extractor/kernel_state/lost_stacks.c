// SPDX-License-Identifier: GPL-2.0-or-later
#include "lost_stacks.h"

#include <stdlib.h>
#include <string.h>

#define NEAR_STACKS	64	/* on each side of a known one */
#define MOST_TRIES	65536
#define MOST_READ	4096
#define MOST_NAMED	64	/* tasks of one stack */
#define LEAST_WORDS	2	/* that name the task: one may be of another that it woke */

/**
 * struct stack_search - of stacks that no task has
 * @known: those that have a task, nr of them, in their order
 * @named: of each task of the list, how often the stack that it was given names it
 * @words: of one stack
 */
struct stack_search {
	struct kernel_tasks *tasks;
	u64 *known;
	u32 nr;
	u32 *named;
	u64 *words;
};

static int by_stack(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

struct name_count {
	u32 task, nr;
};

static void count_named(struct name_count names[MOST_NAMED], u32 *nr, u32 task)
{
	u32 i = 0;

	while (i < *nr && names[i].task != task)
		i++;
	if (i == MOST_NAMED)
		return;
	if (i == *nr)
		names[(*nr)++] = (struct name_count){ .task = task };
	names[i].nr++;
}

static void give_lost_stack(struct stack_search *s, u64 stack)
{
	struct kernel_tasks *tasks = s->tasks;
	struct name_count names[MOST_NAMED], best = { 0 };
	u32 nr = 0, second = 0;

	for (u32 i = 0; i < tasks->stack_size / 8; i++) {
		const struct kernel_task *task;
		u64 va;

		/* The byte order is the dumped machine's. */
		if (!s->words[i] || !vmem_u64(tasks->kernel->vmem, stack + 8 * i, &va))
			continue;
		task = kernel_tasks_find(tasks, va);
		if (task && task->is_lacking)
			count_named(names, &nr, task - tasks->list);
	}
	for (u32 i = 0; i < nr; i++) {
		second = names[i].nr > best.nr ? best.nr : names[i].nr > second ? names[i].nr : second;
		best = names[i].nr > best.nr ? names[i] : best;
	}
	if (best.nr < LEAST_WORDS || best.nr == second || best.nr <= s->named[best.task])
		return;
	s->named[best.task] = best.nr;
	tasks->list[best.task].stack = stack;
}

static void look_near(struct stack_search *s)
{
	const u64 size = s->tasks->stack_size;
	u32 tries = 0, nr_read = 0;
	u64 stack = 0;

	for (u32 i = 0; i < s->nr; i++) {
		u64 first = s->known[i] - NEAR_STACKS * size, last = s->known[i] + NEAR_STACKS * size;

		for (stack = stack > first ? stack : first; stack <= last && tries < MOST_TRIES; stack += size, tries++)
			if (nr_read < MOST_READ && !bsearch(&stack, s->known, s->nr, sizeof(stack), by_stack) &&
			    vmem_get(s->tasks->kernel->vmem, stack, s->words, size)) {
				give_lost_stack(s, stack);
				nr_read++;
			}
	}
}

void lost_stacks_find(struct kernel_tasks *tasks)
{
	struct stack_search s = { .tasks = tasks };

	if (!tasks->nr_lacking)
		return;
	s.known = calloc(tasks->nr, sizeof(*s.known));
	s.named = calloc(tasks->nr, sizeof(*s.named));
	s.words = malloc(tasks->stack_size);
	for (u32 i = 0; s.known && i < tasks->nr; i++)
		if (tasks->list[i].stack && !(tasks->list[i].stack % tasks->stack_size))
			s.known[s.nr++] = tasks->list[i].stack;
	if (s.known && s.named && s.words) {
		qsort(s.known, s.nr, sizeof(*s.known), by_stack);
		look_near(&s);
	}
	free(s.known);
	free(s.named);
	free(s.words);
}
