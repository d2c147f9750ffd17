// SPDX-License-Identifier: GPL-2.0-or-later
#include "percpu.h"

bool percpu_at(struct vmem *vmem, struct kallsyms *kallsyms, u64 va, u32 cpu, u64 *ret)
{
	u64 table, offset;

	if (cpu >= PERCPU_MAX_CPUS || !kallsyms_address(kallsyms, "__per_cpu_offset", &table) ||
	    !vmem_u64(vmem, table + 8ULL * cpu, &offset))
		return false;
	*ret = va + offset;
	return true;
}

bool percpu_symbol(struct vmem *vmem, struct kallsyms *kallsyms, const char *name, u32 cpu,
		   u64 *ret)
{
	u64 va;

	return kallsyms_address(kallsyms, name, &va) && percpu_at(vmem, kallsyms, va, cpu, ret);
}
