/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack of a task: from its registers along the kernel's unwind tables, as the kernel itself
 * does it. docs/stacks.md says what a frame's word is worth.
 */
#ifndef EPITAPH_KERNEL_STATE_UNWIND_H
#define EPITAPH_KERNEL_STATE_UNWIND_H

#include "cpu_regs.h"

#define KERNEL_STACK_FRAMES	256

/* Which stack a frame is on. */
enum kernel_stack_kind {
	KSTACK_TASK,
	KSTACK_IRQ,		/* hard and soft interrupts */
	KSTACK_NMI,
	KSTACK_EXCEPTION,	/* double fault, debug, machine check and others */
	KSTACK_ENTRY,		/* on the way in from user space */
};

/**
 * struct kernel_frame - a function that was running
 * @ip: where in it; a return address unless @is_exact
 * @sp: its stack pointer there
 * @top: behind its part of the stack; 0: unknown
 * @regs: of the struct pt_regs that has its registers, for an interrupt or exception came here;
 *	0: it called the frame before it
 * @is_exact: @ip is the instruction itself: of a saved register, not of a call
 * @is_guess: an address on the stack, and no more is known
 */
struct kernel_frame {
	u64 ip;
	u64 sp;
	u64 top;
	u64 regs;
	enum kernel_stack_kind stack;
	bool is_exact;
	bool is_guess;
};

enum kernel_stack_end {
	KSTACK_END_USER,	/* it came from user space */
	KSTACK_END_THREAD,	/* nothing called it: where a thread of the kernel or a CPU begins */
	KSTACK_END_BROKEN,	/* no way further; frames behind this are guesses */
	KSTACK_END_LIMIT,	/* more than KERNEL_STACK_FRAMES */
	KSTACK_NOT_UNWOUND,	/* there are no frames */
};

/**
 * struct kernel_stack - the frames of a task, the innermost first
 * @nr_sure: the first frames that are no guesses
 * @why: with KSTACK_END_BROKEN and KSTACK_NOT_UNWOUND, in words, not escaped; else ""
 */
struct kernel_stack {
	struct kernel_frame frames[KERNEL_STACK_FRAMES];
	u32 nr;
	u32 nr_sure;
	enum kernel_stack_end end;
	char why[240];
};

struct kernel_unwinder;

/**
 * kernel_unwinder_open() - find what unwinding needs
 * @ret: for kernel_unwinder_close(); set only on success
 * @tasks: must outlive it
 *
 * Return: 0, also if no stack can be unwound: each says why; -ERR_IO without memory.
 */
int kernel_unwinder_open(struct kernel_unwinder **ret, const struct kernel_tasks *tasks,
			 struct err *err);

/* @u may be NULL. */
void kernel_unwinder_close(struct kernel_unwinder *u);

/* How: "ORC (entries of 6.4 and newer)"; NULL: not at all. */
const char *kernel_unwinder_way(const struct kernel_unwinder *u);

/* What a word on a stack of that kernel would be, were it a return address: arm64 may sign these. */
u64 kernel_return_address(const struct kernel *kernel, u64 word);

/* Is it an address of code, of the kernel or of a module? */
bool kernel_unwinder_is_text(const struct kernel_unwinder *u, u64 va);

/* The stack of @task, one of the unwinder's tasks. */
void kernel_unwind(struct kernel_unwinder *u, const struct kernel_task *task,
		   struct kernel_stack *ret);

/**
 * kernel_frame_name() - "name+0x1/0x20", or with " [module]"
 * @buf: terminated, not escaped
 *
 * Return: its length; 0: the address has no name.
 */
size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf,
			 size_t size);

/* The name of its function alone, without ".constprop.0" and the like. */
bool kernel_frame_function(const struct kernel *kernel, const struct kernel_frame *frame, char *buf,
			   size_t size);

#endif
