/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables that the dumped kernel has once for each CPU. */
#ifndef EPITAPH_LINUX_KERNEL_PERCPU_H
#define EPITAPH_LINUX_KERNEL_PERCPU_H

#include "kallsyms.h"

#define PERCPU_MAX_CPUS	8192	/* the largest NR_CPUS that can be configured */

/* Where @cpu has its copy of the variable at @va, which may be from kallsyms or out of a pointer. */
bool percpu_at(struct vmem *vmem, struct kallsyms *kallsyms, u64 va, u32 cpu, u64 *ret);

/* The same for a symbol. */
bool percpu_symbol(struct vmem *vmem, struct kallsyms *kallsyms, const char *name, u32 cpu,
		   u64 *ret);

#endif
