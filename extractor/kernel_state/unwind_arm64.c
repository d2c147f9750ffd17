// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of arm64: along frame records, as the kernel does it (arch/arm64/kernel/stacktrace.c). A
 * frame record is two words, where the caller's frame record is, and the address of return. x29
 * leads to the first. An exception puts one into the struct pt_regs that it saves: up to 6.12 with
 * the registers x29 and pc of what it interrupted, since 6.13 with zeros and a word that says so.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unwind_impl.h"

#define NR_REGS		34	/* of elf_gregset_t: x0 to x30, sp, pc, pstate */
#define REG_FP		29
#define REG_SP		31
#define REG_PC		32
#define REG_PSTATE	33
#define PSTATE_MODE	0xfULL	/* 0: that of user space */

#define OVERFLOW_STACK	4096	/* OVERFLOW_STACK_SIZE */

/* Code lies in the upper half of what an address of 48 bits can say, whatever the configuration. */
#define CODE_FROM	0xffff800000000000ULL
#define IS_KERNEL	(1ULL << 55)
#define IS_UPPER_HALF	(1ULL << 47)

/* FRAME_META_TYPE_* of asm/stacktrace/frame.h */
#define META_FINAL	1
#define META_PT_REGS	2

/**
 * struct frame_records - where things are in this kernel
 * @fp, @pc: in task_struct, of one that sleeps
 * @record: in pt_regs
 * @has_meta, @meta: since 6.13, in struct frame_record_meta: what its record is
 * @regs, @sp, @regs_pc, @pstate: in pt_regs
 * @fork: where a new thread begins; 0: unknown
 */
struct frame_records {
	u32 fp, pc;
	u32 record;
	u32 meta;
	bool has_meta;
	u32 regs, sp, regs_pc, pstate;
	u64 fork;
};

static const struct frame_records *records_of(const struct unwind_state *s)
{
	return s->u->data;
}

static bool find_record_layout(struct frame_records *f, const struct kernel_btf *kt)
{
	static const struct {
		const char *type, *path;
		size_t at;
	} members[] = {
		{ "task_struct", "thread.cpu_context.fp", offsetof(struct frame_records, fp) },
		{ "task_struct", "thread.cpu_context.pc", offsetof(struct frame_records, pc) },
		{ "pt_regs", "stackframe", offsetof(struct frame_records, record) },
		{ "pt_regs", "regs", offsetof(struct frame_records, regs) },
		{ "pt_regs", "sp", offsetof(struct frame_records, sp) },
		{ "pt_regs", "pc", offsetof(struct frame_records, regs_pc) },
		{ "pt_regs", "pstate", offsetof(struct frame_records, pstate) },
	};
	struct btf_member_place m;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (!kernel_btf_member(kt, members[i].type, members[i].path, &m))
			return false;
		memcpy((u8 *)f + members[i].at, &m.offset, sizeof(u32));
	}
	f->has_meta = kernel_btf_member(kt, "frame_record_meta", "type", &m);
	f->meta = f->has_meta ? m.offset : 0;
	return true;
}

static int open_records(struct kernel_unwinder *u, struct err *err)
{
	const struct kernel *kernel = u->tasks->kernel;
	struct frame_records *f = calloc(1, sizeof(*f));

	if (!f)
		return err_sys(err, "memory for stacks");
	if (!find_record_layout(f, kernel->ktypes)) {
		free(f);
		snprintf(u->why, sizeof(u->why), "the kernel's types do not say where frame records are (struct pt_regs, struct cpu_context)");
		return 0;
	}
	if (!kallsyms_address(kernel->kallsyms, "ret_from_fork", &f->fork))
		f->fork = 0;
	u->data = f;
	snprintf(u->way, sizeof(u->way), "frame records (%s)", f->has_meta ? "6.13 and newer" : "before 6.13");
	return 0;
}

static void close_records(struct kernel_unwinder *u)
{
	free(u->data);
}

