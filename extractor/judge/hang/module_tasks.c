// SPDX-License-Identifier: GPL-2.0-or-later
/* What other tasks did within the module that died: it may only have noticed that another part of it waits. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/frame_register.h"
#include "fault/member_writers.h"
#include "hang.h"
#include "linux_kernel/vmem.h"
#include "owners.h"
#include "wait_words.h"

#define MOST_WAITS	4		/* that are evidence */
#define MANY_SLEEPS	4		/* in one state, before another one says something */
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

/* Does the function of @frame, which has cleared a pointer, hold the one that was NULL? By the way to it, from what the function was given. */
static bool is_cleared_place(const struct explain *explain, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct function_code *code = malloc(sizeof(*code));
	struct origins *origins = malloc(sizeof(*origins));
	char name[KERNEL_SYMBOL_MAX];
	const struct instruction_access *access;
	struct err err = ERR_INIT;
	struct instruction clears;
	struct origin way;
	bool is = false;
	u64 place;

	kernel_frame_name(kernel, &stack->frames[frame], name, sizeof(name));
	if (code && origins && function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) }) &&
	    member_writers_came_by(code, explain->cleared_by, stack->frames[frame].ip)) {
		u32 at = code->at;

		code->at = (u32)(explain->cleared_by - code->start);
		access = function_code_decode(code, code->at, &clears) ? &clears.accesses[0] : NULL;
		if (access && clears.nr_accesses == 1 && access->base >= 0 && !origins_find(origins, code, &err) && origins->are_certain) {
			way = origins->of[access->base];
			way.plus += (s32)access->offset;
			code->at = at;
			is = frame_value_now(&place, kernel, task, stack, frame, code, &way) && place == explain->access.object + (u64)explain->access.object_offset;
		}
	}
	free(origins);
	free(code);
	return is;
}

/* It sleeps behind what clears the pointer, in the only function that does. */
static void claim_cleared(struct explain *explain, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame, const char *function)
{
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION], claim[FINDING_TEXT];

	words_function(place, (struct report_text){ explain->clearing, strlen(explain->clearing) });
	if (!explain->cleared_by || strcmp(finding->kind, "null-pointer") || finding->strength != FINDING_SHOWN || !explain->access.has_object || strcmp(place, function) ||
	    !is_cleared_place(explain, task, stack, frame))
		return;
	snprintf(claim, sizeof(claim), "%.*s", (int)strlen(finding->claim) - 1, finding->claim);
	finding_claim(finding, finding->kind, FINDING_LIKELY, "%.200s: %s-%d has cleared it in %.80s(), in which it sleeps behind that.", claim, task->comm, task->pid, function);
	finding_open(finding, "Why it was used after that: what may still run then has to be stopped and waited for first, or has to look whether it is NULL.");
	*explain->clearing = '\0';
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
		claim_cleared(explain, task, stack, first, place);
		if (explain->has_slab && object->start == explain->slab.start && explain->nr_sleepers < EXPLAIN_SLEEPERS) {
			struct sleeper *sleeper = &explain->sleepers[explain->nr_sleepers++];

			sleeper->pid = (u64)task->pid;
			snprintf(sleeper->function, sizeof(sleeper->function), "%.120s", place);
		}
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

/* --- who ran within the module since the task that died slept ---------------------- */

/**
 * struct between - what ran from @from on, when the task that died fell asleep for the last time
 * @other: the only other task of the module; @nr_others: how many there are
 */
struct between {
	u64 from;
	const struct runner *died;
	const struct runner *other;
	u32 nr_others;
};

static bool ran_since(const struct explain *explain, const struct runner *runner, u64 from)
{
	for (u32 i = 0; i < explain->history.nr_cpus; i++)
		if (explain->history.cpus[i].pid == runner->pid)
			return true;
	return runner->in >= from || runner->out >= from;
}

/* Did a timer or a work item of the module run in that time? */
static bool has_deferred_since(const struct explain *explain, u64 from)
{
	const struct deferred_table *table = &explain->history.deferred;
	char name[KERNEL_SYMBOL_MAX];

	for (u32 i = 0; i < DEFERRED_PLACES; i++) {
		const struct deferred *one = &table->places[i];
		struct fault_text of = { 0 };

		if (!one->object || (!one->is_running && one->began.time < from && one->ended.time < from) || !one->function ||
		    !words_symbol(explain, one->function, name, sizeof(name)))
			continue;
		fault_text_take_module(&of, (struct report_text){ name, strlen(name) });
		if (!strcmp(of.module, explain->fault.module))
			return true;
	}
	return table->nr_dropped;
}

