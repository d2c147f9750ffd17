/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the ways of unwinding share, one for each machine. Private to unwind*.c. */
#ifndef EPITAPH_KERNEL_STATE_UNWIND_IMPL_H
#define EPITAPH_KERNEL_STATE_UNWIND_IMPL_H

#include "kernel_text.h"
#include "unwind.h"

#define UNWIND_STACKS	10

struct unwind_state;

/**
 * struct unwind_machine - how the stacks of one kind of machine are unwound
 * @elf: its number, EM_*
 * @open: sets the unwinder's @way, or its @why and no @way; only without memory an error
 * @add_cpu_stacks: those that a CPU has for itself
 * @begin_asleep: the first frame of a task that sleeps; false: there is none
 * @begin_running: the same of one that ran
 * @step: from a frame to its caller; false: it ends here
 * @code_address: what a word on the stack would be, were it a return address; NULL: what it is
 */
struct unwind_machine {
	u16 elf;
	int (*open)(struct kernel_unwinder *u, struct err *err);
	void (*close)(struct kernel_unwinder *u);
	void (*add_cpu_stacks)(struct unwind_state *s, u32 cpu);
	bool (*begin_asleep)(struct unwind_state *s);
	bool (*begin_running)(struct unwind_state *s);
	bool (*step)(struct unwind_state *s);
	u64 (*code_address)(u64 word);
};

extern const struct unwind_machine unwind_x86, unwind_arm64, unwind_s390;

/**
 * struct kernel_unwinder - what the stacks of all tasks have in common
 * @machine: NULL: none that is known
 * @data: of @machine; NULL: see @why
 */
struct kernel_unwinder {
	const struct kernel_tasks *tasks;
	const struct unwind_machine *machine;
	void *data;
	struct kernel_text text;
	char why[200];
	char way[60];
};

/* Memory that one context of a CPU runs on. */
struct stack_range {
	u64 from, to;
	enum kernel_stack_kind kind;
	bool is_visited;
};

/**
 * struct unwind_state - on the way up one stack
 * @on: which of @stacks @sp is on; -1: none
 * @bp: the frame pointer
 * @is_exact: @ip is that of an instruction, as registers have it
 * @has_regs: @regs are those of the frame: all, or from regs.first on; x86-64
 */
struct unwind_state {
	struct kernel_unwinder *u;
	const struct kernel_task *task;
	struct kernel_stack *ret;
	struct stack_range stacks[UNWIND_STACKS];
	u32 nr_stacks;
	int on;
	u64 ip, sp, bp;
	u64 regs_at;
	struct kernel_regs regs;
	bool has_regs, is_user, is_exact;
};

void unwind_add_stack(struct unwind_state *s, u64 from, u64 size, enum kernel_stack_kind kind);
bool unwind_lies_on(const struct stack_range *stack, u64 va, u64 size);

/* Is it on the current stack? Or on another one, which was not left before: turn to that. */
bool unwind_on_a_stack(struct unwind_state *s, u64 va, u64 size);

/* All return false, for step(). */
__attribute__((format(printf, 3, 4)))
bool unwind_end(struct unwind_state *s, enum kernel_stack_end end, const char *fmt, ...);
bool unwind_break(struct unwind_state *s, const char *why);

/* A word of one of the stacks; false: the stack has ended, with why. */
bool unwind_read(struct unwind_state *s, u64 va, u64 *ret);

#endif
