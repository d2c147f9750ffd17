// SPDX-License-Identifier: GPL-2.0-or-later
#include "last_load.h"

bool last_load_find(const struct function_code *code, s32 reg, s32 *from, s64 *offset)
{
	struct instruction instruction;
	bool is_known = false;
	u32 at;

	if (code->from || reg < 0 || !instruction_can_decode())
		return false;
	for (at = 0; at < code->at; at += instruction.len) {
		if (at >= code->len || !function_code_decode(code, at, &instruction))
			return false;
		/* What traces a function is called first, and keeps all registers. */
		if (function_code_is_tracer(code, at, &instruction))
			continue;
		if (instruction.written & 1U << reg) {
			is_known = instruction.effect == INSTRUCTION_LOAD && instruction.to == reg && !(instruction.written & 1U << instruction.from);
			*from = instruction.from;
			*offset = instruction.plus;
		} else if (is_known && (instruction.is_call || instruction.written & 1U << *from)) {
			is_known = false;
		}
	}
	return is_known && at == code->at;
}

/* A read of 8 bytes into one register, out of a table of such. */
static bool is_of_table(const struct instruction *instruction, s32 reg)
{
	const struct instruction_access *access = &instruction->accesses[0];

	return instruction->written == 1U << reg && instruction->nr_accesses == 1 && access->reads && !access->writes && access->size == 8 &&
	       access->scale == 8 && access->index >= 0 && access->base != reg && access->index_as == INDEX_WHOLE &&
	       !access->is_relative;
}

bool last_load_of_table(struct instruction_access *ret, const struct function_code *code, s32 reg)
{
	struct instruction instruction;
	bool is_known = false;
	u32 at, needs = 0;

	if (code->from || reg < 0 || !instruction_can_decode())
		return false;
	for (at = 0; at < code->at; at += instruction.len) {
		if (at >= code->len || !function_code_decode(code, at, &instruction))
			return false;
		/* What traces a function is called first, and keeps all registers. */
		if (function_code_is_tracer(code, at, &instruction))
			continue;
		if (instruction.written & 1U << reg) {
			is_known = is_of_table(&instruction, reg);
			*ret = instruction.accesses[0];
			needs = is_known ? (ret->index != reg ? 1U << ret->index : 0) | (ret->base >= 0 ? 1U << ret->base : 0) : 0;
		} else if (instruction.is_call || instruction.written & needs) {
			is_known = false;
		}
	}
	return is_known && at == code->at;
}
