// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloc_sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/veneer.h"
#include "instruction/built_address.h"
#include "instruction/instruction.h"
#include "kernel_state/slab.h"
#include "kernel_state/tasks.h"
#include "linux_kernel/vmem.h"

#define MOST_BYTES	(4U << 20)	/* of all modules' code */

/* Those whose first argument is the cache: of kmalloc() of a size that the compiler knows, too. */
static bool is_allocation(const struct kernel *kernel, u64 target, bool *has_size)
{
	static const char *const of_size[] = { "kmalloc_trace", "kmalloc_node_trace", "kmem_cache_alloc_trace", "kmem_cache_alloc_node_trace",
					       "__kmalloc_cache", "__kmalloc_cache_node" };
	static const char *const of_cache[] = { "kmem_cache_alloc", "kmem_cache_alloc_node", "kmem_cache_alloc_lru" };
	struct ksym symbol;
	char *end;

	if (!target || !kallsyms_find(kernel->kallsyms, target, &symbol))
		return false;
	end = strstr(symbol.name, "_noprof");
	if (end)
		*end = '\0';
	*has_size = false;
	for (size_t i = 0; i < ARRAY_SIZE(of_cache); i++)
		if (!strcmp(symbol.name, of_cache[i]))
			return true;
	*has_size = true;
	for (size_t i = 0; i < ARRAY_SIZE(of_size); i++)
		if (!strcmp(symbol.name, of_size[i]))
			return true;
	return false;
}

static bool is_cache(const struct kernel *kernel, u64 variable, const char *cache)
{
	char name[KERNEL_CACHE_NAME];
	u64 va, text;

	return variable && vmem_number(kernel->vmem, variable, 8, &va) && va && kernel_state_member(kernel, "kmem_cache", "name", va, &text) &&
	       vmem_string(kernel->vmem, text, name, sizeof(name)) > 0 && !strcmp(name, cache);
}

/* Does the code take such an object? @size: gets what it asks for */
static bool part_takes(const struct kernel *kernel, const struct instruction_set *set, const u8 *bytes, u32 len, u64 ip, const char *cache, u32 *size)
{
	struct built_addresses built = { .known = 0 };
	struct instruction one;
	u64 variable = 0;
	u32 asked = 0;
	bool has_size;

	for (u32 at = 0; at < len; at += one.len) {
		if (!instruction_decode(&one, set, bytes + at, len - at, ip + at))
			return false;
		if ((one.is_call || one.jumps) && is_allocation(kernel, veneer_end(kernel, one.target), &has_size) && is_cache(kernel, variable, cache)) {
			*size = has_size ? asked : 0;
			return true;
		}
		if (one.written & 1U << set->arguments[0] && !built_addresses_load(&variable, &built, &one, set->arguments[0]))
			variable = 0;
		if (one.written & 1U << set->arguments[2])
			asked = one.effect == INSTRUCTION_NUMBER ? (u32)one.plus : 0;
		built_addresses_step(&built, &one, INSTRUCTION_NO_REGISTER);
	}
	return false;
}

/* Return: bytes of code that were read; MOST_BYTES: not all of it was. */
static u32 look_in_module(struct alloc_sites *ret, const struct kernel *kernel, const struct kernel_module *module, struct function_code *code, const char *cache)
{
	struct module_walk walk = { .kernel = kernel, .module = module, .most = MOST_BYTES };

	while (function_code_next(code, &walk)) {
		if (!part_takes(kernel, code->set, code->bytes, code->len, code->start, cache, &ret->size) &&
		    !part_takes(kernel, code->set, code->cold, code->cold_len, code->cold_start, cache, &ret->size))
			continue;
		ret->nr++;
		snprintf(ret->name, sizeof(ret->name), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
	}
	return walk.is_cut ? MOST_BYTES : walk.bytes;
}

bool alloc_sites_find(struct alloc_sites *ret, const struct kernel *kernel, const char *cache)
{
	struct function_code *code = kernel->modules && kernel->kallsyms && instruction_can_decode() ? malloc(sizeof(*code)) : NULL;
	u32 bytes = 0;

	*ret = (struct alloc_sites){ 0 };
	/* The recorder takes a few for each program that has a ring. */
	for (u32 i = 0; code && i < kernel->modules->nr && bytes < MOST_BYTES; i++)
		if (strcmp(kernel->modules->list[i].name, "epitaph"))
			bytes += look_in_module(ret, kernel, &kernel->modules->list[i], code, cache);
	free(code);
	return bytes && bytes < MOST_BYTES;
}
