/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An instruction of x86-64 or arm64: what it reads and writes. By libcapstone, which is loaded when
 * it is there: nothing else needs it, and loading takes 2 ms.
 */
#ifndef EPITAPH_INSTRUCTION_INSTRUCTION_H
#define EPITAPH_INSTRUCTION_INSTRUCTION_H

#include "base/types.h"

#define INSTRUCTION_ACCESSES	2
#define INSTRUCTION_REGISTERS	32	/* the most general ones that an architecture has */
#define INSTRUCTION_ARGUMENTS	8
#define INSTRUCTION_NO_REGISTER	(-1)

/**
 * struct instruction_set - an architecture whose code is decoded
 * @machine: EM_X86_64 or EM_AARCH64
 * @nr_registers: general ones, by the CPU's numbers: rax is 0, rdi is 7; x0 is 0, sp is 31
 * @names: of the registers, as the kernel prints them
 * @nr_arguments, @arguments: registers in which a function gets its arguments, the first one first
 * @result: register in which it returns
 * @stack: register that points to the stack
 * @call_changes: a bit for each register that a callee need not keep
 * @kept: a bit for each general one that it keeps, but for the stack pointer
 * @tracer_at: the tracer is called at most so many bytes behind a function's start: function_code_is_tracer()
 */
struct instruction_set {
	u16 machine;
	s32 nr_registers;
	const char *names[INSTRUCTION_REGISTERS];
	s32 nr_arguments;
	s32 arguments[INSTRUCTION_ARGUMENTS];
	s32 result;
	s32 stack;
	u32 call_changes;
	u32 kept;
	u32 tracer_at;
};

extern const struct instruction_set instruction_set_x86_64, instruction_set_arm64;

/* That of an ELF machine. NULL: its code is not decoded. */
const struct instruction_set *instruction_set_of(u16 machine);

/* What a register that is an index counts as. */
enum instruction_index {
	INDEX_WHOLE,
	INDEX_UNSIGNED_HALF,	/* its low 32 bits */
	INDEX_SIGNED_HALF,
};

/* What becomes of @to. */
enum instruction_effect {
	INSTRUCTION_OTHER,	/* see @written */
	INSTRUCTION_COPY,	/* all of register @from, plus @plus */
	INSTRUCTION_LOAD,	/* 8 bytes at @from plus @plus */
	INSTRUCTION_ADDRESS,	/* @plus, the address of a variable */
	INSTRUCTION_PAGE,	/* @plus, the address of the page that a variable is in */
	INSTRUCTION_VARIABLE,	/* 8 bytes at @plus */
	INSTRUCTION_OF_CPU,	/* 8 bytes of this CPU's variable at @plus */
	INSTRUCTION_OF_TASK,	/* the task that runs, which a register of the CPU has */
	INSTRUCTION_NUMBER,	/* @plus */
};

/* What an access writes. */
enum instruction_stored {
	STORED_OTHER,
	STORED_ZERO,
	STORED_REGISTER,	/* the low bytes of @stored, or all */
};

/* When a jump goes to its target. */
enum instruction_condition {
	CONDITION_OTHER,	/* always, or not one of these */
	CONDITION_ZERO,		/* a result was 0 */
	CONDITION_NOT_ZERO,
	CONDITION_CARRY,
	CONDITION_NO_CARRY,
};

/**
 * struct instruction_access - memory that an instruction uses
 * @base, @index: numbers of registers, or INSTRUCTION_NO_REGISTER
 * @scale: of @index
 * @index_as: what of @index
 * @is_relative: to a segment, or by halves of registers: @base and @index do not say where
 * @is_absolute: @offset is the address
 * @size: bytes
 * @stores: what it writes
 * @stored: of STORED_REGISTER
 */
struct instruction_access {
	s32 base;
	s32 index;
	u8 scale;
	u8 size;
	enum instruction_index index_as;
	bool is_relative;
	bool is_absolute;
	bool reads;
	bool writes;
	s64 offset;
	enum instruction_stored stores;
	s32 stored;
};

/**
 * struct instruction - one of them
 * @set: that it is of
 * @written: a bit for each register that it changes
 * @called: the register that has what is called or jumped to; INSTRUCTION_NO_REGISTER: it is no such instruction
 * @target: of a jump or a call; 0: a register or memory says where
 * @jumps: to @target
 * @condition: of @jumps
 * @tested: the register that it is of; INSTRUCTION_NO_REGISTER: that of an earlier instruction
 * @goes_on: the next instruction may follow
 * @is_trap: it may stand for the start of another one (kprobes)
 * @is_bug: that of BUG(), and of WARN(), behind which the kernel goes on
 * @second: of INSTRUCTION_LOAD: the register that gets the 8 bytes behind; or INSTRUCTION_NO_REGISTER
 * @compared: two registers, all of them; or the first with @number if the second is INSTRUCTION_NO_REGISTER.
 *	The first is INSTRUCTION_NO_REGISTER: nothing is compared so
 * @pauses: it tells the CPU that a loop waits
 */
struct instruction {
	const struct instruction_set *set;
	u8 len;
	char text[80];
	struct instruction_access accesses[INSTRUCTION_ACCESSES];
	u32 nr_accesses;
	u32 written;
	bool is_call;
	s32 called;
	bool jumps;
	enum instruction_condition condition;
	s32 tested;
	bool goes_on;
	bool is_trap;
	bool is_bug;
	bool pauses;
	u64 target;
	enum instruction_effect effect;
	s32 to;
	s32 from;
	s64 plus;
	s32 second;
	s32 compared[2];
	s64 number;
};

/* Load what decodes, for this thread. Not in the process that is locked in: it opens a file. */
void instruction_prepare(void);

/* Give it back, in the same thread. */
void instruction_finish(void);

/* Is it loaded? */
bool instruction_can_decode(void);

/*
 * The instruction of @set at the start of @code, which is at address @ip. False: there is no valid one, or
 * @set is NULL.
 */
bool instruction_decode(struct instruction *ret, const struct instruction_set *set, const u8 *code, size_t len, u64 ip);

/* "RDI" or "x0", as the kernel prints it; "": no such register. */
const char *instruction_register(const struct instruction_set *set, s32 number);

/* Which argument does register @number have when a function begins? 0: the first; -1: none. */
s32 instruction_argument(const struct instruction_set *set, s32 number);

#endif
