/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of x86-64: those of a CPU when it was stopped, and those that an exception saved. */
#ifndef EPITAPH_KERNEL_STATE_CPU_REGS_H
#define EPITAPH_KERNEL_STATE_CPU_REGS_H

#include "tasks.h"

/* In the order of struct pt_regs, and of the kernel's crash notes. */
enum kernel_reg {
	KREG_R15, KREG_R14, KREG_R13, KREG_R12, KREG_BP, KREG_BX, KREG_R11, KREG_R10, KREG_R9,
	KREG_R8, KREG_AX, KREG_CX, KREG_DX, KREG_SI, KREG_DI, KREG_ORIG_AX, KREG_IP, KREG_CS,
	KREG_FLAGS, KREG_SP, KREG_SS,
	KERNEL_NR_REGS,
};

/**
 * struct kernel_regs - registers
 * @first: those of a lower number are not known
 */
struct kernel_regs {
	u32 first;
	u64 r[KERNEL_NR_REGS];
};

/* Were they those of user space? */
static inline bool kernel_regs_user(const struct kernel_regs *regs)
{
	return regs->r[KREG_CS] & 3;
}

/**
 * kernel_note_regs() - the registers that a CPU had when the dying kernel stopped it, of any machine
 * @regs: the first @nr, in the order of the machine's elf_gregset_t
 *
 * They are in that kernel's crash notes, or, where a dying kernel wrote none, in the notes of the
 * program that dumped the machine.
 *
 * Return: false: the dump does not have that many.
 */
bool kernel_note_regs(const struct kernel *kernel, u32 cpu, u64 *regs, u32 nr);

/**
 * kernel_cpu_regs() - the registers that a CPU had when the dying kernel stopped it
 *
 * On the CPU that died they are those of the fault, or of panic() where there was none.
 *
 * Return: false: the dump does not have them, or is not of x86-64.
 */
bool kernel_cpu_regs(const struct kernel *kernel, u32 cpu, struct kernel_regs *ret);

/* A struct pt_regs in memory, from register @first on; false too if it is not of x86-64. */
bool kernel_saved_regs(const struct kernel *kernel, u64 va, u32 first, struct kernel_regs *ret);

#endif
