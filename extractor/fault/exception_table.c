// SPDX-License-Identifier: GPL-2.0-or-later
#include "exception_table.h"

#include <elf.h>
#include <endian.h>

#include "kernel_state/tasks.h"
#include "linux_kernel/kept_kernel.h"

#define ENTRY_MAX	(1U << 17)	/* entries; a kernel has some thousand */
#define ENTRIES		128		/* that are read at once */
#define MOST_WORDS	3		/* of an entry */

/*
 * Words of an entry, each a number that counts from its own place: the instruction, where it goes on, and what to do;
 * the last one only since 5.17 on arm64 (d6e2cc564775, "arm64: extable: add `type` and `data` fields").
 */
static u32 words_of_entry(const struct kernel *kernel)
{
	struct btf_member_place type;

	return kernel->machine == EM_AARCH64 && kernel->ktypes && !kernel_btf_member(kernel->ktypes, "exception_table_entry", "type", &type) ?
	       2 : MOST_WORDS;
}

static bool find_entries(const struct kernel *kernel, const struct kernel_module *module, u64 *table, u64 *nr)
{
	u64 end;

	if (module)
		return kernel_state_member(kernel, "module", "extable", module->va, table) &&
		       kernel_state_member(kernel, "module", "num_exentries", module->va, nr);
	if (!kallsyms_address(kernel->kallsyms, "__stop___ex_table", &end) || end < *table)
		return false;
	*nr = (end - *table) / (4 * words_of_entry(kernel));
	return true;
}

bool exception_table_has(const struct kernel *kernel, u64 start, u64 size)
{
	const struct kernel_module *module = kernel->modules ? kernel_modules_at(kernel->modules, start) : NULL;
	u32 entries[ENTRIES * MOST_WORDS], words = words_of_entry(kernel);
	const struct kept_symbol *kept = kept_symbol_at(kernel, start);
	u64 table, nr;

	/* No table was kept, and a module seldom has an entry. */
	if (kept)
		return !*kept->module;
	if (!module && (!kernel->kallsyms || !kallsyms_address(kernel->kallsyms, "__start___ex_table", &table)))
		return false;
	if (!find_entries(kernel, module, &table, &nr) || nr > ENTRY_MAX)
		return true;
	for (u64 i = 0; i < nr; i++) {
		u64 at = table + 4 * words * i, left = nr - i;

		if (i % ENTRIES == 0 &&
		    !vmem_get(kernel->vmem, at, entries, (left < ENTRIES ? left : ENTRIES) * 4 * words))
			return true;
		if (at + (u64)(s64)(s32)le32toh(entries[i % ENTRIES * words]) - start < size)
			return true;
	}
	return false;
}
