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
#define SEED_UTS	0x2a00	/* what the kernel calls itself */
#define SEED_MORE	0x2c00	/* variables of clocks, as other machines have them, too */
#define SEED_DATA	0x3000	/* variables and structs */
#define SEED_ARRAYS	0x3400	/* of ftrace, from here to the BTF */
#define SEED_EVENTS	0x3410
#define SEED_COMMON	0x3420
#define SEED_SAVED	0x3430
#define SEED_CLOCKS	0x3440
#define SEED_ENTER	0x34a0	/* a function */
#define SEED_FTRACE	0x34b0
#define SEED_BTF	0x4000
#define SEED_SIZE	0x6000
#define SEED_PAGES	0x6000	/* sub-buffers of ftrace */
#define SEED_ALL	0x8000

/* What differs between kernels. */
enum seed_kernel {
	SEED_6_1,	/* a module has its code in one piece, and its build id in a note */
	SEED_6_12,	/* pieces for each purpose, and the build id */
	SEED_6_19,	/* of system calls, also what arguments point to is recorded */
};

/* Fills SEED_ALL bytes; what is behind SEED_SIZE is read for ftrace only. */
void kernel_seed(unsigned char *memory, enum seed_kernel kernel);

/* With another counter than the TSC; all but "kvm-clock" are of other machines. */
void kernel_seed_clock(unsigned char *memory, const char *source);

/* Its symbols do not lead to the table of ftrace's clocks. */
void kernel_seed_functions(unsigned char *memory);

/* The types of @kernel, in up to @room bytes; returns their size. */
size_t types_seed(unsigned char *at, size_t room, enum seed_kernel kernel);

#endif
