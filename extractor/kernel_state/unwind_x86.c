// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of x86-64: along the kernel's own unwind tables, ORC. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orc.h"
#include "unwind_impl.h"

#define CRASH_KEXEC_FRAME 1024	/* bytes; it has about 200 */

/* A stack of exceptions: a member of struct cea_exception_stacks. */
struct exception_stack {
	u32 offset, size;
	enum kernel_stack_kind kind;
};

/**
 * struct orc_unwinder - what ORC does not say
 * @frame_ip, @frame_bp, @frame_size: of struct inactive_task_frame
 * @fork: where a new thread begins; 0: unknown
 * @irq_size: bytes of a stack of interrupts
 * @exceptions: nr_exceptions, from the address of the exception stacks on
 * @entry_offset, @entry_size: the entry stack's, from there as well; size 0: unknown
 */
struct orc_unwinder {
	struct orc *orc;
	u32 frame_ip, frame_bp, frame_size;
	u64 fork;
	u32 irq_size;
	struct exception_stack exceptions[6];
	u32 nr_exceptions;
	s64 entry_offset;
	u32 entry_size;
};

static struct orc_unwinder *orc_of(const struct unwind_state *s)
{
	return s->u->data;
}

/* --- what all stacks have in common -------------------------------------- */

static void find_exception_stacks(struct orc_unwinder *u, const struct kernel_btf *kt)
{
	static const struct {
		const char *name;
		enum kernel_stack_kind kind;
	} stacks[] = {
		{ "DF_stack", KSTACK_EXCEPTION }, { "NMI_stack", KSTACK_NMI },
		{ "DB_stack", KSTACK_EXCEPTION }, { "MCE_stack", KSTACK_EXCEPTION },
		{ "VC_stack", KSTACK_EXCEPTION }, { "VC2_stack", KSTACK_EXCEPTION },
	};
	struct btf_member_place m, estacks;

	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++)
		if (kernel_btf_member(kt, "cea_exception_stacks", stacks[i].name, &m) && m.size &&
		    m.size <= KERNEL_STACK_MAX)
			u->exceptions[u->nr_exceptions++] =
				(struct exception_stack){ m.offset, m.size, stacks[i].kind };
	if (kernel_btf_member(kt, "cpu_entry_area", "entry_stack_page", &m) &&
	    kernel_btf_member(kt, "cpu_entry_area", "estacks", &estacks) && m.size <= KERNEL_STACK_MAX) {
		u->entry_offset = (s64)m.offset - estacks.offset;
		u->entry_size = m.size;
	}
}

static void find_inactive_frame(struct orc_unwinder *u, const struct kernel_btf *kt)
{
	if (kernel_btf_offset(kt, "inactive_task_frame", "ret_addr", KKIND_INT, &u->frame_ip) &&
	    kernel_btf_offset(kt, "inactive_task_frame", "bp", KKIND_INT, &u->frame_bp) &&
	    kernel_btf_size(kt, "inactive_task_frame", &u->frame_size))
		return;
	u->frame_bp = 5 * 8;	/* behind r15 to r12 and bx */
	u->frame_ip = 6 * 8;
	u->frame_size = 7 * 8;
}

static void close_orc(struct kernel_unwinder *u)
{
	struct orc_unwinder *data = u->data;

	if (data)
		orc_close(data->orc);
	free(data);
}

static int open_orc(struct kernel_unwinder *u, struct err *err)
{
	const struct kernel *kernel = u->tasks->kernel;
	struct orc_unwinder *data = calloc(1, sizeof(*data));
	struct err why = ERR_INIT;
	int ret;

	if (!data)
		return err_sys(err, "memory for stacks");
	ret = orc_open(&data->orc, kernel, &u->text, &why);
	if (ret) {
		free(data);
		if (ret == -ERR_IO) {
			if (err)
				*err = why;
			return ret;
		}
		snprintf(u->why, sizeof(u->why), "%.190s", why.msg);
		return 0;
	}
	u->data = data;
	snprintf(u->way, sizeof(u->way), "ORC (entries of %s)", orc_layout(data->orc));
	find_inactive_frame(data, kernel->ktypes);
	find_exception_stacks(data, kernel->ktypes);
	if (!kernel_btf_size(kernel->ktypes, "irq_stack", &data->irq_size) || data->irq_size > KERNEL_STACK_MAX)
		data->irq_size = u->tasks->stack_size;
	if (!kallsyms_address(kernel->kallsyms, "ret_from_fork_asm", &data->fork) &&
	    !kallsyms_address(kernel->kallsyms, "ret_from_fork", &data->fork))
		data->fork = 0;
	return 0;
}

