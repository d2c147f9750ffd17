// SPDX-License-Identifier: GPL-2.0-or-later
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include "fault/function_code.h"
#include "fault/instruction.h"

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
