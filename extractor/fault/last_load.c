// SPDX-License-Identifier: GPL-2.0-or-later
#include "last_load.h"

#include "instruction/instruction.h"

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
