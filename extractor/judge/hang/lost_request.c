// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread that works off requests idles, and the request of one that waits is in none of its queues: it has lost it. */
#include <stdlib.h>
#include <string.h>

#include "chain_claims.h"
#include "fault/argument.h"
#include "fault/frame_register.h"
#include "instruction/instruction.h"
#include "fault/register_use.h"
#include "kernel_state/slab.h"
#include "linux_kernel/vmem.h"

#define MOST_OF_OBJECT	8192	/* bytes in which pointers are looked for */
#define OF_VARIABLE	1024	/* of a variable whose size is not known */

struct range {
	u64 start;
	u64 size;
};

static bool is_wakeup(const struct kernel *kernel, u64 target)
{
	static const char *const names[] = { "__wake_up", "__wake_up_sync", "__wake_up_sync_key", "__wake_up_locked", "wake_up_all", "swake_up_one", NULL };
	struct ksym symbol;

	if (!target || !kallsyms_find(kernel->kallsyms, target, &symbol))
		return false;
	for (u32 i = 0; names[i]; i++)
		if (!strcmp(symbol.name, names[i]))
			return true;
	return false;
}

/* Does the function of that frame wake the queue @lock, in front of the call in which it is? */
static bool frame_wakes(const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame, u64 lock,
			struct function_code *code)
{
	char name[KERNEL_SYMBOL_MAX];
	struct instruction one;
	struct argument argument;
	u64 base;

	if (!kernel_modules_at(kernel->modules, stack->frames[frame].ip) || !kernel_frame_name(kernel, &stack->frames[frame], name, sizeof(name)) ||
	    !function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) }))
		return false;
	for (u32 at = 0; at < code->at && at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		if (!one.is_call || !is_wakeup(kernel, one.target) || !argument_read(&argument, code, at))
			continue;
		base = 0;
		if (argument.base != INSTRUCTION_NO_REGISTER && !frame_register(&base, kernel, task, stack, frame, argument.base))
			continue;
		if (base + (u64)argument.offset == lock)
			return true;
	}
	return false;
}

/* Does the task @task, which waits, wake the queue when it gives something to do? @in: gets the part of its stack that is in use */
static bool wakes(struct range *in, const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, u64 lock)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct function_code *code = malloc(sizeof(*code));
	bool is = false;

	*in = (struct range){ 0 };
	if (stack && code) {
		kernel_unwind(owners->unwinder, task, stack);
		if (stack->nr_sure && task->stack && stack->frames[0].sp - task->stack < owners->tasks->stack_size)
			*in = (struct range){ stack->frames[0].sp, task->stack + owners->tasks->stack_size - stack->frames[0].sp };
		for (u32 i = 0; i < stack->nr_sure && !is; i++)
			is = frame_wakes(kernel, task, stack, i, lock, code);
	}
	free(code);
	free(stack);
	return is;
}

/* The object of the slab, or the variable of a module, that has the byte at @va. */
static bool find_range(struct range *ret, const struct kernel *kernel, u64 va)
{
	const struct kernel_module *module = kernel_modules_at(kernel->modules, va);
	struct kernel_object object;
	struct ksym symbol;

	if (kernel_object_at(kernel, va, &object)) {
		*ret = (struct range){ object.start, object.size };
		return object.state == KOBJECT_IN_USE;
	}
	if (!module || !kernel_modules_find(kernel->modules, module, va, &symbol))
		return false;
	*ret = (struct range){ symbol.start, symbol.size ?: OF_VARIABLE };
	return va - ret->start < ret->size;
}

/* Does a word of @range point into @into? True also where it cannot be read. */
static bool leads_into(const struct kernel *kernel, const struct range *range, const struct range *into)
{
	u64 word, size = range->size < MOST_OF_OBJECT ? range->size : MOST_OF_OBJECT;

	for (u64 at = 0; at + 8 <= size; at += 8)
		if (!vmem_number(kernel->vmem, range->start + at, 8, &word) || word - into->start < into->size)
			return true;
	return range->size > size;
}

