/* SPDX-License-Identifier: GPL-2.0-only */
/* s390x; arch.h says what each of these is. */
#ifndef EPITAPH_ARCH_S390X_H
#define EPITAPH_ARCH_S390X_H

#include <asm/unwind.h>

#define EPITAPH_ARCH_WALK_STATE		struct unwind_state
#define EPITAPH_ARCH_HOOK_FLAGS		FTRACE_OPS_FL_SAVE_REGS
#define EPITAPH_ARCH_HAS_MEMMAP		false
#define EPITAPH_ARCH_FAULT_FUNCTION	NULL
#define EPITAPH_ARCH_FAULT_ARGUMENT	0
/* A CPU is stopped by an order of another one (SIGP), and calls nothing. */
#define EPITAPH_ARCH_STOP_FUNCTION	NULL
#define EPITAPH_ARCH_MISSING		"machine checks, the address of a fault, registers of CPUs that did not die"

#endif /* EPITAPH_ARCH_S390X_H */
