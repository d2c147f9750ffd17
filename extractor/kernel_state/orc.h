/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ORC of x86-64 (CONFIG_UNWINDER_ORC): for each address of code, where the registers of the caller
 * are. The kernel has a table of sorted addresses and one of entries, and so has each module.
 * Documentation/arch/x86/orc-unwinder.rst.
 */
#ifndef EPITAPH_KERNEL_STATE_ORC_H
#define EPITAPH_KERNEL_STATE_ORC_H

#include "kernel_text.h"

/* As in arch/x86/include/asm/orc_types.h. */
enum orc_reg {
	ORC_REG_UNDEFINED = 0,
	ORC_REG_PREV_SP = 1,
	ORC_REG_DX = 2,
	ORC_REG_DI = 3,
	ORC_REG_BP = 4,
	ORC_REG_SP = 5,
	ORC_REG_R10 = 6,
	ORC_REG_R13 = 7,
	ORC_REG_BP_INDIRECT = 8,
	ORC_REG_SP_INDIRECT = 9,
	ORC_REG_AX = 10,	/* 7.2 has it, and other numbers for all of them */
};

/* What a frame is; the numbers of it changed in 6.4. */
enum orc_type {
	ORC_UNDEFINED,
	ORC_END_OF_STACK,
	ORC_CALL,
	ORC_REGS,		/* a struct pt_regs */
	ORC_REGS_PARTIAL,	/* the end of one: what the CPU itself saved */
};

struct orc_entry {
	s32 sp_offset;
	s32 bp_offset;
	u32 sp_reg;
	u32 bp_reg;
	enum orc_type type;
};

struct orc;

/**
 * orc_open() - find the kernel's tables
 * @ret: for orc_close(); set only on success
 * @text: must outlive it
 *
 * Return: 0; -ERR_NOT_OURS if the kernel has none; -ERR_IO without memory.
 */
int orc_open(struct orc **ret, const struct kernel *kernel, const struct kernel_text *text, struct err *err);

/* @orc may be NULL. */
void orc_close(struct orc *orc);

/* "6.4 and newer" or "before 6.4": which layout the entries have. */
const char *orc_layout(const struct orc *orc);

enum orc_answer { ORC_FOUND, ORC_NONE, ORC_UNREADABLE };

/* The entry for an address of code. ORC_UNREADABLE: vmem_why() says which page is missing. */
enum orc_answer orc_find(struct orc *orc, u64 ip, struct orc_entry *ret);

#endif
