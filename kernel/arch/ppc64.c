// SPDX-License-Identifier: GPL-2.0-only
/*
 * ppc64.  Stacks by the back chain: r1 is the address of the newest frame, its first word that of the
 * caller's, and the third word of that one is where the function returns to.  Where an exception saved
 * registers, its frame has a marker.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>
#include <asm/cacheflush.h>
#include "arch.h"

#define FIRST_ARGUMENT	3	/* r3 */
#define NR_ARGUMENTS	8	/* in registers */
#define STACK_ARGUMENTS	4	/* words of a frame before those that are on the stack */
#define MAX_SWITCHES	4	/* of stacks: task, interrupt, soft interrupt, emergency */

unsigned long epitaph_arch_argument(const struct pt_regs *regs, unsigned int n)
{
	unsigned long word;

	if (n < NR_ARGUMENTS)
		return regs->gpr[FIRST_ARGUMENT + n];
	/* The caller's frame has room for all of them. */
	if (copy_from_kernel_nofault(&word, (unsigned long *)regs->gpr[1] + STACK_ARGUMENTS + n, sizeof(word)))
		return 0;
	return word;
}

struct pt_regs *epitaph_arch_hook_regs(struct ftrace_regs *fregs, struct pt_regs *room)
{
	return ftrace_get_regs(fregs);
}

/* A function finds its data by r12, the address of its global entry; ftrace sets it for livepatches alone. */
void epitaph_arch_hook_return(struct ftrace_regs *fregs, const struct pt_regs *regs)
{
	ftrace_get_regs(fregs)->gpr[12] = regs->nip;
}

/* r13 is the CPU's own, and there is no room for r30 and r31. */
u32 epitaph_arch_registers(__le64 *to, const struct pt_regs *regs, bool entered)
{
	u32 i, n = 0;

	to[n++] = cpu_to_le64(regs->nip);
	to[n++] = cpu_to_le64(regs->msr);
	to[n++] = cpu_to_le64(regs->link);
	for (i = 0; n < EPITAPH_NR_REGS; i++)
		if (i != 13)
			to[n++] = cpu_to_le64(regs->gpr[i]);
	return n;
}

/* At its entry a function has made no frame, and the link register is where it returns to. */
void epitaph_arch_walk_start(struct epitaph_stack_walk *walk, struct pt_regs *regs, bool entered)
{
	walk->left = EPITAPH_MAX_FRAMES;
	walk->state.switches = MAX_SWITCHES;
	walk->state.sp = user_mode(regs) ? 0 : regs->gpr[1];
	walk->state.caller = entered ? regs->link : 0;
}

static bool read_word(unsigned long at, unsigned long *word)
{
	return at && IS_ALIGNED(at, 8) && !copy_from_kernel_nofault(word, (void *)at, sizeof(*word));
}

/* The registers that an exception saved in the frame at @sp, or NULL. */
static struct pt_regs *exception_regs(unsigned long sp)
{
#ifdef STACK_INT_FRAME_REGS
	struct pt_regs *regs = (struct pt_regs *)(sp + STACK_INT_FRAME_REGS);
	unsigned long marker, word;

	if (read_word(sp + STACK_INT_FRAME_MARKER, &marker) && marker == STACK_FRAME_REGS_MARKER &&
	    read_word((unsigned long)&regs->nip, &word) && read_word((unsigned long)&regs->softe, &word))
		return regs;
#endif
	return NULL;
}

/* To the caller's frame.  Frames of one stack lie one above the other. */
static bool leave_frame(struct epitaph_stack_walk *walk)
{
	unsigned long next;

	if (!walk->left || !read_word(walk->state.sp, &next) || !next)
		return false;
	walk->left--;
	if (next <= walk->state.sp && !walk->state.switches--)
		return false;
	walk->state.sp = next;
	return true;
}

static bool give_frame(struct epitaph_frame *frame, unsigned long addr, bool is_interrupted)
{
	frame->addr = addr;
	frame->is_interrupted = is_interrupted;
	return true;
}

bool epitaph_arch_walk_next(struct epitaph_stack_walk *walk, struct epitaph_frame *frame)
{
	struct pt_regs *regs = exception_regs(walk->state.sp);
	unsigned long addr = walk->state.caller;

	walk->state.caller = 0;
	if (addr)
		return give_frame(frame, addr, false);
	if (!leave_frame(walk))
		return false;
	if (regs && user_mode(regs))
		return false;
	if (regs)
		return give_frame(frame, instruction_pointer(regs), true);
	return read_word(walk->state.sp + STACK_FRAME_LR_SAVE * sizeof(long), &addr) && addr &&
	       give_frame(frame, addr, false);
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

	epitaph_arch_walk_start(&walk, regs, true);
	do {
		struct pt_regs *saved = exception_regs(walk.state.sp);

		if (saved)
			return saved;
	} while (leave_frame(&walk));
	return regs;
}

bool epitaph_arch_counter_is_good(void)
{
	return false;
}

u32 epitaph_arch_counter_khz(void)
{
	return 0;
}

/* What the kernel has for persistent memory is a variant of dcbf that QEMU 7.2 does not know. */
void epitaph_arch_write_back(void *at, size_t size)
{
	clean_dcache_range((unsigned long)at, (unsigned long)at + size);
}

void epitaph_arch_drop_line(void *word)
{
	flush_dcache_range((unsigned long)word, (unsigned long)word + sizeof(u64));
}

bool epitaph_arch_is_module(unsigned long addr)
{
	return is_vmalloc_addr((void *)addr);
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
