/* SPDX-License-Identifier: GPL-2.0-only */
/* arm64; arch.h says what each of these is. */
#ifndef EPITAPH_ARCH_ARM64_H
#define EPITAPH_ARCH_ARM64_H

#include <asm/pointer_auth.h>

/* @fp: address of the next frame record; @caller: a return address that is in none, or 0. */
struct epitaph_record_walk {
	unsigned long fp;
	unsigned long caller;
	unsigned int switches;
};

#define EPITAPH_ARCH_WALK_STATE		struct epitaph_record_walk

/* From 6.3 on, ftrace keeps arguments, frame and link register, stack and place alone. */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
#define EPITAPH_ARCH_HOOK_FLAGS		FTRACE_OPS_FL_SAVE_REGS
#else
#define EPITAPH_ARCH_HOOK_FLAGS		0
#endif
#define EPITAPH_ARCH_HAS_MEMMAP		false
/* (message, address, syndrome, regs) */
#define EPITAPH_ARCH_FAULT_FUNCTION	"die_kernel_fault"
#define EPITAPH_ARCH_FAULT_ARGUMENT	1
#define EPITAPH_ARCH_STOP_FUNCTION	"local_cpu_stop"
#define EPITAPH_ARCH_SAVED_SP(task)	thread_saved_sp(task)
/* A CPU signs them; the signature is where a kernel address has ones. */
#define EPITAPH_ARCH_RETURN_ADDRESS(word)	((word) | ptrauth_kernel_pac_mask())
#define EPITAPH_ARCH_MISSING		"machine checks, but what firmware reports of them"

#endif /* EPITAPH_ARCH_ARM64_H */
