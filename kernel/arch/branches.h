/* SPDX-License-Identifier: GPL-2.0-only */
/* The last branches that a CPU keeps: by x86_branches.c, arm64_branches.c, or branches_none.c. */
#ifndef EPITAPH_ARCH_BRANCHES_H
#define EPITAPH_ARCH_BRANCHES_H

#include <linux/types.h>
#include <epitaph/format.h>

/**
 * epitaph_arch_branches_find() - what the CPUs of this machine have
 * @kind: enum epitaph_branches_kind, set if they have something
 *
 * Context: any.
 * Return: NULL, or why they have nothing.
 */
const char *epitaph_arch_branches_find(u32 *kind);

/*
 * On this CPU, which it stays on: keep branches; no more.  0, -EBUSY: another one has the registers,
 * or -ENODEV: they do not hold what is written.
 */
int epitaph_arch_branches_on(void);
void epitaph_arch_branches_off(void);

/* Of this CPU, in any context, NMI included. */

/* Keep no more, until epitaph_arch_branches_go_on().  0, or -EBUSY: another one has them by now. */
int epitaph_arch_branches_freeze(void);
void epitaph_arch_branches_go_on(void);

/* While frozen: how many, the newest first; @to has room for EPITAPH_NR_BRANCHES. */
u32 epitaph_arch_branches_read(struct epitaph_branch *to);

/**
 * epitaph_arch_branches_watch() - call @take as soon as a fault of the kernel's is seen
 * @take: in the fault's context, NMI included
 *
 * Context: process, before epitaph_hooks_start().
 */
void epitaph_arch_branches_watch(void (*take)(void));

/* Afterwards @take is called no more.  Watching or not; process, may sleep. */
void epitaph_arch_branches_unwatch(void);

#endif /* EPITAPH_ARCH_BRANCHES_H */