static void add_arm64_stacks(struct unwind_state *s, u32 cpu)
{
	static const char *const pointers[] = { "irq_stack_ptr", "sdei_stack_normal_ptr", "sdei_stack_critical_ptr" };
	const struct kernel *kernel = s->u->tasks->kernel;
	u64 va, at;

	for (size_t i = 0; i < ARRAY_SIZE(pointers); i++)
		if (kernel_percpu(kernel, pointers[i], cpu, &va) && vmem_u64(kernel->vmem, va, &at) && at)
			unwind_add_stack(s, at, s->u->tasks->stack_size, i ? KSTACK_EXCEPTION : KSTACK_IRQ);
	if (kernel_percpu(kernel, "overflow_stack", cpu, &va))
		unwind_add_stack(s, va, OVERFLOW_STACK, KSTACK_EXCEPTION);
}

/*
 * Pointer authentication puts a signature into the bits of an address that are all the same
 * (CONFIG_ARM64_PTR_AUTH_KERNEL): of code they are ones.
 */
static u64 without_signature(u64 word)
{
	return (word & IS_KERNEL) && (word & IS_UPPER_HALF) ? word | CODE_FROM : word;
}

/* --- from frame to frame ------------------------------------------------- */

/* Does the function save the registers of what it interrupted? "el1h_64_irq"; up to 5.11 "el1_irq". */
static bool is_exception_entry(const struct unwind_state *s)
{
	struct ksym function;

	return kallsyms_find(s->u->tasks->kernel->kallsyms, s->ip - !s->is_exact, &function) &&
	       !strncmp(function.name, "el1", 3) && !strstr(function.name, "_handler");
}

/* Is it the first of a task that comes from user space? "el0t_64_sync"; up to 5.11 "el0_sync". */
static bool is_user_entry(const struct unwind_state *s)
{
	char name[KERNEL_SYMBOL_MAX];

	return kernel_symbol(s->u->tasks->kernel, s->ip - !s->is_exact, name, sizeof(name)) &&
	       (!strncmp(name, "el0", 3) || !strncmp(name, "ret_to_user", 11));
}

/*
 * The caller has its part of the stack between @record, which the function that is left put there, and
 * its own at @caller: compilers lay their variables below it, or above it.
 */
static void take_record_frame(struct unwind_state *s, u64 record, u64 caller)
{
	s->bp = caller;
	s->sp = record + 16;
	if (caller && !unwind_lies_on(&s->stacks[s->on], caller, 16) && unwind_on_a_stack(s, caller, 16))
		s->sp = caller;
}

/* Turn to what an exception interrupted, whose struct pt_regs is at @va. */
static bool take_arm64_regs(struct unwind_state *s, u64 va)
{
	const struct frame_records *f = records_of(s);
	u64 pc = 0, sp = 0, pstate = 0, fp = 0;

	if (!unwind_read(s, va + f->regs_pc, &pc) || !unwind_read(s, va + f->sp, &sp) ||
	    !unwind_read(s, va + f->pstate, &pstate) || !unwind_read(s, va + f->regs + 8ULL * REG_FP, &fp))
		return false;
	if (!(pstate & PSTATE_MODE))
		return unwind_end(s, KSTACK_END_USER, "%s", "");
	s->ip = pc;
	s->bp = fp;
	s->sp = sp;
	s->is_exact = true;
	s->regs_at = va;
	if (!unwind_on_a_stack(s, sp, 8))
		return unwind_break(s, "the stack pointer is on no stack of this task");
	return true;
}

static bool end_of_records(struct unwind_state *s)
{
	return is_user_entry(s) ? unwind_end(s, KSTACK_END_USER, "%s", "") :
				  unwind_end(s, KSTACK_END_THREAD, "%s", "");
}

/* A record of zeros: since 6.13 the word behind it says what it is. */
static bool step_over_zeros(struct unwind_state *s, u64 record)
{
	const struct frame_records *f = records_of(s);
	u64 type = META_FINAL;

	if (f->has_meta && !unwind_read(s, record + f->meta, &type))
		return false;
	if (type == META_PT_REGS)
		return take_arm64_regs(s, record - f->record);
	return type == META_FINAL ? end_of_records(s) : unwind_break(s, "the frame record does not say what it is");
}

