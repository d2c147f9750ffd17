// SPDX-License-Identifier: GPL-2.0-only
/* x86-64: stacks by the kernel's unwinder, which knows where they end. */
#include <linux/kernel.h>
#include <linux/libnvdimm.h>
#include <linux/sched.h>
#include <asm/cacheflush.h>
#include <asm/e820/api.h>
#include <asm/pgtable.h>
#include <asm/tsc.h>
#ifdef CONFIG_ARCH_HAS_CC_PLATFORM
#include <linux/cc_platform.h>
#else
#include <linux/mem_encrypt.h>
#endif
#include <epitaph/arch_clock.h>
#include <epitaph/plat.h>
#include "arch.h"
#include "compat.h"


unsigned long epitaph_arch_argument(const struct pt_regs *regs, unsigned int n)
{
	return regs_get_kernel_argument((struct pt_regs *)regs, n);
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
	const unsigned long list[] = {
		regs->ip, regs->sp, regs->flags, regs->ax, regs->bx, regs->cx,
		regs->dx, regs->si, regs->di, regs->bp, regs->r8, regs->r9,
		regs->r10, regs->r11, regs->r12, regs->r13, regs->r14, regs->r15,
		regs->cs, regs->ss, regs->orig_ax,
	};
	u32 i;

	BUILD_BUG_ON(ARRAY_SIZE(list) > EPITAPH_NR_REGS);
	for (i = 0; i < ARRAY_SIZE(list); i++)
		to[i] = cpu_to_le64(list[i]);
	return i;
}

/*
 * unwind_start() with registers has left their frame already (6.1, __unwind_start() in
 * arch/x86/kernel/unwind_orc.c): its state is at the direct caller.
 */
void epitaph_arch_walk_start(struct epitaph_stack_walk *walk, struct pt_regs *regs, bool entered)
{
	walk->left = EPITAPH_MAX_FRAMES;
	unwind_start(&walk->state, current, regs, NULL);
}

bool epitaph_arch_walk_next(struct epitaph_stack_walk *walk, struct epitaph_frame *frame)
{
	bool partial;

	if (!walk->left-- || unwind_done(&walk->state))
		return false;
	frame->addr = unwind_get_return_address(&walk->state);
	frame->is_interrupted = unwind_get_entry_regs(&walk->state, &partial) != NULL;
	unwind_next_frame(&walk->state);
	return frame->addr != 0;
}

unsigned long epitaph_arch_stack_end(const struct epitaph_stack_walk *walk, unsigned long sp)
{
	const struct stack_info *info = &walk->state.stack_info;
	struct unwind_state here;

	/* It knows no place without code; the exception is on the same stack. */
	if (info->type == STACK_TYPE_UNKNOWN) {
		unwind_start(&here, current, NULL, NULL);
		info = &here.stack_info;
	}
	if (info->type == STACK_TYPE_UNKNOWN || sp < (unsigned long)info->begin || sp >= (unsigned long)info->end)
		return 0;
	return (unsigned long)info->end;
}

/* call, jmp, and jumps on a condition, by 32 bits: Intel's manual, volume 2, CALL, JMP and Jcc. */
bool epitaph_arch_goes_to(const u8 *code, size_t size, size_t at, unsigned long addr, unsigned long *to)
{
	size_t opcode = code[at] == 0xe8 || code[at] == 0xe9 ? 1 :
			at + 1 < size && code[at] == 0x0f && (code[at + 1] & 0xf0) == 0x80 ? 2 : 0;

	if (!opcode || at + opcode + 4 > size)
		return false;
	*to = addr + at + opcode + 4 + (s32)get_unaligned_le32(code + at + opcode);
	return true;
}

struct pt_regs *epitaph_arch_interrupted(struct pt_regs *regs)
{
	struct pt_regs *entry = NULL;
	struct epitaph_stack_walk walk;
	bool partial = false;

	epitaph_arch_walk_start(&walk, regs, true);
	while (!entry && walk.left-- && !unwind_done(&walk.state)) {
		entry = unwind_get_entry_regs(&walk.state, &partial);
		unwind_next_frame(&walk.state);
	}
	return entry && !partial ? entry : regs;
}

/* The kernel has watched the TSC since it booted. */
bool epitaph_arch_counter_is_good(void)
{
	return tsc_khz && !check_tsc_unstable();
}

u32 epitaph_arch_counter_khz(void)
{
	return tsc_khz;
}

void epitaph_arch_write_back(void *at, size_t size)
{
	arch_wb_cache_pmem(at, size);
}

/* It has an mb() before and behind it. */
void epitaph_arch_drop_line(void *word)
{
	clflush_cache_range(word, sizeof(u64));
}

bool epitaph_arch_is_module(unsigned long addr)
{
	return addr >= MODULES_VADDR && addr < MODULES_END;
}

/* 5.16 has one answer for all makers (aa5a461171f9); before, sev_active() is AMD's. */
bool epitaph_arch_is_confidential(void)
{
#if defined(CONFIG_ARCH_HAS_CC_PLATFORM)
	return cc_platform_has(CC_ATTR_GUEST_MEM_ENCRYPT);
#elif defined(CONFIG_AMD_MEM_ENCRYPT)
	return sev_active();
#else
	return false;
#endif
}

/* memremap() asks for it, and the firmware's MTRRs may have another type for these addresses. */
bool epitaph_arch_is_write_back(const void *page)
{
	unsigned int level;
	pte_t *pte = lookup_address((unsigned long)page, &level);

	return !pte || !(pte_flags(*pte) & (_PAGE_PWT | _PAGE_PCD));
}

/* The ends: memmap= makes one piece of it. */
bool epitaph_arch_sets_aside(u64 at, u64 bytes)
{
	return e820__mapped_any(at, at + 1, E820_TYPE_PRAM) &&
	       e820__mapped_any(at + bytes - 1, at + bytes, E820_TYPE_PRAM);
}
