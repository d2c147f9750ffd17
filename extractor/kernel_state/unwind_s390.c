// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of s390x: along the back chain, as the kernel does it (arch/s390/kernel/unwind_bc.c). A
 * frame begins with struct stack_frame: where the caller's frame is, and registers that a called
 * function saved there, with the address to which it returns. A frame that leads nowhere has behind
 * it the struct pt_regs of what was interrupted, or of a thread's beginning.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unwind_impl.h"

#define NR_REGS		18	/* of elf_gregset_t: psw.mask, psw.addr, r0 to r15 */
#define REG_MASK	0
#define REG_ADDR	1
#define REG_SP		17

#define GPR_RETURN	8	/* of stack_frame.gprs, which begin with r6: r14 */
#define GPR_SP		15
#define MASK_USER	0x0001000000000000ULL	/* PSW_MASK_PSTATE */

/* Members of struct lowcore. */
static const struct {
	const char *name;
	enum kernel_stack_kind kind;
} cpu_stacks[] = {
	{ "async_stack", KSTACK_IRQ }, { "nodat_stack", KSTACK_EXCEPTION },
	{ "restart_stack", KSTACK_EXCEPTION }, { "mcck_stack", KSTACK_EXCEPTION },
};

/**
 * struct back_chain - where things are in this kernel
 * @caller, @gprs, @frame_size: in stack_frame
 * @mask, @addr, @regs: in pt_regs
 * @stacks: in lowcore; size 0: it has none
 * @lowcores: of the CPUs, an array of pointers; 0: not found
 */
struct back_chain {
	u32 caller, gprs, frame_size;
	u32 mask, addr, regs;
	struct btf_member_place stacks[ARRAY_SIZE(cpu_stacks)];
	u64 lowcores;
};

static const struct back_chain *chain_of(const struct unwind_state *s)
{
	return s->u->data;
}

static bool find_chain_layout(struct back_chain *c, const struct kernel_btf *kt)
{
	struct btf_member_place caller, gprs, mask, addr, regs;

	if (!kernel_btf_member(kt, "stack_frame", "back_chain", &caller) ||
	    !kernel_btf_member(kt, "stack_frame", "gprs", &gprs) ||
	    !kernel_btf_size(kt, "stack_frame", &c->frame_size) ||
	    !kernel_btf_member(kt, "pt_regs", "psw.mask", &mask) ||
	    !kernel_btf_member(kt, "pt_regs", "psw.addr", &addr) ||
	    !kernel_btf_member(kt, "pt_regs", "gprs", &regs))
		return false;
	c->caller = caller.offset;
	c->gprs = gprs.offset;
	c->mask = mask.offset;
	c->addr = addr.offset;
	c->regs = regs.offset;
	for (size_t i = 0; i < ARRAY_SIZE(cpu_stacks); i++)
		if (!kernel_btf_member(kt, "lowcore", cpu_stacks[i].name, &c->stacks[i]))
			c->stacks[i].size = 0;
	return true;
}

static int open_chain(struct kernel_unwinder *u, struct err *err)
{
	const struct kernel *kernel = u->tasks->kernel;
	struct back_chain *c = calloc(1, sizeof(*c));

	if (!c)
		return err_sys(err, "memory for stacks");
	if (!find_chain_layout(c, kernel->ktypes)) {
		free(c);
		snprintf(u->why, sizeof(u->why), "the kernel's types do not say what a stack frame is (struct stack_frame, struct pt_regs)");
		return 0;
	}
	if (!kallsyms_address(kernel->kallsyms, "lowcore_ptr", &c->lowcores))
		c->lowcores = 0;
	u->data = c;
	snprintf(u->way, sizeof(u->way), "the back chain");
	return 0;
}

static void close_chain(struct kernel_unwinder *u)
{
	free(u->data);
}

/* A member says where such a stack begins to be used: near its upper end. They are aligned to their size. */
static void add_s390_stacks(struct unwind_state *s, u32 cpu)
{
	const struct back_chain *c = chain_of(s);
	struct vmem *vmem = s->u->tasks->kernel->vmem;
	const u64 size = s->u->tasks->stack_size;
	u64 lowcore, at;

	if (!c->lowcores || !size || size & (size - 1) || !vmem_u64(vmem, c->lowcores + 8ULL * cpu, &lowcore))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(cpu_stacks); i++)
		if (c->stacks[i].size && vmem_u64(vmem, lowcore + c->stacks[i].offset, &at) && at)
			unwind_add_stack(s, at & ~(size - 1), size, cpu_stacks[i].kind);
}