/* The address of the word behind the stack's last one, less 8; up to 6.14 with others in a struct. */
static bool irq_stack_top(const struct kernel *kernel, u32 cpu, u64 *ret)
{
	u64 va;

	if (kernel_percpu(kernel, "hardirq_stack_ptr", cpu, &va))
		return vmem_u64(kernel->vmem, va, ret);
	return kernel_percpu(kernel, "pcpu_hot", cpu, &va) &&
	       kernel_state_member(kernel, "pcpu_hot", "hardirq_stack_ptr", va, ret);
}

static void add_x86_stacks(struct unwind_state *s, u32 cpu)
{
	const struct orc_unwinder *u = orc_of(s);
	const struct kernel *kernel = s->u->tasks->kernel;
	u64 at, va;

	if (irq_stack_top(kernel, cpu, &at) && at > u->irq_size)
		unwind_add_stack(s, at + 8 - u->irq_size, u->irq_size, KSTACK_IRQ);
	if (!kernel_percpu(kernel, "cea_exception_stacks", cpu, &va) ||
	    !vmem_u64(kernel->vmem, va, &at) || !at)
		return;
	for (u32 i = 0; i < u->nr_exceptions; i++)
		unwind_add_stack(s, at + u->exceptions[i].offset, u->exceptions[i].size, u->exceptions[i].kind);
	if (u->entry_size)
		unwind_add_stack(s, at + u->entry_offset, u->entry_size, KSTACK_ENTRY);
}

/* --- one step, as unwind_next_frame() of the kernel ---------------------- */

/* A register of the interrupted context, where its registers are known. */
static bool saved_reg(const struct unwind_state *s, enum kernel_reg reg, u64 *ret)
{
	if (!s->has_regs || (u32)reg < s->regs.first)
		return false;
	*ret = s->regs.r[reg];
	return true;
}

/* The stack pointer of the caller. */
static bool find_caller_sp(struct unwind_state *s, const struct orc_entry *orc, u64 *ret)
{
	u64 at;

	switch (orc->sp_reg) {
	case ORC_REG_SP:
		*ret = s->sp + orc->sp_offset;
		return true;
	case ORC_REG_BP:
		*ret = s->bp + orc->sp_offset;
		return true;
	case ORC_REG_SP_INDIRECT:
		if (!unwind_read(s, s->sp, &at))
			return false;
		*ret = at + orc->sp_offset;
		return true;
	case ORC_REG_BP_INDIRECT:
		return unwind_read(s, s->bp + orc->sp_offset, ret);
	case ORC_REG_R10:
		return saved_reg(s, KREG_R10, ret) || unwind_break(s, "r10 is not known");
	case ORC_REG_R13:
		return saved_reg(s, KREG_R13, ret) || unwind_break(s, "r13 is not known");
	case ORC_REG_DI:
		return saved_reg(s, KREG_DI, ret) || unwind_break(s, "di is not known");
	case ORC_REG_DX:
		return saved_reg(s, KREG_DX, ret) || unwind_break(s, "dx is not known");
	case ORC_REG_AX:
		return saved_reg(s, KREG_AX, ret) || unwind_break(s, "ax is not known");
	default:
		return unwind_break(s, "ORC has a register that does not exist");
	}
}

/* Turn to the registers that an exception, interrupt or system call saved at @va. */
static bool take_saved_regs(struct unwind_state *s, u64 va, u32 first)
{
	const struct kernel *kernel = s->u->tasks->kernel;
	struct kernel_regs regs;

	if (va % 8 || !unwind_on_a_stack(s, va + 8ULL * first, 8ULL * (KERNEL_NR_REGS - first)))
		return unwind_break(s, "there are no registers on this task's stacks");
	if (!kernel_saved_regs(kernel, va, first, &regs))
		return unwind_end(s, KSTACK_END_BROKEN, "%s", vmem_why(kernel->vmem));
	s->ip = regs.r[KREG_IP];
	s->sp = regs.r[KREG_SP];
	s->is_user = kernel_regs_user(&regs);
	s->is_exact = true;
	s->regs_at = va;
	/* The general registers are those of the exception before it, if any. */
	if (first && s->has_regs) {
		memcpy(&s->regs.r[first], &regs.r[first], sizeof(regs.r) - first * sizeof(regs.r[0]));
		return true;
	}
	s->regs = regs;
	s->has_regs = true;
	return true;
}

