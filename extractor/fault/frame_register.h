/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a register had in a function on a stack: where what it called keeps it, by the code of that. */
#ifndef EPITAPH_FAULT_FRAME_REGISTER_H
#define EPITAPH_FAULT_FRAME_REGISTER_H

#include "kernel_state/unwind.h"
#include "origins.h"

/**
 * frame_register() - its value at the call in which the function is
 * @task, @stack: of it
 * @frame: of the function, of those that are sure
 * @reg: the number of the register
 *
 * The functions that a call leads to keep some registers at their start, if they use them; an interrupt keeps all.
 * Return: false: the code is of an architecture that is not decoded, the register is not kept, or it is not seen where.
 */
bool frame_register(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame, s32 reg);

/* The same of the register in which a function is given its first argument. */
bool frame_argument(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame);

/**
 * frame_given() - the first argument that the function gave to what it called
 * @code: of the function of @frame; its @at is at the call in which that is, or where it was interrupted
 * @at: of the call
 *
 * By its code, or by what the function's registers still have.
 */
bool frame_given(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
		 const struct function_code *code, u32 at);

/**
 * frame_value() - what a value of the function was, by its origin
 * @code: of the function of @frame; its @at is at the call in which that is, or where it was interrupted
 * @origin: of a value that the function had before
 *
 * A register still has it, or has what lies beside it.
 */
bool frame_value(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
		 const struct function_code *code, const struct origin *origin);

/* The same; else a register has the pointer by which it was read, and memory has it there now. */
bool frame_value_now(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
		     const struct function_code *code, const struct origin *origin);

#endif
