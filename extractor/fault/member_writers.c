// SPDX-License-Identifier: GPL-2.0-or-later
#include "member_writers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"

#define MOST_BYTES	(1U << 20)	/* of a module's code */

static void look_for_writes(bool *sets, u64 *clears, const struct instruction_set *set, const u8 *bytes, u32 len, u64 ip, s64 offset, u32 size)
{
	struct instruction one;

	for (u32 at = 0; at < len; at += one.len) {
		if (!instruction_decode(&one, set, bytes + at, len - at, ip + at))
			return;
		for (u32 i = 0; i < one.nr_accesses; i++) {
			const struct instruction_access *access = &one.accesses[i];

			if (!access->writes || access->reads || access->size != size || access->is_relative || access->is_absolute || access->base < 0 ||
			    access->base == one.set->stack || access->index >= 0 || access->offset != offset)
				continue;
			if (access->stores == STORED_ZERO)
				*clears = ip + at;
			*sets |= access->stores != STORED_ZERO;
		}
	}
}

bool member_writers_find(struct member_writers *ret, const struct kernel *kernel, u64 within, s64 offset)
{
	return member_writers_find_sized(ret, kernel, within, offset, 8);
}

bool member_writers_find_sized(struct member_writers *ret, const struct kernel *kernel, u64 within, s64 offset, u32 size)
{
	struct function_code *code = malloc(sizeof(*code));
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, within) : NULL;
	struct module_walk walk = { .kernel = kernel, .module = module, .most = MOST_BYTES };

	*ret = (struct member_writers){ 0 };
	while (code && function_code_next(code, &walk)) {
		bool sets = false;
		u64 clears = 0;

		look_for_writes(&sets, &clears, code->set, code->bytes, code->len, code->start, offset, size);
		look_for_writes(&sets, &clears, code->set, code->cold, code->cold_len, code->cold_start, offset, size);
		if (sets && ++ret->nr)
			snprintf(ret->name, sizeof(ret->name), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
		if (!clears)
			continue;
		ret->nr_clearing++;
		ret->cleared_at = clears;
		snprintf(ret->clearing, sizeof(ret->clearing), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
	}
	free(code);
	return module_walk_is_whole(&walk);
}

bool member_writers_came_by(const struct function_code *code, u64 cleared_at, u64 ip)
{
	bool is_over = false, is_back = false, is_known;
	struct instruction one;
	u32 at;

	is_known = code->is_whole && !code->cold_start && cleared_at - code->start < code->len && ip - code->start <= code->len && ip > cleared_at;
	for (at = 0; is_known && at < code->len; at += one.len) {
		u64 here = code->start + at;

		is_known = function_code_decode(code, at, &one) && !(one.jumps && !one.target && one.called == INSTRUCTION_NO_REGISTER);
		if (!is_known || !one.jumps || one.target - code->start >= code->len)
			continue;
		is_known = here >= cleared_at || one.target <= cleared_at || one.target >= ip;
		is_over |= here < cleared_at && one.target >= ip;
		is_back |= here >= ip && one.target < ip;
	}
	return is_known && !(is_over && is_back);
}
