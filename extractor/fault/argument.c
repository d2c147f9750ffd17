// SPDX-License-Identifier: GPL-2.0-or-later
#include "argument.h"

#include "instruction/built_address.h"
#include "instruction/instruction.h"

bool argument_read(struct argument *argument, const struct function_code *code, u32 end)
{
	struct built_addresses built = { .known = 0 };
	struct instruction instruction;
	s32 first = code->set ? code->set->arguments[0] : 0;
	bool is_copy = false;

	for (u32 at = 0; at < end; at += instruction.len) {
		if (!function_code_decode(code, at, &instruction))
			return false;
		if (instruction.written & 1U << first) {
			is_copy = !instruction.is_call && instruction.effect == INSTRUCTION_COPY && instruction.to == first;
			argument->base = is_copy ? instruction.from : INSTRUCTION_NO_REGISTER;
			argument->offset = instruction.plus;
		}
		built_addresses_step(&built, &instruction, first);
	}
	if (!(built.known & 1U << first))
		return is_copy;
	argument->base = INSTRUCTION_NO_REGISTER;
	argument->offset = (s64)built.of[first];
	return true;
}
