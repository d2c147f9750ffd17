/* SPDX-License-Identifier: GPL-2.0-only */
/* An architecture that has no file of its own: what every kernel offers. */
#ifndef EPITAPH_ARCH_GENERIC_H
#define EPITAPH_ARCH_GENERIC_H

#define EPITAPH_ARCH_WALK_STATE		char
#define EPITAPH_ARCH_HOOK_FLAGS		FTRACE_OPS_FL_SAVE_REGS
#define EPITAPH_ARCH_HAS_MEMMAP		false
#define EPITAPH_ARCH_FAULT_FUNCTION	NULL
#define EPITAPH_ARCH_FAULT_ARGUMENT	0
#define EPITAPH_ARCH_STOP_FUNCTION	NULL
#define EPITAPH_ARCH_MISSING		"machine checks, the address of a fault, stacks, most registers"

#endif /* EPITAPH_ARCH_GENERIC_H */
