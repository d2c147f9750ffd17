// SPDX-License-Identifier: GPL-2.0-or-later
#include "kept_kernel.h"

#include <stdlib.h>
#include <string.h>

int kernel_open_kept(struct kernel **ret, const struct vmem_piece *pieces, u32 nr, struct kept_symbols *symbols, u32 machine,
		     struct err *err)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));
	int res;

	if (!kernel || !symbols) {
		free(kernel);
		free(symbols);
		return err_sys(err, "memory for what was kept of the kernel");
	}
	kernel->kept = symbols;
	kernel->machine = machine;
	kernel->cpu = NO_CPU;
	kernel->pid = -1;
	res = vmem_open_pieces(&kernel->vmem, pieces, nr, err);
	if (!res)
		res = kallsyms_open_kept(&kernel->kallsyms, symbols, err);
	if (res) {
		kernel_close(kernel);
		return res;
	}
	*ret = kernel;
	return 0;
}

const struct kept_symbol *kept_symbol_at(const struct kernel *kernel, u64 addr)
{
	for (u32 i = 0; kernel->kept && i < kernel->kept->nr; i++)
		if (addr - kernel->kept->list[i].start < kernel->kept->list[i].size)
			return &kernel->kept->list[i];
	return NULL;
}

const struct kept_symbol *kept_symbol_named(const struct kernel *kernel, const char *name, const char *module)
{
	const struct kept_symbol *found = NULL;

	for (u32 i = 0; kernel->kept && i < kernel->kept->nr; i++) {
		const struct kept_symbol *symbol = &kernel->kept->list[i];

		if (strcmp(symbol->name, name) || strcmp(symbol->module, module) || (found && found->start == symbol->start))
			continue;
		if (found)
			return NULL;
		found = symbol;
	}
	return found;
}
