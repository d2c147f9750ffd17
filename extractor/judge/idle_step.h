/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop that adds up until it may go on, and adds 0. */
#ifndef EPITAPH_JUDGE_IDLE_STEP_H
#define EPITAPH_JUDGE_IDLE_STEP_H

#include "judge.h"
#include "kernel_state/unwind.h"

/**
 * struct idle_step - what such a loop does
 * @base: the register that has the address of the object in which the step lies, which the loop keeps
 * @offset: of the step in that; @size: its bytes
 * @sum_base, @sum_offset: the same of the sum, in what that register points to by then
 * @sum_size: of the sum; 0: register @sum_base has it
 */
struct idle_step {
	s32 base;
	s64 offset;
	u32 size;
	s32 sum_base;
	s64 sum_offset;
	u32 sum_size;
};

/*
 * The loop of @code, which was at its @at, leaves behind a test of what it adds the step to, and goes back with both in memory. Whether
 * the step is 0 the memory says. False: it has none such.
 */
bool idle_step_find(struct idle_step *ret, const struct function_code *code);

/* The claim of the report's place, if it is such a loop and the step is 0. True: it is. */
bool idle_step_claim(struct explain *explain);

/* The same of a function that had called the one which the report names, on the stack of that task. */
bool idle_step_claim_caller(struct explain *explain, const struct kernel_task *task, const struct kernel_stack *stack);

#endif