static bool step_out(struct unwind_state *s, const struct orc_entry *orc, u64 sp)
{
	if (orc->type == ORC_REGS)
		return take_saved_regs(s, sp, 0);
	if (orc->type == ORC_REGS_PARTIAL)
		return take_saved_regs(s, sp - 8 * KREG_IP, KREG_IP);
	if (!unwind_read(s, sp - 8, &s->ip))
		return false;
	s->sp = sp;
	s->has_regs = s->is_exact = s->is_user = false;
	s->regs_at = 0;
	return true;
}

static bool find_caller_bp(struct unwind_state *s, const struct orc_entry *orc, u64 sp)
{
	switch (orc->bp_reg) {
	case ORC_REG_UNDEFINED:
		saved_reg(s, KREG_BP, &s->bp);
		return true;
	case ORC_REG_PREV_SP:
		return unwind_read(s, sp + orc->bp_offset, &s->bp);
	case ORC_REG_BP:
		return unwind_read(s, s->bp + orc->bp_offset, &s->bp);
	default:
		return unwind_break(s, "ORC has a frame pointer that does not exist");
	}
}

/* ORC leaves this function out (STACK_FRAME_NON_STANDARD). */
static bool is_crash_kexec(const struct unwind_state *s, struct ksym *ret)
{
	return kallsyms_find(s->u->tasks->kernel->kallsyms, s->ip - 1, ret) &&
	       !strcmp(ret->name, "__crash_kexec");
}

/* Is it the address behind a call of @function? */
static bool returns_from(const struct unwind_state *s, u64 ip, u64 function)
{
	struct vmem *vmem = s->u->tasks->kernel->vmem;
	u64 opcode;
	u32 distance;

	return kernel_text_has(&s->u->text, ip) && vmem_number(vmem, ip - 5, 1, &opcode) && opcode == 0xe8 &&
	       vmem_u32(vmem, ip - 4, &distance) && ip + (s64)(s32)distance == function;
}

/* Its caller is the only one on this stack that called it. */
static bool leave_crash_kexec(struct unwind_state *s)
{
	struct ksym function;
	u64 word;

	if (!is_crash_kexec(s, &function))
		return false;
	for (u64 va = s->sp; va < s->sp + CRASH_KEXEC_FRAME && unwind_lies_on(&s->stacks[s->on], va, 8); va += 8)
		if (vmem_u64(s->u->tasks->kernel->vmem, va, &word) && returns_from(s, word, function.start)) {
			s->ip = word;
			s->sp = va + 8;
			s->has_regs = s->is_exact = false;
			return true;
		}
	return false;
}

#define THUNK_SIZE	32ULL	/* RETPOLINE_THUNK_SIZE of asm/nospec-branch.h, which they are aligned to */

/* The code of an indirect call. To ORC the stack ends there, up to 6.3, or is like nothing. */
static bool is_indirect_thunk(const struct unwind_state *s)
{
	struct ksym function;

	return s->is_exact && kallsyms_find(s->u->tasks->kernel->kallsyms, s->ip, &function) &&
	       strstr(function.name, "__x86_indirect_");
}

/*
 * At its first instruction, the address that it will return to is on top of the stack, wherever it was jumped from. Behind that
 * a retpoline has called a place within itself.
 */
static bool leave_thunk(struct unwind_state *s)
{
	const u64 begin = s->ip & ~(THUNK_SIZE - 1);
	u64 sp = s->sp, word;

	if (!unwind_read(s, sp, &word))
		return false;
	if (s->ip != begin) {
		if (word - begin >= THUNK_SIZE)
			return false;
		sp += 8;
		if (!unwind_read(s, sp, &word))
			return false;
	}
	if (!kernel_text_has(&s->u->text, word))
		return false;
	s->ip = word;
	s->sp = sp + 8;
	s->has_regs = s->is_exact = false;
	s->regs_at = 0;
	return true;
}

static bool leave_without_orc(struct unwind_state *s)
{
	return (s->ret->nr == 1 && leave_crash_kexec(s)) || (is_indirect_thunk(s) && leave_thunk(s));
}

