/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between architectures.  No other file of the recorder asks which one it is built for,
 * but <epitaph/arch_clock.h> and arch_cpu.h, which probes have inline.  docs/architectures.md says
 * how to add one.
 *
 * The header of an architecture defines:
 *
 *	EPITAPH_ARCH_WALK_STATE		a type: where a walk over a stack is
 *	EPITAPH_ARCH_HOOK_FLAGS		of ftrace, so that a hook sees registers
 *	EPITAPH_ARCH_HAS_MEMMAP		true if memmap=SIZE!ADDR reserves memory
 *	EPITAPH_ARCH_FAULT_FUNCTION	called for each bad page fault of the kernel, before it oopses; or NULL
 *	EPITAPH_ARCH_FAULT_ARGUMENT	which of its arguments is the address
 *	EPITAPH_ARCH_STOP_FUNCTION	called on a CPU that stops for good; or NULL
 *	EPITAPH_ARCH_SAVED_SP(task)	where the stack of a task ends that does not run; need not be there
 *	EPITAPH_ARCH_RETURN_ADDRESS(word)	as that stack has it, without a signature; there with SAVED_SP
 *	EPITAPH_ARCH_MISSING		what a recorder has elsewhere and not here, with commas; or ""
 */
#ifndef EPITAPH_ARCH_ARCH_H
#define EPITAPH_ARCH_ARCH_H

#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <epitaph/format.h>
#include "compat.h"

#if defined(CONFIG_X86_64)
#include "x86.h"
#elif defined(CONFIG_ARM64)
#include "arm64.h"
#elif defined(CONFIG_S390)
#include "s390x.h"
#elif defined(CONFIG_PPC64)
#include "ppc64.h"
#else
#include "generic.h"
#endif

/* Arguments of a hooked function */

/**
 * epitaph_arch_argument() - an argument of the function that is being entered
 * @regs: at its entry, as hooks and kprobes have them
 * @n: from 0; each is a word, an integer or a pointer.  At least 10 can be asked for: where the
 *	function has fewer, what is returned means nothing
 *
 * Context: any, NMI included.
 * Return: 0 if this architecture does not know.
 */
unsigned long epitaph_arch_argument(const struct pt_regs *regs, unsigned int n);

/*
 * An argument of type va_list, whose word is @word: where it is an array or a large struct, the word
 * is its address, elsewhere the word is the list itself.
 */
static inline va_list *epitaph_arch_va_list(unsigned long *word)
{
	if (sizeof(va_list) == sizeof(*word))
		return (va_list *)word;
	return (va_list *)*word;
}

/**
 * epitaph_arch_hook_regs() - what ftrace's callback got, as registers
 * @fregs: ftrace's
 * @room: may be used for them
 *
 * user_mode() says false of them.  Where ftrace keeps only arguments, the others are 0.
 *
 * Context: any, NMI included.
 * Return: NULL if ftrace kept none.
 */
struct pt_regs *epitaph_arch_hook_regs(struct ftrace_regs *fregs, struct pt_regs *room);

/**
 * epitaph_arch_hook_return() - the function goes on where @regs says
 * @fregs: ftrace's
 * @regs: from epitaph_arch_hook_regs(), with another instruction_pointer()
 *
 * Context: as epitaph_arch_hook_regs().
 */
void epitaph_arch_hook_return(struct ftrace_regs *fregs, const struct pt_regs *regs);

/* A stopped CPU: all in any context, NMI included, on that CPU */

/**
 * epitaph_arch_registers() - registers for the region
 * @to: room for EPITAPH_NR_REGS; docs/format.md has the order of each architecture
 * @regs: the registers
 * @entered: they are epitaph_arch_hook_regs()
 *
 * Return: how many are known.
 */
u32 epitaph_arch_registers(__le64 *to, const struct pt_regs *regs, bool entered);

#define EPITAPH_MAX_FRAMES	4096	/* ends a walk on a stack that leads into itself */

