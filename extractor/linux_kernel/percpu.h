/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables that the dumped kernel has once for each CPU. */
#ifndef EPITAPH_LINUX_KERNEL_PERCPU_H
#define EPITAPH_LINUX_KERNEL_PERCPU_H

#include "kallsyms.h"

#define PERCPU_MAX_CPUS	8192	/* the largest NR_CPUS that can be configured */

/* The address of @cpu's copy of the variable at @va, which is a symbol's or a pointer's value. */
bool percpu_at(struct vmem *vmem, struct kallsyms *kallsyms, u64 va, u32 cpu, u64 *ret);

/* The address of @cpu's copy of the variable @name. */
bool percpu_symbol(struct vmem *vmem, struct kallsyms *kallsyms, const char *name, u32 cpu,
		   u64 *ret);

#endif
