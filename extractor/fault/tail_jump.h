/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call at a function's end is a jump, and leaves no frame: which function it was that jumped by a
 * pointer, below the one that the call trace has.
 */
#ifndef EPITAPH_FAULT_TAIL_JUMP_H
#define EPITAPH_FAULT_TAIL_JUMP_H

#include "fault_text.h"
#include "function_code.h"
#include "instruction/instruction.h"

/* The register by which @instruction calls or jumps, also through a thunk; INSTRUCTION_NO_REGISTER: by none. */
s32 tail_jump_register(const struct kernel *kernel, const struct instruction *instruction);

/**
 * struct tail_jump - the jump that died
 * @jump: the instruction, with @called; where several of the function may have been it, the first
 * @is_alone: no other jump of the function may have been it
 * @is_sure: nor one of another function
 */
struct tail_jump {
	struct instruction jump;
	bool is_alone;
	bool is_sure;
};

/**
 * tail_jump_find() - follow a call to the jump that died
 * @code: becomes that of the function that jumped; its @at is at the jump
 * @target: what was called
 * @fault: its address is where the CPU jumped to, and the jump's register has it
 *
 * Return: false: no function is found, or two are.
 */
bool tail_jump_find(struct tail_jump *tail, struct function_code *code, u64 target, const struct kernel *kernel,
		    const struct fault_text *fault);

/* The call that ends where @code would have gone on, which is its @at: sets that to the call. False: there is none. */
bool tail_jump_call_before(struct instruction *call, struct function_code *code);

/**
 * tail_jump_between() - the function that was called by its name, and is in no frame as it came to its end by a jump
 * @code: becomes the code of that function
 * @frame: of its caller in a call trace
 * @inner: the frame, or the place, of what that jump led to, if only through jumps of other functions
 *
 * Return: false: @frame called @inner itself, or by a pointer; or no such way is found.
 */
bool tail_jump_between(struct function_code *code, const struct kernel *kernel, struct report_text frame,
		       struct report_text inner);

/**
 * tail_jump_by_table() - the same of a function that was called by a pointer
 *
 * The call takes its pointer from a place behind the start of a table of functions. Found is the function that a variable of a module
 * has at that place, and that comes to @inner by its last jump, if there is but one, and a variable of the kernel has none.
 */
bool tail_jump_by_table(struct function_code *code, const struct kernel *kernel, struct report_text frame, struct report_text inner);

#endif
