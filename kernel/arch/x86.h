/* SPDX-License-Identifier: GPL-2.0-only */
/* x86-64; arch.h says what each of these is. */
#ifndef EPITAPH_ARCH_X86_H
#define EPITAPH_ARCH_X86_H

#include <asm/unwind.h>

#define EPITAPH_ARCH_WALK_STATE		struct unwind_state
#define EPITAPH_ARCH_HOOK_FLAGS		FTRACE_OPS_FL_SAVE_REGS
#define EPITAPH_ARCH_HAS_MEMMAP		true
/* (regs, error, address) */
#define EPITAPH_ARCH_FAULT_FUNCTION	(EPITAPH_HAS_PAGE_FAULT_OOPS ? "page_fault_oops" : NULL)
#define EPITAPH_ARCH_FAULT_ARGUMENT	2
#define EPITAPH_ARCH_STOP_FUNCTION	"stop_this_cpu"
#define EPITAPH_ARCH_SAVED_SP(task)	(task)->thread.sp
#define EPITAPH_ARCH_RETURN_ADDRESS(word)	(word)
#define EPITAPH_ARCH_MISSING		""

#endif /* EPITAPH_ARCH_X86_H */
