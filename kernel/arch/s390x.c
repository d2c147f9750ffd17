// SPDX-License-Identifier: GPL-2.0-only
/* s390x: stacks by the kernel's unwinder, which knows where they end; the TOD clock. */
#include <linux/kernel.h>
#include <linux/libnvdimm.h>
#include <linux/sched.h>
#include <asm/barrier.h>
#include <asm/timex.h>
#include "arch.h"

#define STACK_ARGUMENTS	5	/* the number of those in registers, from r2 on */

/* What the kernel's own regs_get_kernel_argument() calls is not exported. */
unsigned long epitaph_arch_argument(const struct pt_regs *regs, unsigned int n)
{
	if (n < STACK_ARGUMENTS)
		return regs->gprs[2 + n];
	return ((unsigned long *)(regs->gprs[15] + STACK_FRAME_OVERHEAD))[n - STACK_ARGUMENTS];
}

struct pt_regs *epitaph_arch_hook_regs(struct ftrace_regs *fregs, struct pt_regs *room)
{
	return ftrace_get_regs(fregs);
}

/* They are ftrace's own. */
void epitaph_arch_hook_return(struct ftrace_regs *fregs, const struct pt_regs *regs)
{
}

u32 epitaph_arch_registers(__le64 *to, const struct pt_regs *regs, bool entered)
{
	u32 i;

	to[0] = cpu_to_le64(regs->psw.addr);
	to[1] = cpu_to_le64(regs->psw.mask);
	for (i = 0; i < ARRAY_SIZE(regs->gprs); i++)
		to[2 + i] = cpu_to_le64(regs->gprs[i]);
	return 2 + i;
}

/* unwind_start() with registers is at them; the caller is the next one. */
void epitaph_arch_walk_start(struct epitaph_stack_walk *walk, struct pt_regs *regs, bool entered)
{
	walk->left = EPITAPH_MAX_FRAMES;
	unwind_start(&walk->state, current, regs, 0);
}

bool epitaph_arch_walk_next(struct epitaph_stack_walk *walk, struct epitaph_frame *frame)
{
	if (!walk->left-- || unwind_done(&walk->state) || !unwind_next_frame(&walk->state))
		return false;
	frame->addr = unwind_get_return_address(&walk->state);
	frame->is_interrupted = walk->state.regs != NULL;
	return frame->addr != 0;
}

unsigned long epitaph_arch_stack_end(const struct epitaph_stack_walk *walk, unsigned long sp)
{
	return 0;
}

bool epitaph_arch_goes_to(const u8 *code, size_t size, size_t at, unsigned long addr, unsigned long *to)
{
	return false;
}

struct pt_regs *epitaph_arch_interrupted(struct pt_regs *regs)
{
	struct epitaph_stack_walk walk;
	struct epitaph_frame frame;

	epitaph_arch_walk_start(&walk, regs, true);
	while (epitaph_arch_walk_next(&walk, &frame))
		if (frame.is_interrupted)
			return walk.state.regs;
	return regs;
}

/*
 * The architecture has one TOD clock for all CPUs, at one pace.  A server's time (STP) may move it: then
 * the kernel moves the base of its own clock as far.
 */
bool epitaph_arch_counter_is_good(void)
{
	static u64 base;

	if (!base)
		base = tod_clock_base.tod;
	return base == tod_clock_base.tod;
}

u32 epitaph_arch_counter_khz(void)
{
	return 4096000 >> EPITAPH_TOD_SHIFT;
}

void epitaph_arch_write_back(void *at, size_t size)
{
	arch_wb_cache_pmem(at, size);
}

void epitaph_arch_drop_line(void *word)
{
	mb();	/* the store has left the CPU before the load begins */
}

/* Where they lie is not exported. */
bool epitaph_arch_is_module(unsigned long addr)
{
	return false;
}

bool epitaph_arch_is_confidential(void)
{
	return false;
}

bool epitaph_arch_is_write_back(const void *page)
{
	return true;
}

bool epitaph_arch_sets_aside(u64 at, u64 bytes)
{
	return false;
}