/* Does what @range points to lead there? The owner of a lock does, to its own stack, and is no request. */
static bool leads_there(const struct owners *owners, const struct kernel *kernel, const struct range *range, const struct range *into)
{
	struct range next;
	u64 word;

	if (leads_into(kernel, range, into))
		return true;
	for (u64 at = 0; at + 8 <= range->size; at += 8)
		if (vmem_number(kernel->vmem, range->start + at, 8, &word) && word - range->start >= range->size &&
		    !kernel_tasks_find(owners->tasks, word & ~7ULL) && find_range(&next, kernel, word) &&
		    leads_into(kernel, &next, into))
			return true;
	return false;
}

/* The first frame of a function of a module, with its code; nr_sure: there is none. */
static u32 frame_of_module(const struct kernel *kernel, const struct kernel_stack *stack, struct function_code *code)
{
	char name[KERNEL_SYMBOL_MAX];
	u32 i = 0;

	while (i < stack->nr_sure && !kernel_modules_at(kernel->modules, stack->frames[i].ip))
		i++;
	if (i < stack->nr_sure && (!kernel_frame_name(kernel, &stack->frames[i], name, sizeof(name)) ||
				   !function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) })))
		return stack->nr_sure;
	return i;
}

/* What the function has of the stack. Compilers lay its own words below the frame record of arm64, or above it, up to the next one. */
static bool part_of_frame(struct range *ret, const struct kernel_stack *stack, u32 frame)
{
	const struct kernel_frame *of = &stack->frames[frame];
	u64 end = of->top;

	if (frame + 1 < stack->nr_sure && of[1].top > end)
		end = of[1].top;
	*ret = (struct range){ of->sp, end - of->sp };
	return of->top > of->sp;
}

/*
 * Does the function in which @task sleeps still have the request, in a register that it needs, or in its part of the stack? Then it may
 * be in the midst of it. True also where that is not seen.
 */
static bool has_in_hand(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, const struct range *request)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct function_code *code = malloc(sizeof(*code));
	bool has = true;
	struct range part;
	u32 frame;
	u64 value;

	if (stack && code) {
		kernel_unwind(owners->unwinder, task, stack);
		frame = frame_of_module(kernel, stack, code);
		has = frame == stack->nr_sure || !part_of_frame(&part, stack, frame) || leads_into(kernel, &part, request);
		/* Those which what it calls gives back as they were. */
		for (s32 i = 0; !has && i < code->set->nr_registers; i++)
			has = code->set->kept & 1U << i &&
			      (!frame_register(&value, kernel, task, stack, frame, i) || value - request->start < request->size) &&
			      register_is_needed(code, code->at, i);
	}
	free(code);
	free(stack);
	return has;
}

void lost_request_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1], *waiter;
	const struct kernel_wait *wait, *idle = &chain->waits[chain->nr - 1];
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION], function[WORDS_FUNCTION];
	struct range request, queue;

	if (chain->nr < 2 || chain->is_cycle || !chain->last_waits || idle->kind != KWAIT_QUEUE || idle->owner || last->state != 'S' ||
	    !kernel->modules || !kernel->kallsyms || !instruction_can_decode())
		return;
	waiter = chain->tasks[chain->nr - 2];
	wait = &chain->waits[chain->nr - 2];
	if (wait->owner_kind != KOWNER_COMPLETER || wait->kind != KWAIT_COMPLETION || !wakes(&request, owners, kernel, waiter, idle->lock))
		return;
	/* A request that is not on the stack of who waits is an object. */
	if (wait->lock - request.start >= request.size && !find_range(&request, kernel, wait->lock))
		return;
	if (!find_range(&queue, kernel, idle->lock) || queue.start == request.start || leads_there(owners, kernel, &queue, &request) ||
	    has_in_hand(owners, kernel, last, &request))
		return;
	owners_name_wait(owners, kernel, last, name);
	words_place(place, (struct report_text){ name, strlen(name) });
	words_function(function, (struct report_text){ name, strlen(name) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s-%d waits for a completion by %s-%d, which alone would do so and idles in %s, in the queue where new requests wake it: nothing there leads to this request any more. It was lost.",
		      waiter->comm, waiter->pid, last->comm, last->pid, place);
	finding_evidence_timeless(explain->finding, "neither %016llx, in which the queue of %s-%d lies, nor an object to which that points leads to what %s-%d waits with",
				  queue.start, last->comm, last->pid, waiter->comm, waiter->pid);
	finding_open(explain->finding, "On which way %.60s() goes on without complete() for a request that it has taken, as with an error; or whether it was never put there.", function);
}
