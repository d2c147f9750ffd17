// SPDX-License-Identifier: GPL-2.0-or-later
#include "code_holder.h"

#include <stdlib.h>
#include <string.h>

#include "fault/instruction.h"
#include "fault/lock_flow.h"
#include "gone_owner.h"
#include "linux_kernel/vmem.h"

#define NEAR		1024	/* bytes of an object up to its lock */

/* Has the stack of the frame and of what it called, which kept its registers, an address right in front of @lock? */
static bool has_near(const struct kernel *kernel, const struct kernel_stack *stack, u32 frame, u64 lock)
{
	u64 word;

	for (u64 va = stack->frames[0].sp & ~7ULL; va < stack->frames[frame].top; va += 8)
		if (vmem_number(kernel->vmem, va, 8, &word) && lock - word < NEAR)
			return true;
	return false;
}

static bool frame_holds(const struct kernel *kernel, struct function_code *code, const struct kernel_stack *stack, u32 frame,
			enum lock_family family, u64 lock)
{
	char name[KERNEL_SYMBOL_MAX];
	struct lock_flow flow;

	if (!kernel->modules || !kernel_modules_at(kernel->modules, stack->frames[frame].ip) ||
	    !kernel_frame_name(kernel, &stack->frames[frame], name, sizeof(name)) ||
	    !function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) }) || !lock_flow_read(&flow, code, family))
		return false;
	for (u32 i = 0; i < flow.nr; i++) {
		const struct lock_way *way = &flow.ways[i];

		if (way->is_known && way->at == LOCK_HELD && (way->address ? way->address == lock : has_near(kernel, stack, frame, lock)))
			return true;
	}
	return false;
}

const struct kernel_task *code_holder_find(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *waiter,
					   const struct kernel_wait *wait)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct function_code *code = malloc(sizeof(*code));
	const struct kernel_task *found = NULL;
	enum lock_family family;
	u32 nr = 0;

	for (u32 i = 0; stack && code && (wait->kind == KWAIT_SEMAPHORE || wait->kind == KWAIT_BIT) && left_lock_family(&family, wait) &&
			i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];
		bool holds = false;

		if (task == waiter || task->is_running || task->is_lacking)
			continue;
		kernel_unwind(owners->unwinder, task, stack);
		for (u32 k = 0; k < stack->nr_sure && !holds; k++)
			holds = frame_holds(kernel, code, stack, k, family, wait->lock);
		if (!holds)
			continue;
		found = task;
		nr++;
	}
	free(stack);
	free(code);
	return nr == 1 ? found : NULL;
}

/* --- a reader of a rwsem ------------------------------------------------------ */

/* What a call of @target does to the number of rwsems that are read. */
static int effect_of(const struct kernel *kernel, u64 target, int reads)
{
	static const char *const takes[] = { "down_read", "down_read_interruptible", "down_read_killable", NULL };
	char name[KERNEL_SYMBOL_MAX];

	if (!target || !kernel_symbol(kernel, target, name, sizeof(name)))
		return reads;
	name[strcspn(name, "+ ")] = '\0';
	if (!strcmp(name, "up_read"))
		return 0;
	for (u32 i = 0; takes[i]; i++)
		if (!strcmp(name, takes[i]))
			return 1;
	return reads;
}

/* Before the call in which it is now. */
static bool has_read_taken(const struct explain *explain, const struct function_code *code)
{
	struct instruction instruction;
	int reads = 0;

	for (u32 i = 0; i < code->at && i < code->len; i += instruction.len) {
		if (!instruction_decode(&instruction, code->bytes + i, code->len - i, code->start + i))
			return false;
		if (instruction.is_call && i + instruction.len < code->at)
			reads = effect_of(explain->pm->kernel, instruction.target, reads);
	}
	return reads;
}

static bool frame_has_read_taken(const struct explain *explain, const struct kernel_frame *frame)
{
	struct function_code *code = calloc(1, sizeof(*code));
	char name[KERNEL_SYMBOL_MAX];
	bool has;

	has = code && kernel_frame_name(explain->pm->kernel, frame, name, sizeof(name)) &&
	      function_code_read_caller(code, explain->pm->kernel, (struct report_text){ name, strlen(name) }) &&
	      !code->from && has_read_taken(explain, code);
	free(code);
	return has;
}

bool reader_holds(const struct explain *explain, const struct owners *owners, const struct kernel_wait *wait)
{
	struct kernel_stack *stack;
	bool holds = false;

	if (wait->owner_kind != KOWNER_LAST_READER || !wait->owner || wait->nr_readers != 1 || !instruction_can_decode())
		return false;
	stack = malloc(sizeof(*stack));
	if (stack)
		kernel_unwind(owners->unwinder, wait->owner, stack);
	for (u32 i = 0; stack && i < stack->nr_sure && !holds; i++)
		holds = frame_has_read_taken(explain, &stack->frames[i]);
	free(stack);
	return holds;
}