/* Where a walk is; @left: so many frames more. */
struct epitaph_stack_walk {
	EPITAPH_ARCH_WALK_STATE	state;
	unsigned int		left;
};

/**
 * struct epitaph_frame - an address of the stack
 * @addr: of code
 * @is_interrupted: an exception came upon it: %pS names it.  Else it is a return address: %pB
 */
struct epitaph_frame {
	unsigned long	addr;
	bool		is_interrupted;
};

/**
 * epitaph_arch_walk_start() - walk over the stack of this CPU
 * @walk: filled in
 * @regs: where to begin; the first frame is that of the direct caller
 * @entered: they are epitaph_arch_hook_regs()
 */
void epitaph_arch_walk_start(struct epitaph_stack_walk *walk, struct pt_regs *regs, bool entered);

/**
 * epitaph_arch_walk_next() - the next frame
 *
 * A stack may be damaged: what is read is checked, and the walk comes to an end.
 *
 * Return: false if there is none.
 */
bool epitaph_arch_walk_next(struct epitaph_stack_walk *walk, struct epitaph_frame *frame);

/**
 * epitaph_arch_stack_end() - the end of the stack that @sp is on
 * @walk: as epitaph_arch_walk_start() left it; @sp is that of its registers
 *
 * Return: 0: @sp is on no stack that is known, but perhaps on that of the task.
 */
unsigned long epitaph_arch_stack_end(const struct epitaph_stack_walk *walk, unsigned long sp);

/**
 * epitaph_arch_goes_to() - does an instruction begin there that calls or jumps to a number?
 * @code: @size bytes that lie at @addr
 * @at: perhaps the first byte of an instruction
 * @to: where it goes
 *
 * Bytes in the midst of another instruction may look like one.
 */
bool epitaph_arch_goes_to(const u8 *code, size_t size, size_t at, unsigned long addr, unsigned long *to);

/**
 * epitaph_arch_interrupted() - registers of what an interrupt came upon
 * @regs: epitaph_arch_hook_regs() of a function that the interrupt's handler calls
 *
 * Return: @regs if there is no interrupt to be found, or not all registers of what it came upon.
 */
struct pt_regs *epitaph_arch_interrupted(struct pt_regs *regs);

/* The clock */

/**
 * epitaph_arch_counter_is_good() - may epitaph_arch_counter() be the clock?
 *
 * It counts at one pace, on all CPUs the same, whatever they do.  The kernel may find out later that
 * it does not.
 *
 * Context: any.
 */
bool epitaph_arch_counter_is_good(void);

/* Its ticks in a millisecond, while it is good; any context. */
u32 epitaph_arch_counter_khz(void);

/* Memory */

/**
 * epitaph_arch_write_back() - write cache lines to memory, where a reset leaves them
 * @at: the first byte
 * @size: how many
 *
 * A write barrier has to follow.  Nothing is done on a kernel that says it cannot
 * (CONFIG_ARCH_HAS_PMEM_API).
 *
 * Context: any.
 */
void epitaph_arch_write_back(void *at, size_t size);

/**
 * epitaph_arch_drop_line() - write a word's cache line to memory and forget it
 * @word: the next load of it comes from memory, as far as this architecture can say so
 *
 * Context: any.
 */
void epitaph_arch_drop_line(void *word);

/* Does a module lie there, if anything does?  Where that cannot be said: no. */
bool epitaph_arch_is_module(unsigned long addr);

/* This is a guest whose memory is encrypted, and modules' maps of foreign memory may not be. */
bool epitaph_arch_is_confidential(void);

/* Has memmap=SIZE!ADDR of the command line set this range aside?  While the kernel boots. */
bool epitaph_arch_sets_aside(u64 at, u64 bytes);

/* Is this page mapped write-back?  Where that is not known, yes. */
bool epitaph_arch_is_write_back(const void *page);

#endif /* EPITAPH_ARCH_ARCH_H */
