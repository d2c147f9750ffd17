/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a kernel of a few pages has what VMCOREINFO tells; the fuzz target
 * says so, the seed is so.  Physical memory begins with the page tables: one page that is
 * all of them, with a large page that maps memory from its start on.
 */
#ifndef KERNEL_SEED_H
#define KERNEL_SEED_H

#include <stddef.h>

#define SEED_VA		0xffffffff81000000ULL	/* of the first byte of memory */
#define SEED_MODULE	(SEED_VA + 0x200000)	/* of a module's code: the same memory once more */
#define SEED_NR_SYMS	0x1000
#define SEED_BASE	0x1008
#define SEED_PRB	0x1010
#define SEED_TOKENS	0x1100
#define SEED_INDEX	0x1600
#define SEED_OFFSETS	0x1800
#define SEED_NAMES	0x1a00
#define SEED_RING	0x2000
#define SEED_DESCS	0x2080
#define SEED_INFOS	0x2200
#define SEED_TEXT	0x2800
#define SEED_DATA	0x3000	/* variables and structs */
#define SEED_BTF	0x4000
#define SEED_SIZE	0x6000

/* Fills SEED_SIZE bytes. */
void kernel_seed(unsigned char *memory);

#endif
