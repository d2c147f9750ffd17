// SPDX-License-Identifier: GPL-2.0-only
/*
 * An architecture that has no file of its own: place and stack pointer of a stopped CPU, no frames,
 * the kernel's clock.
 */
#include <linux/kernel.h>
#include <linux/libnvdimm.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include "arch.h"

unsigned long epitaph_arch_argument(const struct pt_regs *regs, unsigned int n)
{
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
	return regs_get_kernel_argument((struct pt_regs *)regs, n);
#else
	return 0;
#endif
}

#ifdef EPITAPH_GENERIC_PARTIAL_REGS
/* Of perf is what says that they are the kernel's. */
struct pt_regs *epitaph_arch_hook_regs(struct ftrace_regs *fregs, struct pt_regs *room)
{
	if (!fregs)
		return NULL;
	memset(room, 0, sizeof(*room));
	perf_arch_fetch_caller_regs(room, 0);
	return ftrace_partial_regs(fregs, room);
}

void epitaph_arch_hook_return(struct ftrace_regs *fregs, const struct pt_regs *regs)
{
	ftrace_regs_set_instruction_pointer(fregs, instruction_pointer((struct pt_regs *)regs));
}
#else
struct pt_regs *epitaph_arch_hook_regs(struct ftrace_regs *fregs, struct pt_regs *room)
{
	return ftrace_get_regs(fregs);
}

void epitaph_arch_hook_return(struct ftrace_regs *fregs, const struct pt_regs *regs)
{
}
#endif

u32 epitaph_arch_registers(__le64 *to, const struct pt_regs *regs, bool entered)
{
	to[0] = cpu_to_le64(instruction_pointer((struct pt_regs *)regs));
	to[1] = cpu_to_le64(kernel_stack_pointer((struct pt_regs *)regs));
	return 2;
}

void epitaph_arch_walk_start(struct epitaph_stack_walk *walk, struct pt_regs *regs, bool entered)
{
}

bool epitaph_arch_walk_next(struct epitaph_stack_walk *walk, struct epitaph_frame *frame)
{
	return false;
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

void epitaph_arch_write_back(void *at, size_t size)
{
	arch_wb_cache_pmem(at, size);
}

void epitaph_arch_drop_line(void *word)
{
	/* order:drop is for memory: the store has left the CPU before the load begins */
	mb();
}

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
