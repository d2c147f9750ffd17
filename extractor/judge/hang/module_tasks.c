// SPDX-License-Identifier: GPL-2.0-or-later
/* What other tasks did within the module that died: it may only have noticed that another part of it waits. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hang.h"
#include "linux_kernel/vmem.h"
#include "owners.h"
#include "wait_words.h"

#define MOST_WAITS	4		/* that are evidence */
#define MOST_SLEEPERS	3		/* that are evidence */
#define MOST_TASKS	10000		/* whose stacks are looked at */
#define MOST_OBJECTS	FAULT_REGISTERS
#define MOST_WORDS	1024		/* of a stack: 8 KiB */

/* False: it waits for nothing that is known, as in msleep(). */
static bool add_wait(struct explain *explain, const struct owners *owners, const struct kernel_task *task, const char *place)
{
	const struct kernel_chain *chain = owners->chain;
	char lock[FINDING_TEXT / 2], holder[60] = "";
	struct err err = ERR_INIT;

	if (kernel_wait_chain(owners->waits, task, owners->chain, &err) || (chain->nr == 1 && !chain->last_waits))
		return false;
	wait_words_lock(lock, sizeof(lock), &chain->waits[0]);
	if (chain->waits[0].owner && chain->waits[0].owner_kind == KOWNER_SHOWN)
		snprintf(holder, sizeof(holder), ", held by %s-%d", chain->waits[0].owner->comm, chain->waits[0].owner->pid);
	finding_evidence_timeless(explain->finding, "of the same module: %s-%d, in %s, waits %s%s", task->comm, task->pid, place, lock, holder);
	return true;
}

bool module_waits_add(struct explain *explain, const char *module)
{
	char name[KERNEL_SYMBOL_MAX], wanted[KMODULE_NAME_MAX + 2], place[2 * WORDS_FUNCTION];
	struct owners owners = { 0 };
	u32 nr = 0;

	if (!*module || !explain->pm->kernel)
		return false;
	snprintf(wanted, sizeof(wanted), "[%s]", module);
	if (owners_open(&owners, explain))
		for (u32 i = 0; i < owners.tasks->nr && nr < MOST_WAITS; i++) {
			const struct kernel_task *task = &owners.tasks->list[i];

			/* Others sleep until there is something to do. */
			if (task->is_running || task->state != 'D')
				continue;
			owners_name_wait(&owners, explain->pm->kernel, task, name);
			if (!strstr(name, wanted))
				continue;
			words_function(place, (struct report_text){ name, strlen(name) });
			strcat(place, "()");
			nr += add_wait(explain, &owners, task, place);
		}
	owners_close(&owners);
	return nr;
}

/* --- who has an object of the module, too ---------------------------------------- */

struct objects {
	struct kernel_object list[MOST_OBJECTS];
	u32 nr;
};

static const struct kernel_object *object_of(const struct objects *objects, u64 address)
{
	for (u32 i = 0; i < objects->nr; i++)
		if (address - objects->list[i].start < objects->list[i].size)
			return &objects->list[i];
	return NULL;
}

/* Those that the registers point to. A task is no object of a driver, and everything that runs has the address of one. */
static void take_objects(struct objects *ret, const struct explain *explain)
{
	const struct kernel *kernel = explain->pm->kernel;

	ret->nr = 0;
	for (u32 i = 0; i < explain->fault.nr_registers; i++) {
		struct kernel_object *object = &ret->list[ret->nr];

		if (!object_of(ret, explain->fault.registers[i].value) &&
		    kernel_object_at(kernel, explain->fault.registers[i].value, object) && strcmp(object->cache, "task_struct"))
			ret->nr++;
	}
}

/* The frames of the module, the innermost and the outermost. False: there is none. */
static bool frames_of_module(u32 *first, u32 *last, const struct kernel *kernel, const struct kernel_stack *stack, const char *module)
{
	char name[KERNEL_SYMBOL_MAX];
	bool found = false;

	for (u32 i = 0; i < stack->nr_sure; i++)
		if (kernel_frame_name(kernel, &stack->frames[i], name, sizeof(name)) && strstr(name, module)) {
			*first = found ? *first : i;
			*last = i;
			found = true;
		}
	return found;
}

/* The first of them that is on the stack up to the end of that frame: what the module's functions had, or gave to others. */
static const struct kernel_object *object_on_stack(const struct objects *objects, const struct kernel *kernel,
						   const struct kernel_task *task, const struct kernel_frame *last)
{
	const struct kernel_object *found = NULL;
	u64 size = last->top - task->sp, *words;

	if (last->top <= task->sp || size > MOST_WORDS * sizeof(*words))
		return NULL;
	words = malloc(size);
	if (words && vmem_get(kernel->vmem, task->sp, words, size))
		for (u32 i = 0; i < size / sizeof(*words) && !found; i++)
			found = object_of(objects, le64toh(words[i]));
	free(words);
	return found;
}

static bool add_sleeper(struct explain *explain, const struct owners *owners, const struct objects *objects, const struct kernel_task *task,
		     const char *module)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct kernel_object *object = NULL;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];
	u32 first = 0, last = 0;

	if (stack) {
		kernel_unwind(owners->unwinder, task, stack);
		if (frames_of_module(&first, &last, kernel, stack, module))
			object = object_on_stack(objects, kernel, task, &stack->frames[last]);
	}
	if (object) {
		kernel_frame_name(kernel, &stack->frames[first], name, sizeof(name));
		words_function(place, (struct report_text){ name, strlen(name) });
		finding_evidence_timeless(explain->finding, "%s-%d slept in %s() of this module, with %016llx too, an object of cache %s",
					  task->comm, task->pid, place, object->start, object->cache);
	}
	free(stack);
	return object;
}

void module_sleepers_add(struct explain *explain)
{
	char module[KMODULE_NAME_MAX + 2];
	struct owners owners = { 0 };
	struct objects objects;
	u32 nr = 0;

	/* What hangs has another judge for those. */
	if (!explain->pm->kernel || !explain->cause || explain->cause->kind > KERNEL_REPORT_WARNING || !*explain->fault.module)
		return;
	take_objects(&objects, explain);
	snprintf(module, sizeof(module), "[%s]", explain->fault.module);
	if (objects.nr && owners_open(&owners, explain))
		for (u32 i = 0; i < owners.tasks->nr && i < MOST_TASKS && nr < MOST_SLEEPERS; i++)
			if (!owners.tasks->list[i].is_running && !owners.tasks->list[i].is_lacking)
				nr += add_sleeper(explain, &owners, &objects, &owners.tasks->list[i], module);
	if (owners.tasks && owners.tasks->nr > MOST_TASKS && nr < MOST_SLEEPERS)
		finding_note(&explain->finding->missing, "who else slept within the module: of %u tasks, %u were looked at",
			     owners.tasks->nr, MOST_TASKS);
	owners_close(&owners);
}
