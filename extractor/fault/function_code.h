/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of the function that died: out of the dump, or as far as the kernel printed it in the
 * line "Code:".
 */
#ifndef EPITAPH_FAULT_FUNCTION_CODE_H
#define EPITAPH_FAULT_FUNCTION_CODE_H

#include "instruction/instruction.h"
#include "linux_kernel/linux_kernel.h"
#include "timeline/death.h"

#define FUNCTION_CODE_MAX	16384
#define FUNCTION_CODE_NAME	128

/**
 * struct function_code - the code
 * @set: that it is of
 * @name: of the function, with the compiler's suffixes
 * @module: that has it; "": the kernel itself
 * @start: its address; 0: only the printed bytes are known, and addresses count from the function
 * @size: of the function
 * @at: where it died, from its start on
 * @from: where @bytes begin, from its start on
 * @len: of @bytes
 * @is_whole: @bytes has all of it
 * @kernel: that it was read from; NULL: the log
 * @may_recover: an instruction of it may fault and go on where a table says
 * @cold_start: address of the part that the compiler put apart, which @cold has; 0: none
 */
struct function_code {
	const struct instruction_set *set;
	char name[FUNCTION_CODE_NAME];
	char module[KMODULE_NAME_MAX];
	u64 start;
	u32 size;
	u32 at;
	u32 from;
	u32 len;
	bool is_whole;
	bool may_recover;
	const struct kernel *kernel;
	u8 bytes[FUNCTION_CODE_MAX];
	u64 cold_start;
	u32 cold_len;
	u8 cold[FUNCTION_CODE_MAX];
};

/*
 * The code at the place of @report. @kernel may be NULL. False: neither the dump nor the log has
 * the instruction, or the code of the report's architecture is not decoded.
 */
bool function_code_read(struct function_code *code, const struct kernel *kernel, const struct death *death,
			const struct kernel_report *report);

/* The instruction @at bytes behind the first of @code's bytes, which is the function's own if @from is 0. */
bool function_code_decode(const struct function_code *code, u32 at, struct instruction *ret);

/*
 * Is @call, @at bytes behind the function's start, that of the tracer, which is first and keeps all registers? On arm64
 * x30 is saved in x9 in front of it: arch/arm64/include/asm/ftrace.h, "mov x9, lr; bl ftrace_caller".
 */
bool function_code_is_tracer(const struct function_code *code, u32 at, const struct instruction *call);

/*
 * Does another function begin at @target, to which this one jumps and leaves for good? False: it is the
 * detour of a kprobe, a part of a function that jumps back, or it cannot be known.
 */
bool function_code_leaves_to(const struct function_code *code, u64 target);

/*
 * Was the kernel built with thunks against speculation (CONFIG_RETPOLINE)? Then the compiler makes no tables of
 * jumps, and a jump by a register is a call at a function's end. False: no, or it is not known.
 */
bool function_code_has_no_tables(const struct function_code *code);

/*
 * The code of a function that had called another one: @frame is of a call trace, and @at is where it
 * would have gone on. Out of the dump alone.
 */
bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame);

/*
 * The code of the function that begins at @target, perhaps behind its endbr64 or bti. Out of the dump alone; @at is
 * its start.
 */
bool function_code_read_function(struct function_code *code, const struct kernel *kernel, u64 target);

/**
 * struct module_walk - over the functions of a module
 * @most: bytes of code that are read at most
 * @next, @bytes, @is_cut, @has_skipped: 0 at the beginning; @has_skipped: a function was too large, or is not in the dump
 */
struct module_walk {
	const struct kernel *kernel;
	const struct kernel_module *module;
	u32 most;
	u32 next, bytes;
	bool is_cut, has_skipped;
};

/**
 * function_code_next() - the next function of a module, with its code
 * @code: undefined when it returns false
 *
 * Return: false: that was the last, or a limit was reached: then @walk->is_cut.
 */
bool function_code_next(struct function_code *code, struct module_walk *walk);

/* Was all of its code read, and is there some? */
static inline bool module_walk_is_whole(const struct module_walk *walk)
{
	return walk->bytes && !walk->is_cut;
}

#endif
