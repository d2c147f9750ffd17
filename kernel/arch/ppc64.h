/* SPDX-License-Identifier: GPL-2.0-only */
/* ppc64, little-endian, as ppc64le is built; arch.h says what each of these is. */
#ifndef EPITAPH_ARCH_PPC64_H
#define EPITAPH_ARCH_PPC64_H

/* @sp: of the next frame; @caller: a return address that no frame has, or 0. */
struct epitaph_chain_walk {
	unsigned long sp;
	unsigned long caller;
	unsigned int switches;
};

#define EPITAPH_ARCH_WALK_STATE		struct epitaph_chain_walk
#define EPITAPH_ARCH_HOOK_FLAGS		FTRACE_OPS_FL_SAVE_REGS
#define EPITAPH_ARCH_HAS_MEMMAP		false
/* The address is in the registers that it gets, and is no argument of its own. */
#define EPITAPH_ARCH_FAULT_FUNCTION	NULL
#define EPITAPH_ARCH_FAULT_ARGUMENT	0
#define EPITAPH_ARCH_STOP_FUNCTION	NULL
#define EPITAPH_ARCH_MISSING		"machine checks, the address of a fault, registers of CPUs that stop without kdump"

#endif /* EPITAPH_ARCH_PPC64_H */
