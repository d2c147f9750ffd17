/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol table that a kernel carries in itself (CONFIG_KALLSYMS), out of
 * its dump.  VMCOREINFO says where it is from 6.0 on, in an older one it is
 * searched for; docs/kernel-memory.md has the encodings.
 *
 * All of it is read at kallsyms_open(), a few MiB; names are found by an index
 * that the first search makes. Where pages of it are missing, the symbols in
 * them are lost, and no others.
 */
#ifndef EPITAPH_LINUX_KERNEL_KALLSYMS_H
#define EPITAPH_LINUX_KERNEL_KALLSYMS_H

#include "vmem.h"

#define KALLSYMS_MAX		(1U << 20)	/* symbols; Debian's kernels have 150 000 to 250 000 */
#define KALLSYMS_NAME_MAX	512		/* of a name with its NUL, as in the kernel */

struct kallsyms;

/**
 * struct ksym - a symbol at an address
 * @start: where it begins
 * @size: bytes up to the next one
 * @name: terminated; not escaped
 */
struct ksym {
	u64 start;
	u64 size;
	char name[KALLSYMS_NAME_MAX];
};

/**
 * struct kallsyms_guide - who else knows where the table lies, where VMCOREINFO does not say so
 * @address: of a symbol of the kernel's; false: unknown
 */
struct kallsyms_guide {
	bool (*address)(void *priv, const char *name, u64 *ret);
	void *priv;
};

/**
 * kallsyms_open() - read the table and find out how it is encoded
 * @ret: for kallsyms_close(); set only on success
 * @vmem: must outlive it
 * @guide: NULL: there is no other source of addresses
 *
 * Return: 0; -ERR_NOT_OURS if the dump does not say where it is, and it is
 *	not found (kallsyms_place.h); -ERR_CORRUPT if it is not there or does not agree with
 *	SYMBOL(_stext): the message says which; -ERR_IO without memory.
 */
int kallsyms_open(struct kallsyms **ret, struct vmem *vmem, const struct kallsyms_guide *guide,
		  struct err *err);

struct kept_symbols;
/* Those of @symbols that are the kernel's own, and no others; see kept_kernel.h, whose they remain. */
int kallsyms_open_kept(struct kallsyms **ret, const struct kept_symbols *symbols, struct err *err);

/* The argument may be NULL. */
void kallsyms_close(struct kallsyms *kallsyms);

u32 kallsyms_nr(const struct kallsyms *kallsyms);

/* "absolute-percpu", "relative" or "place-relative". */
const char *kallsyms_encoding(const struct kallsyms *kallsyms);

/* The address of a symbol; of several with that name, the first.  NULL has none. */
bool kallsyms_address(struct kallsyms *kallsyms, const char *name, u64 *ret);

/* Has one symbol of the table this name, and no other? False as well: it cannot be known. */
bool kallsyms_is_only(struct kallsyms *kallsyms, const char *name);

/* Add a symbol for kallsyms_address(). 32 fit; of one name the first stays. */
void kallsyms_learn(struct kallsyms *kallsyms, const char *name, u64 addr);

/*
 * What of the table is not in the dump, in words; NULL: nothing. A symbol without a name or without
 * an address is none for the functions above and below, but for kallsyms_begins().
 */
const char *kallsyms_lost(const struct kallsyms *kallsyms);

/* Does a symbol begin at @addr?  Its name may be lost. */
bool kallsyms_begins(const struct kallsyms *kallsyms, u64 addr);

/* The symbol that @addr is in, with the name that the kernel would print. */
bool kallsyms_find(const struct kallsyms *kallsyms, u64 addr, struct ksym *ret);

/**
 * kallsyms_symbol() - the symbol of number @i, in the table's order
 * @type: as nm(1) prints it
 * @name: room for KALLSYMS_NAME_MAX bytes
 */
bool kallsyms_symbol(const struct kallsyms *kallsyms, u32 i, u64 *addr, char *type, char *name);

#endif
