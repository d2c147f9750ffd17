// SPDX-License-Identifier: GPL-2.0-or-later
#include "argument.h"

#include <stdlib.h>
#include <string.h>

#include "instruction.h"

#define DI	7	/* the first argument */

/* "mov rdi, 0xffffffffc0401000": an address of the kernel in 32 bits, whose sign goes on. */
static bool read_constant(s64 *ret, const struct instruction *instruction)
{
	static const char word[] = "mov rdi, ";
	char *end;

	if (strncmp(instruction->text, word, strlen(word)))
		return false;
	*ret = (s64)strtoll(instruction->text + strlen(word), &end, 0);
	/* What is printed without its sign. */
	if ((u64)*ret == 0x7fffffffffffffffULL)
		*ret = (s64)strtoull(instruction->text + strlen(word), &end, 0);
	return end != instruction->text + strlen(word) && !*end;
}

bool argument_read(struct argument *argument, const struct function_code *code, u32 end)
{
	struct instruction instruction;
	bool is_known = false;

	for (u32 at = 0; at < end; at += instruction.len) {
		if (!instruction_decode(&instruction, code->bytes + at, code->len - at, code->start + at))
			return false;
		if (!(instruction.written & 1U << DI) && !instruction.is_call)
			continue;
		argument->base = instruction.effect == INSTRUCTION_COPY ? instruction.from : INSTRUCTION_NO_REGISTER;
		argument->offset = instruction.plus;
		is_known = !instruction.is_call && instruction.effect != INSTRUCTION_OTHER && instruction.to == DI &&
			   (instruction.effect == INSTRUCTION_ADDRESS || instruction.effect == INSTRUCTION_COPY);
		is_known |= read_constant(&argument->offset, &instruction);
	}
	return is_known;
}
