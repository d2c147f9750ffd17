/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbol table of a file with debuginfo. */
#ifndef EPITAPH_DEBUGINFO_DEBUGINFO_SYMTAB_H
#define EPITAPH_DEBUGINFO_DEBUGINFO_SYMTAB_H

#include <elfutils/libdwfl.h>

#include "base/hash_index.h"

#define DEBUG_SYMBOLS_MAX	(1U << 21)

struct debug_symbol {
	u64 addr;
	const char *name;	/* the ELF's */
};

/* @list: by address; all zero is empty */
struct debug_symbols {
	struct debug_symbol *list;
	u32 nr;
	struct hash_index index;
};

/* Return: 0; -ERR_CORRUPT if there are none; -ERR_IO without memory. */
int debug_symbols_of_kernel(struct debug_symbols *symbols, Elf *elf, struct err *err);
int debug_symbols_of_module(struct debug_symbols *symbols, Dwfl_Module *module, struct err *err);

void debug_symbols_free(struct debug_symbols *symbols);

/* As debug_file_symbol(). */
bool debug_symbols_find(const struct debug_symbols *symbols, const char *name, size_t len,
			u64 size, u64 *ret);

#endif
