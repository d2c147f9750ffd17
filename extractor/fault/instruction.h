/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An instruction of x86-64: what it reads and writes. By libcapstone, which is loaded when it is
 * there: nothing else needs it, and loading takes 2 ms.
 */
#ifndef EPITAPH_FAULT_INSTRUCTION_H
#define EPITAPH_FAULT_INSTRUCTION_H

#include "base/types.h"

#define INSTRUCTION_ACCESSES	2
#define INSTRUCTION_REGISTERS	16	/* general ones, by the CPU's numbers: rax is 0, rdi is 7 */
#define INSTRUCTION_NO_REGISTER	(-1)

/* What becomes of @to. */
enum instruction_effect {
	INSTRUCTION_OTHER,	/* see @written */
	INSTRUCTION_COPY,	/* all of register @from, plus @plus */
	INSTRUCTION_LOAD,	/* 8 bytes at @from plus @plus */
	INSTRUCTION_ADDRESS,	/* @plus, the address of a variable */
	INSTRUCTION_VARIABLE,	/* 8 bytes at @plus */
	INSTRUCTION_OF_CPU,	/* 8 bytes of this CPU's variable at @plus */
};

/**
 * struct instruction_access - memory that an instruction uses
 * @base, @index: numbers of registers, or INSTRUCTION_NO_REGISTER
 * @scale: of @index
 * @is_relative: to a segment, or by halves of registers: @base and @index do not say where
 * @is_absolute: @offset is the address
 * @size: bytes
 */
struct instruction_access {
	s32 base;
	s32 index;
	u8 scale;
	u8 size;
	bool is_relative;
	bool is_absolute;
	bool reads;
	bool writes;
	s64 offset;
};

/**
 * struct instruction - one of them
 * @written: a bit for each register that it changes
 * @called: the register that has what is called or jumped to; INSTRUCTION_NO_REGISTER: it is no such instruction
 * @target: of a jump or a call; 0: a register or memory says where
 * @jumps: to @target
 * @goes_on: the next instruction may follow
 * @is_trap: int3, which may stand for the start of another one (kprobes)
 */
struct instruction {
	u8 len;
	char text[80];
	struct instruction_access accesses[INSTRUCTION_ACCESSES];
	u32 nr_accesses;
	u32 written;
	bool is_call;
	s32 called;
	bool jumps;
	bool goes_on;
	bool is_trap;
	u64 target;
	enum instruction_effect effect;
	s32 to;
	s32 from;
	s64 plus;
};

/* Load what decodes, for this thread. Not in the process that is locked in: it opens a file. */
void instruction_prepare(void);

/* Give it back, in the same thread. */
void instruction_finish(void);

/* Is it loaded? */
bool instruction_can_decode(void);

/* The instruction at the start of @code, which is at address @ip. False: there is no valid one. */
bool instruction_decode(struct instruction *ret, const u8 *code, size_t len, u64 ip);

/* "RDI", as the kernel prints it. */
const char *instruction_register(s32 number);

#endif