/* From a frame to its caller. Return: false: it ends here. */
static bool step_by_orc(struct unwind_state *s)
{
	struct vmem *vmem = s->u->tasks->kernel->vmem;
	const u64 sp_before = s->sp;
	const int on_before = s->on;
	struct orc_entry orc;
	u64 sp = 0;

	/* A return address may be behind the end of its function. */
	switch (orc_find(orc_of(s)->orc, s->is_exact ? s->ip : s->ip - 1, &orc)) {
	case ORC_NONE:
		return unwind_break(s, "ORC knows no code");
	case ORC_UNREADABLE:
		return unwind_end(s, KSTACK_END_BROKEN, "ORC cannot be read: %s", vmem_why(vmem));
	case ORC_FOUND:
		break;
	}
	if (orc.type == ORC_END_OF_STACK && !is_indirect_thunk(s))
		return unwind_end(s, KSTACK_END_THREAD, "%s", "");
	if (orc.type == ORC_UNDEFINED || orc.type == ORC_END_OF_STACK)
		return leave_without_orc(s) || unwind_break(s, "ORC does not say what the stack is like");
	if (!find_caller_sp(s, &orc, &sp) || !step_out(s, &orc, sp) || !find_caller_bp(s, &orc, sp))
		return false;
	if (s->is_user)
		return unwind_end(s, KSTACK_END_USER, "%s", "");
	if (!unwind_on_a_stack(s, s->sp, 8))
		return unwind_break(s, "the stack pointer is on no stack of this task");
	if (s->on == on_before && s->sp <= sp_before)
		return unwind_break(s, "the stack leads back into itself");
	return true;
}

/* The registers with which a task that sleeps will go on. */
static bool begin_x86_asleep(struct unwind_state *s)
{
	const struct orc_unwinder *u = orc_of(s);
	struct vmem *vmem = s->u->tasks->kernel->vmem;
	u64 sp = s->task->sp;

	if (sp % 8 || !unwind_on_a_stack(s, sp, u->frame_size))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "its stack pointer %#llx is not on its stack at %#llx",
				 sp, s->task->stack);
	if (!vmem_u64(vmem, sp + u->frame_ip, &s->ip) || !vmem_u64(vmem, sp + u->frame_bp, &s->bp))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "%s", vmem_why(vmem));
	s->sp = sp + u->frame_size;
	/* It never ran: nothing called this. */
	s->is_exact = u->fork && s->ip == u->fork;
	return true;
}

/*
 * Where no fault was, the function that starts the capture kernel has taken its own registers. The
 * call that never returned is right below the stack pointer.
 */
static void find_last_call(struct unwind_state *s)
{
	const struct kernel *kernel = s->u->tasks->kernel;
	struct ksym here, called;
	u64 ret;

	if (!is_crash_kexec(s, &here) || !vmem_u64(kernel->vmem, s->sp - 8, &ret) ||
	    !kallsyms_find(kernel->kallsyms, ret - 1, &called) || called.start != here.start)
		return;
	s->ip = ret;
	s->is_exact = false;
}

/* The registers with which a CPU was stopped. */
static bool begin_x86_running(struct unwind_state *s)
{
	if (!kernel_cpu_regs(s->u->tasks->kernel, s->task->cpu, &s->regs))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "it ran on CPU %u, whose registers are not in the dump",
				 s->task->cpu);
	if (kernel_regs_user(&s->regs))
		return unwind_end(s, KSTACK_END_USER, "%s", "");
	s->has_regs = s->is_exact = true;
	s->ip = s->regs.r[KREG_IP];
	s->sp = s->regs.r[KREG_SP];
	s->bp = s->regs.r[KREG_BP];
	if (!unwind_on_a_stack(s, s->sp, 8))
		return unwind_end(s, KSTACK_NOT_UNWOUND,
				 "CPU %u was stopped with its stack pointer at %#llx, on no stack of this task",
				 s->task->cpu, s->sp);
	find_last_call(s);
	return true;
}

const struct unwind_machine unwind_x86 = {
	.elf = EM_X86_64,
	.open = open_orc,
	.close = close_orc,
	.add_cpu_stacks = add_x86_stacks,
	.begin_asleep = begin_x86_asleep,
	.begin_running = begin_x86_running,
	.step = step_by_orc,
};
