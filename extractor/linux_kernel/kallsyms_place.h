/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the table of symbols lies in a kernel whose VMCOREINFO does not say so: one before 6.0.
 *
 * scripts/kallsyms.c of 4.6 to 5.19 writes the parts in one order, each at a multiple of 8: offsets,
 * relative base, number of symbols, names, markers, token table, token index.  Markers say where each
 * 256th name begins, in 8 bytes each before 4.20, then in 4.
 */
#ifndef EPITAPH_LINUX_KERNEL_KALLSYMS_PLACE_H
#define EPITAPH_LINUX_KERNEL_KALLSYMS_PLACE_H

#include "vmem.h"

/* Addresses of the parts; 0: not found. */
struct kallsyms_place {
	u64 offsets;
	u64 relative_base;
	u64 num_syms;
	u64 names;
	u64 token_table;
	u64 token_index;
};

/**
 * kallsyms_place_find() - by the shape of its parts, between _stext and the kernel's data
 *
 * All have to agree: each token ends where the index says that the next one begins, each marker
 * is where a walk along the names comes to, and there are as many of them as symbols want.
 *
 * At most 512 places that look like a part of one are tried, so that a hostile dump ends.
 *
 * Return: false: no such table is there, or not all of it is in the dump.
 */
bool kallsyms_place_find(struct kallsyms_place *place, struct vmem *vmem);

/* The address of a part by its name in the kernel; false: it has none. */
bool kallsyms_place_of(const struct kallsyms_place *place, const char *name, u64 *ret);

#endif