/*
 * Turn to the frame at @frame, which begins with what a called function saves there. What its own
 * function keeps is behind that, and goes on into the part of its caller's frame that it does not save to.
 */
static void take_chain_frame(struct unwind_state *s, u64 frame)
{
	s->bp = frame;
	s->sp = frame + chain_of(s)->frame_size;
}

/* --- from frame to frame ------------------------------------------------- */

/* Turn to what was interrupted, whose struct pt_regs is at @va. */
static bool take_s390_regs(struct unwind_state *s, u64 va)
{
	const struct back_chain *c = chain_of(s);
	u64 mask = 0, addr = 0, sp = 0;

	if (!unwind_read(s, va + c->mask, &mask) || !unwind_read(s, va + c->addr, &addr) ||
	    !unwind_read(s, va + c->regs + 8ULL * GPR_SP, &sp))
		return false;
	if (mask & MASK_USER)
		return unwind_end(s, KSTACK_END_USER, "%s", "");
	if (!addr)
		return unwind_end(s, KSTACK_END_THREAD, "%s", "");
	s->ip = addr;
	take_chain_frame(s, sp);
	s->is_exact = true;
	s->regs_at = va;
	return true;
}

static bool step_by_chain(struct unwind_state *s)
{
	const struct back_chain *c = chain_of(s);
	const u64 before = s->bp;
	const int on_before = s->on;
	u64 caller = 0, ret = 0;

	if (!unwind_read(s, before + c->caller, &caller))
		return false;
	if (!caller) {
		if (!take_s390_regs(s, before + c->frame_size))
			return false;
	} else {
		if (!unwind_read(s, caller + c->gprs + 8 * GPR_RETURN, &ret))
			return false;
		s->ip = ret;
		take_chain_frame(s, caller);
		s->is_exact = false;
		s->regs_at = 0;
	}
	if (s->bp % 8 || !unwind_on_a_stack(s, s->bp, 8))
		return unwind_break(s, "the stack pointer is on no stack of this task");
	if (s->on == on_before && s->bp <= before)
		return unwind_break(s, "the stack leads back into itself");
	return true;
}

/* --- the first frame ----------------------------------------------------- */

/* The function that slept has in its frame where it goes on: __switch_to() put it there. */
static bool begin_s390_asleep(struct unwind_state *s)
{
	const struct back_chain *c = chain_of(s);
	struct vmem *vmem = s->u->tasks->kernel->vmem;
	const u64 sp = s->task->sp;

	if (sp % 8 || !unwind_on_a_stack(s, sp, c->frame_size))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "its stack pointer %#llx is not on its stack at %#llx",
				  sp, s->task->stack);
	if (!vmem_u64(vmem, sp + c->gprs + 8 * GPR_RETURN, &s->ip))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "%s", vmem_why(vmem));
	take_chain_frame(s, sp);
	return true;
}

static bool begin_s390_running(struct unwind_state *s)
{
	u64 regs[NR_REGS];

	if (!kernel_note_regs(s->u->tasks->kernel, s->task->cpu, regs, NR_REGS))
		return unwind_end(s, KSTACK_NOT_UNWOUND, "it ran on CPU %u, whose registers are not in the dump",
				  s->task->cpu);
	if (regs[REG_MASK] & MASK_USER)
		return unwind_end(s, KSTACK_END_USER, "%s", "");
	s->ip = regs[REG_ADDR];
	take_chain_frame(s, regs[REG_SP]);
	s->is_exact = true;
	if (!unwind_on_a_stack(s, s->bp, 8))
		return unwind_end(s, KSTACK_NOT_UNWOUND,
				  "CPU %u was stopped with its stack pointer at %#llx, on no stack of this task",
				  s->task->cpu, s->bp);
	return true;
}

const struct unwind_machine unwind_s390 = {
	.elf = EM_S390,
	.open = open_chain,
	.close = close_chain,
	.add_cpu_stacks = add_s390_stacks,
	.begin_asleep = begin_s390_asleep,
	.begin_running = begin_s390_running,
	.step = step_by_chain,
};
