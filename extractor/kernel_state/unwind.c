// SPDX-License-Identifier: GPL-2.0-or-later
#include "unwind.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "orc.h"

#define MAX_STACKS	10
#define CRASH_KEXEC_FRAME 1024	/* bytes; it has about 200 */

/* Memory that one context of a CPU runs on. */
struct stack_range {
	u64 from, to;
	enum kernel_stack_kind kind;
	bool is_visited;
};

/* A stack of exceptions: a member of struct cea_exception_stacks. */
struct exception_stack {
	u32 offset, size;
	enum kernel_stack_kind kind;
};

/**
 * struct kernel_unwinder - what the stacks of all tasks have in common
 * @orc: NULL: see @why
 * @frame_ip, @frame_bp, @frame_size: of struct inactive_task_frame
 * @fork: where a new thread begins; 0: unknown
 * @irq_size: bytes of a stack of interrupts
 * @exceptions: nr_exceptions, from the address of the exception stacks on
 * @entry: the entry stack's, from there as well; size 0: unknown
 */
struct kernel_unwinder {
	const struct kernel_tasks *tasks;
	struct orc *orc;
	char why[200];
	char way[40];
	u32 frame_ip, frame_bp, frame_size;
	u64 fork;
	u32 irq_size;
	struct exception_stack exceptions[6];
	u32 nr_exceptions;
	s64 entry_offset;
	u32 entry_size;
};

/**
 * struct unwind_state - on the way up one stack
 * @on: which of @stacks @sp is on; -1: none
 * @is_exact: @ip is that of an instruction, as registers have it
 * @has_regs: @regs are those of the frame: all, or from regs.first on
 */
struct unwind_state {
	struct kernel_unwinder *u;
	const struct kernel_task *task;
	struct kernel_stack *ret;
	struct stack_range stacks[MAX_STACKS];
	u32 nr_stacks;
	int on;
	u64 ip, sp, bp;
	u64 regs_at;
	struct kernel_regs regs;
	bool has_regs, is_user, is_exact;
};

/* --- what all stacks have in common -------------------------------------- */

static void find_exception_stacks(struct kernel_unwinder *u, const struct kernel_btf *kt)
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

static void find_inactive_frame(struct kernel_unwinder *u, const struct kernel_btf *kt)
{
	if (kernel_btf_offset(kt, "inactive_task_frame", "ret_addr", KKIND_INT, &u->frame_ip) &&
	    kernel_btf_offset(kt, "inactive_task_frame", "bp", KKIND_INT, &u->frame_bp) &&
	    kernel_btf_size(kt, "inactive_task_frame", &u->frame_size))
		return;
	u->frame_bp = 5 * 8;	/* behind r15 to r12 and bx */
	u->frame_ip = 6 * 8;
	u->frame_size = 7 * 8;
}

static int find_orc(struct kernel_unwinder *u, struct err *err)
{
	const struct kernel *kernel = u->tasks->kernel;
	struct err why = ERR_INIT;
	int ret;

	if (kernel->machine != EM_X86_64) {
		snprintf(u->why, sizeof(u->why), "stacks of %s are not unwound",
			 kernel->machine ? text_machine(kernel->machine) : "this machine");
		return 0;
	}
	ret = orc_open(&u->orc, kernel, &why);
	if (ret == -ERR_IO) {
		if (err)
			*err = why;
		return ret;
	}
	if (ret) {
		snprintf(u->why, sizeof(u->why), "%.190s", why.msg);
		return 0;
	}
	snprintf(u->way, sizeof(u->way), "ORC (entries of %s)", orc_layout(u->orc));
	find_inactive_frame(u, kernel->ktypes);
	find_exception_stacks(u, kernel->ktypes);
	if (!kernel_btf_size(kernel->ktypes, "irq_stack", &u->irq_size) || u->irq_size > KERNEL_STACK_MAX)
		u->irq_size = u->tasks->stack_size;
	if (!kallsyms_address(kernel->kallsyms, "ret_from_fork_asm", &u->fork) &&
	    !kallsyms_address(kernel->kallsyms, "ret_from_fork", &u->fork))
		u->fork = 0;
	return 0;
}

int kernel_unwinder_open(struct kernel_unwinder **ret, const struct kernel_tasks *tasks,
			 struct err *err)
{
	struct kernel_unwinder *u = calloc(1, sizeof(*u));
	int res;

