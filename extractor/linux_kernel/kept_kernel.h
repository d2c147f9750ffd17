/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel of which some memory was kept when it died, and no dump. What lies elsewhere is "not in the dump"
 * to vmem.h; the kernel's own tables, of symbols, types, modules and tasks, are not there.
 */
#ifndef EPITAPH_LINUX_KERNEL_KEPT_KERNEL_H
#define EPITAPH_LINUX_KERNEL_KEPT_KERNEL_H

#include "linux_kernel.h"

#define KEPT_PIECES_MAX	1024

/**
 * struct kept_symbol - a function, as the kernel named it when it died
 * @name: without its module; @module: ""; the kernel itself
 */
struct kept_symbol {
	u64 start;
	u64 size;
	char name[KALLSYMS_NAME_MAX];
	char module[KMODULE_NAME_MAX];
};

/**
 * struct kept_symbols - by no order
 * @list: nr of them
 */
struct kept_symbols {
	u32 nr;
	struct kept_symbol list[];
};

/**
 * kernel_open_kept() - a kernel out of pieces of its memory
 * @ret: for kernel_close(); set only on success
 * @pieces: nr of them, which are copied; of bytes that several have, the first counts
 * @symbols: the kernel's from now on, also on failure; NULL: no memory
 * @machine: as in an ELF header
 */
int kernel_open_kept(struct kernel **ret, const struct vmem_piece *pieces, u32 nr, struct kept_symbols *symbols, u32 machine,
		     struct err *err);

/* The function that has @addr; NULL: none, or it is not known. @kernel: perhaps one with a dump, which has none */
const struct kept_symbol *kept_symbol_at(const struct kernel *kernel, u64 addr);

/* The one with that name; NULL: none, or several. @module: "": of the kernel itself */
const struct kept_symbol *kept_symbol_named(const struct kernel *kernel, const char *name, const char *module);

#endif