static void find_between(struct between *between, const struct explain *explain, const struct owners *owners, const char *module)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	u32 first, last;

	for (u32 i = 0; stack && i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];
		const struct runner *runner = runners_find(&explain->history.runners, (u64)task->pid);

		if (task->is_lacking || !runner || runner == between->died || !ran_since(explain, runner, between->from))
			continue;
		kernel_unwind(owners->unwinder, task, stack);
		if (!frames_of_module(&first, &last, explain->pm->kernel, stack, module))
			continue;
		between->other = runner;
		between->nr_others++;
	}
	between->nr_others += !stack;
	free(stack);
}

static bool has_changed(const struct runner *runner)
{
	return runner->nr_so == 1 && runner->nr_other >= MANY_SLEEPS && runner->out > runner->in;
}

/* Without the stacks it is not known who is within a module: the only task that is none of the kernel's own, and fell asleep in another way. */
static void find_changed_runner(struct between *between, const struct explain *explain)
{
	static const char *const own[] = { "kworker/", "ksoftirqd/", "migration/", "rcu", "kcompactd", "kswapd", "khungtaskd", "kauditd", "khugepaged", "ksmd",
					   "kdevtmpfs", "oom_reaper", "cpuhp/", "watchdogd", "jbd2/", "kthreadd", "epitaph", NULL };

	for (u32 i = 0; i < RUNNERS_PLACES; i++) {
		const struct runner *runner = &explain->history.runners.places[i];

		if (!runner->pid || runner == between->died || !ran_since(explain, runner, between->from) || plumbing_begins(runner->comm, own))
			continue;
		between->other = runner;
		between->nr_others += has_changed(runner) ? 1 : 2;
	}
}

/* It is also the only one that sleeps with the very object whose pointer was NULL, and nothing else is known of that. */
static void open_sleeper(struct explain *explain, const struct between *between)
{
	static const char not_known[] = "Where the pointer got this value.";
	const struct runner *other = between->other, *died = between->died;
	struct finding *finding = explain->finding;

	if (explain->nr_sleepers != 1 || explain->sleepers[0].pid != other->pid || strcmp(finding->kind, "null-pointer") || !explain->access.has_object || explain->access.pointer_value ||
	    strncmp(finding->open, not_known, strlen(not_known)))
		return;
	finding_open(finding, "Whether %s-%llu had not set that pointer yet, or cleared it: it sleeps in %.100s() with the object, and only that task of the module ran since %s-%llu slept.",
		     other->comm, other->pid, explain->sleepers[0].function, died->comm, died->pid);
}

static void add_between(struct explain *explain, const struct between *between)
{
	const struct runner *other = between->other, *died = between->died;
	struct finding *finding = explain->finding;
	char changed[80] = "", place[2 * WORDS_FUNCTION], where[WORDS_FUNCTION];
	u64 us = (explain->cause->time - between->from) / 1000;

	if (has_changed(other))
		snprintf(changed, sizeof(changed), "; it fell asleep in another state then than %u times in a row before", other->nr_other);
	finding_minor(finding, !*explain->clearing && explain->pm->kernel);
	finding_evidence(finding, other->in, finding_event(NO_CPU, "sched:sched_switch"),
			 "%s-%llu ran, the only one %s since %s-%llu slept last, %llu.%03llu ms before%s", other->comm, other->pid,
			 explain->pm->kernel ? "of the tasks within this module" : "beside the kernel's own threads", died->comm, died->pid, us / 1000, us % 1000, changed);
	finding_minor(finding, false);
	if (!*explain->clearing) {
		open_sleeper(explain, between);
		return;
	}
	words_place(place, (struct report_text){ explain->clearing, strlen(explain->clearing) });
	words_behind_start(where, explain->clearing_at);
	finding_open(finding, "Whether %s-%llu cleared it, in %.80s: that alone, of what this module has, writes NULL %s, and only that task of it ran since %s-%llu slept. Else look at what sets it.",
		     other->comm, other->pid, place, where, died->comm, died->pid);
}

void module_between_add(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct between between = { 0 };
	struct owners owners = { 0 };
	char module[KMODULE_NAME_MAX + 2];

	/* In an interrupt the task is innocent, and its sleep says nothing. */
	if (!report || report->kind > KERNEL_REPORT_BUG || !*explain->fault.module || !report->pid.text || report->interrupted.text ||
	    pm_lost(explain->pm))
		return;
	between.died = runners_find(&explain->history.runners, report_text_number(report->pid, report->pid.text, 10));
	if (!between.died || !between.died->out || between.died->in < between.died->out || between.died->in > report->time ||
	    explain->history.runners.replaced >= between.died->out || has_deferred_since(explain, between.died->out))
		return;
	between.from = between.died->out;
	snprintf(module, sizeof(module), "[%s]", explain->fault.module);
	if (!explain->pm->kernel)
		find_changed_runner(&between, explain);
	else if (owners_open(&owners, explain) && owners.tasks->nr <= MOST_TASKS)
		find_between(&between, explain, &owners, module);
	owners_close(&owners);
	if (between.nr_others == 1 && between.other)
		add_between(explain, &between);
}
