// SPDX-License-Identifier: GPL-2.0-or-later
#include "array_writers.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"

#define MOST_BYTES	(1U << 20)	/* of a module's code */

/* "mov word ptr [rdi + rax*2 + 8], cx" */
static bool writes_array(const struct instruction *one, u32 size, s64 offset)
{
	for (u32 i = 0; i < one->nr_accesses; i++) {
		const struct instruction_access *access = &one->accesses[i];

		if (access->writes && access->size == size && access->scale == size && access->index >= 0 && access->base >= 0 &&
		    access->base != one->set->stack && !access->is_relative && access->offset == offset)
			return true;
	}
	return false;
}

/* "mov byte ptr [rdi + rbx], 0" */
static bool writes_zero_byte(const struct instruction *one)
{
	const struct instruction_access *access = &one->accesses[0];

	return one->nr_accesses == 1 && access->writes && !access->reads && access->size == 1 && access->index >= 0 && access->base != one->set->stack &&
	       !access->is_relative && access->stores == STORED_ZERO;
}

static bool part_writes(const struct instruction_set *set, const u8 *bytes, u32 len, u64 ip, u32 size, s64 offset)
{
	struct instruction one;

	for (u32 at = 0; at < len; at += one.len)
		if (!instruction_decode(&one, set, bytes + at, len - at, ip + at))
			return false;
		else if (size ? writes_array(&one, size, offset) : writes_zero_byte(&one))
			return true;
	return false;
}

/* @size: 0: of a byte of 0 */
static bool find_writers(struct array_writers *ret, const struct kernel *kernel, const struct kernel_module *module, u32 size, s64 offset)
{
	struct function_code *code = instruction_can_decode() ? malloc(sizeof(*code)) : NULL;
	struct module_walk walk = { .kernel = kernel, .module = module, .most = MOST_BYTES };

	*ret = (struct array_writers){ 0 };
	/* On arm64 an address with an index has no offset: the place of a row is not seen. */
	if (kernel->machine != EM_X86_64) {
		free(code);
		return false;
	}
	while (code && function_code_next(code, &walk)) {
		if (!part_writes(code->set, code->bytes, code->len, code->start, size, offset) && !part_writes(code->set, code->cold, code->cold_len, code->cold_start, size, offset))
			continue;
		ret->nr++;
		snprintf(ret->name, sizeof(ret->name), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
	}
	free(code);
	return module_walk_is_whole(&walk);
}

bool array_writers_find(struct array_writers *ret, const struct kernel *kernel, const struct kernel_module *module, u32 size, s64 offset)
{
	return find_writers(ret, kernel, module, size, offset);
}

bool array_writers_of_zero(struct array_writers *ret, const struct kernel *kernel, const struct kernel_module *module)
{
	return find_writers(ret, kernel, module, 0, 0);
}
