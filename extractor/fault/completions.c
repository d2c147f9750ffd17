// SPDX-License-Identifier: GPL-2.0-or-later
#include "completions.h"

#include <stdlib.h>

#include "argument.h"
#include "calls.h"
#include "instruction/instruction.h"
#include "origins.h"

static const char *const completing[] = { "complete", "complete_all", NULL };

bool completions_names(const struct function_code *code)
{
	return calls_one_of(code, completing);
}

/*
 * Where is what the function completes, at the call or jump @code is at? The code has its address, or adds to that of the timer or work
 * item which it was given, @object: @is_given. False: not known.
 */
static bool completion_at(u64 *ret, bool *is_given, const struct function_code *code, u64 object)
{
	struct argument argument;
	struct origins origins;
	struct err err = ERR_INIT;
	s32 first = code->set->arguments[0];
	const struct origin *of = &origins.of[first];

	*is_given = false;
	if (argument_read(&argument, code, code->at) && argument.base == INSTRUCTION_NO_REGISTER) {
		*ret = (u64)argument.offset;
		return true;
	}
	*is_given = true;
	if (origins_find(&origins, code, &err) || !origins.are_certain || of->reg != first || of->nr_loads)
		return false;
	*ret = object + (u64)(s64)of->plus;
	return true;
}

static bool read_completions(struct completions *ret, struct function_code *code, u64 object, u64 lock)
{
	struct instruction one;
	bool is_given;
	u64 place;

	for (u32 at = 0; at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		if ((!one.is_call && !one.jumps) || !calls_name(code, one.target, completing))
			continue;
		ret->nr++;
		code->at = at;
		if (!completion_at(&place, &is_given, code, object))
			ret->nr_unknown++;
		else if (place == lock)
			ret->nr_it++;
		ret->nr_given += is_given;
	}
	return true;
}

bool completions_read(struct completions *ret, const struct kernel *kernel, u64 start, u64 object, u64 lock)
{
	struct function_code *code = malloc(sizeof(*code));
	bool is;

	*ret = (struct completions){ 0 };
	is = code && function_code_read_function(code, kernel, start) && code->start == start && read_completions(ret, code, object, lock);
	free(code);
	return is;
}
