// SPDX-License-Identifier: GPL-2.0-or-later
#include "calls.h"

#include <string.h>

#include "instruction/instruction.h"

const char *calls_name(const struct function_code *code, u64 target, const char *const *names)
{
	struct ksym symbol;

	if (!target || target - code->start < code->size || !kallsyms_find(code->kernel->kallsyms, target, &symbol))
		return NULL;
	for (; *names; names++)
		if (!strcmp(symbol.name, *names))
			return *names;
	return NULL;
}

const char *calls_one_of(const struct function_code *code, const char *const *names)
{
	struct instruction instruction;
	const char *name;

	if (!code->kernel || !code->kernel->kallsyms || !instruction_can_decode())
		return NULL;
	for (u32 at = 0; at < code->len; at += instruction.len) {
		if (!function_code_decode(code, at, &instruction))
			return NULL;
		name = instruction.is_call || instruction.jumps ? calls_name(code, instruction.target, names) : NULL;
		if (name)
			return name;
	}
	return NULL;
}
