/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of x86 that keep the last branches: three layouts.  docs/last-branches.md says who owns them.
 * Builds in user space as well, where a test has the registers.
 */
#ifndef EPITAPH_ARCH_X86_LBR_H
#define EPITAPH_ARCH_X86_LBR_H

#include <epitaph/format.h>
#include <epitaph/plat.h>

/**
 * struct epitaph_lbr - what a CPU has
 * @kind: enum epitaph_branches_kind; 0: nothing
 * @depth: branches that it keeps, at most EPITAPH_NR_BRANCHES
 * @format: of EPITAPH_BRANCHES_INTEL, of IA32_PERF_CAPABILITIES
 * @virt_bits: of an address; the others repeat the last of them
 * @switch_msr: where it is on
 * @switch_bit: of it
 * @choice_msr: where it is said which branches
 * @chosen: what is there while they are ours and on
 */
struct epitaph_lbr {
	u32	kind;
	u32	depth;
	u32	format;
	u32	virt_bits;
	u32	switch_msr;
	u64	switch_bit;
	u32	choice_msr;
	u64	chosen;
};

/* Of the CPU that this runs on; any context, NMI included.  Return: 0, or it faulted. */
int epitaph_msr_read(u32 msr, u64 *value);
int epitaph_msr_write(u32 msr, u64 value);
/* @regs: eax to edx */
void epitaph_lbr_cpuid(u32 leaf, u32 subleaf, u32 regs[4]);

/**
 * epitaph_lbr_find() - what CPUID says that the CPUs have
 * @lbr: filled in
 *
 * Return: NULL, or why there is nothing.
 */
const char *epitaph_lbr_find(struct epitaph_lbr *lbr);

/**
 * epitaph_lbr_on() - keep branches of the kernel, on this CPU
 * @lbr: from epitaph_lbr_find()
 * @before: for epitaph_lbr_off(); filled in
 *
 * What it kept before is gone.
 *
 * Return: 0; -EBUSY: they are on already, another one's; -ENODEV: what is written to them cannot be
 *	read back.  But for 0, they are as they were.
 */
int epitaph_lbr_on(const struct epitaph_lbr *lbr, u64 *before);

/* Undoes epitaph_lbr_on(), where they are still ours. */
void epitaph_lbr_off(const struct epitaph_lbr *lbr, u64 before);

/*
 * Keep no more, so that they can be read. @read and @write are as epitaph_msr_read() and _write(), and in
 * place: each call and each return takes the place of a branch.
 *
 * Return: 0, or -EBUSY: another one has them by now.
 */
#define EPITAPH_LBR_FREEZE(lbr, read, write)				\
	({								\
		u64 __now, __chosen;					\
									\
		read((lbr)->switch_msr, &__now) || !(__now & (lbr)->switch_bit) || \
		read((lbr)->choice_msr, &__chosen) || __chosen != (lbr)->chosen || \
		write((lbr)->switch_msr, __now & ~(lbr)->switch_bit) ? -EBUSY : 0; \
	})

/* Go on behind EPITAPH_LBR_FREEZE(). */
void epitaph_lbr_go_on(const struct epitaph_lbr *lbr);

/**
 * epitaph_lbr_read() - what was kept, the newest first
 * @lbr: frozen
 * @to: room for EPITAPH_NR_BRANCHES
 *
 * Return: how many; what was never written is none.
 */
u32 epitaph_lbr_read(const struct epitaph_lbr *lbr, struct epitaph_branch *to);

#endif /* EPITAPH_ARCH_X86_LBR_H */