/* Up to 6.12: is the record part of the registers that this exception saved? They say the same. */
static bool is_of_exception(struct unwind_state *s, u64 record, u64 caller, u64 ret)
{
	const struct frame_records *f = records_of(s);
	struct vmem *vmem = s->u->tasks->kernel->vmem;
	const u64 regs = record - f->record;
	u64 pc, fp;

	return !f->has_meta && is_exception_entry(s) && vmem_u64(vmem, regs + f->regs_pc, &pc) && pc == ret &&
	       vmem_u64(vmem, regs + f->regs + 8ULL * REG_FP, &fp) && fp == caller;
}

static bool step_by_record(struct unwind_state *s)
{
	const u64 record = s->bp, sp_before = s->sp;
	const int on_before = s->on;
	u64 caller = 0, ret = 0;

	/* Up to 5.11 nothing called the first function of a thread. */
	if (!record)
		return end_of_records(s);
	if (!unwind_read(s, record, &caller) || !unwind_read(s, record + 8, &ret))
		return false;
	if (!ret)
		return caller ? unwind_break(s, "the frame record has no address of return") : step_over_zeros(s, record);
	if (is_of_exception(s, record, caller, ret)) {
		if (!take_arm64_regs(s, record - records_of(s)->record))
			return false;
	} else {
		if (without_signature(ret) < CODE_FROM)
			return unwind_break(s, "the frame record leads to no code of the kernel");
		s->ip = without_signature(ret);
		s->is_exact = false;
		s->regs_at = 0;
		take_record_frame(s, record, caller);
	}
	if (s->on == on_before && s->sp <= sp_before)
		return unwind_break(s, "the stack leads back into itself");
	return true;
}

/* --- the first frame ----------------------------------------------------- */

static bool begin_arm64_asleep(struct unwind_state *s)
{
	const struct frame_records *f = records_of(s);
	struct vmem *vmem = s->u->tasks->kernel->vmem;

	if (!unwind_on_a_stack(s, s->task->sp, 8))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "its stack pointer %#llx is not on its stack at %#llx",
				  s->task->sp, s->task->stack);
	if (!vmem_u64(vmem, s->task->va + f->pc, &s->ip) || !vmem_u64(vmem, s->task->va + f->fp, &s->bp))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "%s", vmem_why(vmem));
	s->ip = without_signature(s->ip);
	s->sp = s->task->sp;
	/* It never ran: nothing called this. */
	s->is_exact = f->fork && s->ip == f->fork;
	return true;
}

static bool begin_arm64_running(struct unwind_state *s)
{
	u64 regs[NR_REGS];

	if (!kernel_note_regs(s->u->tasks->kernel, s->task->cpu, regs, NR_REGS))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "it ran on CPU %u, whose registers are not in the dump",
				  s->task->cpu);
	/* An empty stack: it has just left user space, or is about to go back. */
	if (!(regs[REG_PSTATE] & PSTATE_MODE) || regs[REG_SP] == s->task->stack + s->u->tasks->stack_size)
		return unwind_end(s, KSTACK_END_USER, "%s", "");
	s->ip = regs[REG_PC];
	s->sp = regs[REG_SP];
	s->bp = regs[REG_FP];
	s->is_exact = true;
	if (!unwind_on_a_stack(s, s->sp, 8))
		return unwind_end(s, KSTACK_NOT_UNWOUND,
				  "CPU %u was stopped with its stack pointer at %#llx, on no stack of this task",
				  s->task->cpu, s->sp);
	return true;
}

const struct unwind_machine unwind_arm64 = {
	.elf = EM_AARCH64,
	.open = open_records,
	.close = close_records,
	.add_cpu_stacks = add_arm64_stacks,
	.begin_asleep = begin_arm64_asleep,
	.begin_running = begin_arm64_running,
	.step = step_by_record,
	.code_address = without_signature,
};
