// SPDX-License-Identifier: GPL-2.0-or-later
#include "exception_table.h"

#include "kernel_state/tasks.h"

#define ENTRY_MAX	(1U << 17)	/* entries; a kernel has some thousand */
#define ENTRIES		128		/* that are read at once */

/* As in the kernel: each number counts from its own place. */
struct exception_entry {
	s32 instruction;
	s32 fixup;
	s32 type;
};

static bool find_entries(const struct kernel *kernel, const struct kernel_module *module, u64 *table, u64 *nr)
{
	u64 end;

	if (module)
		return kernel_state_member(kernel, "module", "extable", module->va, table) &&
		       kernel_state_member(kernel, "module", "num_exentries", module->va, nr);
	if (!kallsyms_address(kernel->kallsyms, "__stop___ex_table", &end) || end < *table)
		return false;
	*nr = (end - *table) / sizeof(struct exception_entry);
	return true;
}

bool exception_table_has(const struct kernel *kernel, u64 start, u64 size)
{
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, start) : NULL;
	struct exception_entry entries[ENTRIES];
	u64 table, nr;

	if (!module && (!kernel->kallsyms || !kallsyms_address(kernel->kallsyms, "__start___ex_table", &table)))
		return false;
	if (!find_entries(kernel, module, &table, &nr) || nr > ENTRY_MAX)
		return true;
	for (u64 i = 0; i < nr; i++) {
		u64 at = table + i * sizeof(*entries), left = nr - i;

		if (i % ENTRIES == 0 &&
		    !vmem_get(kernel->vmem, at, entries, (left < ENTRIES ? left : ENTRIES) * sizeof(*entries)))
			return true;
		if (at + (s64)entries[i % ENTRIES].instruction - start < size)
			return true;
	}
	return false;
}