	if (!u)
		return err_sys(err, "memory for stacks");
	u->tasks = tasks;
	res = find_orc(u, err);
	if (res)
		kernel_unwinder_close(u);
	else
		*ret = u;
	return res;
}

void kernel_unwinder_close(struct kernel_unwinder *u)
{
	if (!u)
		return;
	orc_close(u->orc);
	free(u);
}

const char *kernel_unwinder_way(const struct kernel_unwinder *u)
{
	return u->orc ? u->way : NULL;
}

bool kernel_unwinder_is_text(const struct kernel_unwinder *u, u64 va)
{
	return u->orc && orc_is_text(u->orc, va);
}

/* --- the stacks of a task and of its CPU --------------------------------- */

static void add_stack(struct unwind_state *s, u64 from, u64 size, enum kernel_stack_kind kind)
{
	if (s->nr_stacks < MAX_STACKS && from && from + size > from)
		s->stacks[s->nr_stacks++] = (struct stack_range){ from, from + size, kind, false };
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

static void add_cpu_stacks(struct unwind_state *s, u32 cpu)
{
	const struct kernel_unwinder *u = s->u;
	const struct kernel *kernel = u->tasks->kernel;
	u64 at, va;

	if (irq_stack_top(kernel, cpu, &at) && at > u->irq_size)
		add_stack(s, at + 8 - u->irq_size, u->irq_size, KSTACK_IRQ);
	if (!kernel_percpu(kernel, "cea_exception_stacks", cpu, &va) ||
	    !vmem_u64(kernel->vmem, va, &at) || !at)
		return;
	for (u32 i = 0; i < u->nr_exceptions; i++)
		add_stack(s, at + u->exceptions[i].offset, u->exceptions[i].size, u->exceptions[i].kind);
	if (u->entry_size)
		add_stack(s, at + u->entry_offset, u->entry_size, KSTACK_ENTRY);
}

static bool lies_on(const struct stack_range *stack, u64 va, u64 size)
{
	return va >= stack->from && va < stack->to && size <= stack->to - va;
}

/* Is it on the current stack? Or on another one, which was not left before: turn to that. */
static bool on_a_stack(struct unwind_state *s, u64 va, u64 size)
{
	if (s->on >= 0 && lies_on(&s->stacks[s->on], va, size))
		return true;
	for (u32 i = 0; i < s->nr_stacks; i++) {
		if (s->stacks[i].is_visited || !lies_on(&s->stacks[i], va, size))
			continue;
		s->stacks[i].is_visited = true;
		s->on = i;
		return true;
	}
	return false;
}

/* --- how it ends --------------------------------------------------------- */

__attribute__((format(printf, 3, 4)))
static bool end_stack(struct unwind_state *s, enum kernel_stack_end end, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->ret->why, sizeof(s->ret->why), fmt, ap);
	va_end(ap);
	s->ret->end = end;
	return false;
}

static bool break_at(struct unwind_state *s, const char *why)
{
	char name[KERNEL_SYMBOL_MAX];

	if (!kernel_symbol(s->u->tasks->kernel, s->ip, name, sizeof(name)))
		snprintf(name, sizeof(name), "%#llx", s->ip);
	return end_stack(s, KSTACK_END_BROKEN, "%s at %.80s", why, name);
}

static bool read_stack(struct unwind_state *s, u64 va, u64 *ret)
{
	char why[80];

	if (va % 8 || !on_a_stack(s, va, 8)) {
		snprintf(why, sizeof(why), "the frame leads to %#llx, on no stack of this task,", va);
		return break_at(s, why);
	}
	if (!vmem_u64(s->u->tasks->kernel->vmem, va, ret))
		return end_stack(s, KSTACK_END_BROKEN, "%s", vmem_why(s->u->tasks->kernel->vmem));
	return true;
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
		if (!read_stack(s, s->sp, &at))
			return false;
		*ret = at + orc->sp_offset;
		return true;
	case ORC_REG_BP_INDIRECT:
		return read_stack(s, s->bp + orc->sp_offset, ret);
	case ORC_REG_R10:
		return saved_reg(s, KREG_R10, ret) || break_at(s, "r10 is not known");
	case ORC_REG_R13:
		return saved_reg(s, KREG_R13, ret) || break_at(s, "r13 is not known");
	case ORC_REG_DI:
		return saved_reg(s, KREG_DI, ret) || break_at(s, "di is not known");
	case ORC_REG_DX:
		return saved_reg(s, KREG_DX, ret) || break_at(s, "dx is not known");
	default:
		return break_at(s, "ORC has a register that does not exist");
	}
}

