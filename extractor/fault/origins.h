/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the values of registers came from: what a register had when the function began, and what
 * was read from there. All ways through the function are looked at; where two give a register
 * different values, its origin is not known.
 */
#ifndef EPITAPH_FAULT_ORIGINS_H
#define EPITAPH_FAULT_ORIGINS_H

#include "function_code.h"
#include "instruction/instruction.h"

#define ORIGIN_LOADS	4
#define ORIGIN_SEVERAL	(-1)
#define ORIGIN_ADDRESS	INSTRUCTION_REGISTERS	/* no register, but a number in the code */
#define ORIGIN_CURRENT	(INSTRUCTION_REGISTERS + 1)	/* the task that runs: current */
#define ORIGIN_RESULT	(INSTRUCTION_REGISTERS + 2)	/* what a function returned */

/**
 * struct origin - of one register
 * @reg: the value begins with what this register had when the function began;
 *	INSTRUCTION_NO_REGISTER: not known; ORIGIN_ADDRESS: it begins with @address, that of a variable;
 *	ORIGIN_CURRENT: with the address of the task that runs; ORIGIN_RESULT: with what the function at @address returned
 * @loads: nr_loads times, a pointer was read so many bytes behind the value
 * @read_at: which instruction read each of @loads: its offset, with FUNCTION_CODE_MAX added in the
 *	part that lies apart; ORIGIN_SEVERAL: it depends on the way
 * @plus: added to the last one
 * @called_at: of ORIGIN_RESULT, which instruction called it, as of @read_at
 * @is_before_call: behind the last of @loads another function may have run
 */
struct origin {
	s32 reg;
	u64 address;
	u8 nr_loads;
	s32 loads[ORIGIN_LOADS];
	s32 read_at[ORIGIN_LOADS];
	s32 plus;
	s32 called_at;
	bool is_before_call;
};

/**
 * struct origins - of all registers, just before an instruction
 * @set: whose registers they are
 * @are_certain: the code was all there, and its jumps are all known
 */
struct origins {
	struct origin of[INSTRUCTION_REGISTERS];
	const struct instruction_set *set;
	bool are_certain;
};

/* At the place where @code died. None is known where its start is not there. -ERR_IO: no memory. */
int origins_find(struct origins *origins, const struct function_code *code, struct err *err);

/*
 * Are the first @nr loads of both the same? Memory changes: what two instructions read at one place
 * may differ.
 */
bool origin_same_loads(const struct origin *a, const struct origin *b, u32 nr);

#endif
