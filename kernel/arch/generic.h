/* SPDX-License-Identifier: GPL-2.0-only */
/* An architecture that has no file of its own: what every kernel offers. */
#ifndef EPITAPH_ARCH_GENERIC_H
#define EPITAPH_ARCH_GENERIC_H

#define EPITAPH_ARCH_WALK_STATE		char

/* riscv64: ftrace keeps arguments, return address, stack and place alone. */
#if defined(EPITAPH_HAS_PARTIAL_REGS) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) && \
	!defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define EPITAPH_GENERIC_PARTIAL_REGS
#define EPITAPH_ARCH_HOOK_FLAGS		0
#else
#define EPITAPH_ARCH_HOOK_FLAGS		FTRACE_OPS_FL_SAVE_REGS
#endif
#define EPITAPH_ARCH_HAS_MEMMAP		false
#define EPITAPH_ARCH_FAULT_FUNCTION	NULL
#define EPITAPH_ARCH_FAULT_ARGUMENT	0
#define EPITAPH_ARCH_STOP_FUNCTION	NULL
#define EPITAPH_ARCH_MISSING		"machine checks, the address of a fault, stacks, most registers"

#endif /* EPITAPH_ARCH_GENERIC_H */