/* Turn to the registers that an exception, interrupt or system call saved at @va. */
static bool take_saved_regs(struct unwind_state *s, u64 va, u32 first)
{
	const struct kernel *kernel = s->u->tasks->kernel;
	struct kernel_regs regs;

	if (va % 8 || !on_a_stack(s, va + 8ULL * first, 8ULL * (KERNEL_NR_REGS - first)))
		return break_at(s, "there are no registers on this task's stacks");
	if (!kernel_saved_regs(kernel, va, first, &regs))
		return end_stack(s, KSTACK_END_BROKEN, "%s", vmem_why(kernel->vmem));
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
	if (!read_stack(s, sp - 8, &s->ip))
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
		return read_stack(s, sp + orc->bp_offset, &s->bp);
	case ORC_REG_BP:
		return read_stack(s, s->bp + orc->bp_offset, &s->bp);
	default:
		return break_at(s, "ORC has a frame pointer that does not exist");
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

	return orc_is_text(s->u->orc, ip) && vmem_number(vmem, ip - 5, 1, &opcode) && opcode == 0xe8 &&
	       vmem_u32(vmem, ip - 4, &distance) && ip + (s64)(s32)distance == function;
}

/* Its caller is the only one on this stack that called it. */
static bool leave_crash_kexec(struct unwind_state *s)
{
	struct ksym function;
	u64 word;

	if (!is_crash_kexec(s, &function))
		return false;
	for (u64 va = s->sp; va < s->sp + CRASH_KEXEC_FRAME && lies_on(&s->stacks[s->on], va, 8); va += 8)
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

	if (!read_stack(s, sp, &word))
		return false;
	if (s->ip != begin) {
		if (word - begin >= THUNK_SIZE)
			return false;
		sp += 8;
		if (!read_stack(s, sp, &word))
			return false;
	}
	if (!orc_is_text(s->u->orc, word))
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
static bool step(struct unwind_state *s)
{
	struct vmem *vmem = s->u->tasks->kernel->vmem;
	const u64 sp_before = s->sp;
	const int on_before = s->on;
	struct orc_entry orc;
	u64 sp = 0;

	/* A return address may be behind the end of its function. */
	switch (orc_find(s->u->orc, s->is_exact ? s->ip : s->ip - 1, &orc)) {
	case ORC_NONE:
		return break_at(s, "ORC knows no code");
	case ORC_UNREADABLE:
		return end_stack(s, KSTACK_END_BROKEN, "ORC cannot be read: %s", vmem_why(vmem));
	case ORC_FOUND:
		break;
	}
	if (orc.type == ORC_END_OF_STACK && !is_indirect_thunk(s))
		return end_stack(s, KSTACK_END_THREAD, "%s", "");
	if (orc.type == ORC_UNDEFINED || orc.type == ORC_END_OF_STACK)
		return leave_without_orc(s) || break_at(s, "ORC does not say what the stack is like");
	if (!find_caller_sp(s, &orc, &sp) || !step_out(s, &orc, sp) || !find_caller_bp(s, &orc, sp))
		return false;
	if (s->is_user)
		return end_stack(s, KSTACK_END_USER, "%s", "");
	if (!on_a_stack(s, s->sp, 8))
		return break_at(s, "the stack pointer is on no stack of this task");
	if (s->on == on_before && s->sp <= sp_before)
		return break_at(s, "the stack leads back into itself");
	return true;
}

/* --- a stack ------------------------------------------------------------- */

static bool add_stack_frame(struct unwind_state *s, u64 ip, u64 sp, bool is_guess)
{
	struct kernel_stack *ret = s->ret;

	if (ret->nr == KERNEL_STACK_FRAMES)
		return end_stack(s, KSTACK_END_LIMIT, "more than %u frames", KERNEL_STACK_FRAMES);
	ret->frames[ret->nr++] = (struct kernel_frame){
		.ip = ip, .sp = sp, .stack = s->stacks[s->on].kind, .is_guess = is_guess,
		.is_exact = !is_guess && s->is_exact, .regs = is_guess ? 0 : s->regs_at,
	};
	return true;
}

/* The rest of a stack whose chain broke: each word that may be a return address. */
static void guess_frames(struct unwind_state *s)
{
	const struct stack_range *stack = &s->stacks[s->on];
	char why[sizeof(s->ret->why)];
	u64 word;

	memcpy(why, s->ret->why, sizeof(why));
	for (u64 va = (s->sp + 7) & ~7ULL; lies_on(stack, va, 8); va += 8) {
		if (!vmem_u64(s->u->tasks->kernel->vmem, va, &word))
			break;
		if (orc_is_text(s->u->orc, word) && !add_stack_frame(s, word, va + 8, true))
			break;
	}
	s->ret->end = KSTACK_END_BROKEN;
	memcpy(s->ret->why, why, sizeof(why));
}

/* The registers with which a task that sleeps will go on. */
static bool begin_asleep(struct unwind_state *s)
{
	const struct kernel_unwinder *u = s->u;
	struct vmem *vmem = u->tasks->kernel->vmem;
	u64 sp = s->task->sp;

	if (sp % 8 || !on_a_stack(s, sp, u->frame_size))
		return end_stack(s, KSTACK_NOT_UNWOUND, "its stack pointer %#llx is not on its stack at %#llx",
				 sp, s->task->stack);
	if (!vmem_u64(vmem, sp + u->frame_ip, &s->ip) || !vmem_u64(vmem, sp + u->frame_bp, &s->bp))
		return end_stack(s, KSTACK_NOT_UNWOUND, "%s", vmem_why(vmem));
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
static bool begin_running(struct unwind_state *s)
{
	if (!kernel_cpu_regs(s->u->tasks->kernel, s->task->cpu, &s->regs))
		return end_stack(s, KSTACK_NOT_UNWOUND, "it ran on CPU %u, whose registers are not in the dump",
				 s->task->cpu);
	if (kernel_regs_user(&s->regs))
		return end_stack(s, KSTACK_END_USER, "%s", "");
	s->has_regs = s->is_exact = true;
	s->ip = s->regs.r[KREG_IP];
	s->sp = s->regs.r[KREG_SP];
	s->bp = s->regs.r[KREG_BP];
	if (!on_a_stack(s, s->sp, 8))
		return end_stack(s, KSTACK_NOT_UNWOUND,
				 "CPU %u was stopped with its stack pointer at %#llx, on no stack of this task",
				 s->task->cpu, s->sp);
	find_last_call(s);
	return true;
}

void kernel_unwind(struct kernel_unwinder *u, const struct kernel_task *task,
		   struct kernel_stack *ret)
{
	struct unwind_state s = { .u = u, .task = task, .ret = ret, .on = -1 };
	struct kernel_frame *frame;

	ret->nr = ret->nr_sure = 0;
	ret->why[0] = '\0';
	if (!u->orc) {
		end_stack(&s, KSTACK_NOT_UNWOUND, "%s", u->why);
		return;
	}
	if (task->is_lacking) {
		end_stack(&s, KSTACK_NOT_UNWOUND, "%s", "the dump lacks what the kernel knows of this task");
		return;
	}
	if (!task->stack) {
		end_stack(&s, KSTACK_NOT_UNWOUND, "%s", "it is dead and has given its stack back");
		return;
	}
	add_stack(&s, task->stack, u->tasks->stack_size, KSTACK_TASK);
	if (task->is_running)
		add_cpu_stacks(&s, task->cpu);
	if (!(task->is_running ? begin_running(&s) : begin_asleep(&s)))
		return;
	while (add_stack_frame(&s, s.ip, s.sp, false)) {
		const int on = s.on;

		frame = &ret->frames[ret->nr - 1];
		ret->nr_sure = ret->nr;
		if (!step(&s))
			break;
		frame->top = s.on == on ? s.sp : 0;
	}
	if (ret->end == KSTACK_END_BROKEN)
		guess_frames(&s);
}

/* --- names --------------------------------------------------------------- */

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf,
			 size_t size)
{
	return frame->is_exact ? kernel_symbol(kernel, frame->ip, buf, size) :
				 kernel_caller(kernel, frame->ip, buf, size);
}

bool kernel_frame_function(const struct kernel *kernel, const struct kernel_frame *frame, char *buf,
			   size_t size)
{
	if (!kernel_frame_name(kernel, frame, buf, size))
		return false;
	buf[strcspn(buf, ".+")] = '\0';
	return true;
}
