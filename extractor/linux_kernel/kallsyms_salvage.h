/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names in a kernel's table of symbols when pages of them are missing. Names follow each other
 * without a gap, so behind a hole nothing tells which one begins where; but the kernel keeps the
 * place of each 256th name in its markers, which lie behind the names.
 */
#ifndef EPITAPH_LINUX_KERNEL_KALLSYMS_SALVAGE_H
#define EPITAPH_LINUX_KERNEL_KALLSYMS_SALVAGE_H

#include "kallsyms_names.h"

/**
 * kallsyms_names_salvage() - take the names that are not in a hole
 * @names: @names->nr may be 0: the markers say how many there are
 * @va, @end: the names begin there, and what is behind the markers, or further behind
 *
 * Return: 0; -ERR_CORRUPT: the markers are not found; -ERR_IO without memory.
 */
int kallsyms_names_salvage(struct kallsyms_names *names, struct vmem *vmem, u64 va, u64 end,
			   struct err *err);

#endif
