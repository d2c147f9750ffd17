// SPDX-License-Identifier: GPL-2.0-only
/*
 * arm64.  The kernel's unwinder is not for modules, but each of its functions keeps a frame record,
 * the caller's x29 and the return address, and x29 is the address of the newest one.  The entry of an
 * exception makes one as well, in its struct pt_regs: of x29 and of the place that it came upon.
 */
#include <linux/kernel.h>
#include <linux/libnvdimm.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/arch_timer.h>
#include <asm/sysreg.h>
#include <epitaph/arch_clock.h>
#include <epitaph/plat.h>
#include "arch.h"

#define MAX_SWITCHES	4	/* of stacks: task, interrupt, NMI by SDEI, overflow */
#define STACK_ARGUMENTS	8	/* the number of those in registers */

#ifndef arch_ftrace_regs
#define arch_ftrace_regs(fregs) (fregs)
#endif

unsigned long epitaph_arch_argument(const struct pt_regs *regs, unsigned int n)
{
	unsigned long word;

	if (n < STACK_ARGUMENTS)
		return regs->regs[n];
	n -= STACK_ARGUMENTS;
	if (copy_from_kernel_nofault(&word, (unsigned long *)regs->sp + n, sizeof(word)))
		return 0;
	return word;
}

/* What ftrace does not keep: the exception level and the interrupts' masks, which are as they were. */
static u64 current_pstate(void)
{
	return read_sysreg(CurrentEL) | read_sysreg(daif) | 1;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
struct pt_regs *epitaph_arch_hook_regs(struct ftrace_regs *fregs, struct pt_regs *room)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	if (regs)
		regs->pstate = current_pstate();
	return regs;
}

/* They are ftrace's own. */
void epitaph_arch_hook_return(struct ftrace_regs *fregs, const struct pt_regs *regs)
{
}

#define NR_ENTRY_REGISTERS	31
#else
/* Not by memset(): from a module, its call takes the place of three of the last branches. */
static __always_inline void zero_in_place(struct pt_regs *room)
{
	unsigned int i;

	for (i = 0; i < sizeof(*room) / sizeof(u64); i++)
		WRITE_ONCE(((u64 *)room)[i], 0);
}

struct pt_regs *epitaph_arch_hook_regs(struct ftrace_regs *fregs, struct pt_regs *room)
{
	zero_in_place(room);
	memcpy(room->regs, arch_ftrace_regs(fregs)->regs, sizeof(arch_ftrace_regs(fregs)->regs));
	room->regs[29] = arch_ftrace_regs(fregs)->fp;
	room->regs[30] = arch_ftrace_regs(fregs)->lr;
	room->sp = arch_ftrace_regs(fregs)->sp;
	room->pc = arch_ftrace_regs(fregs)->pc;
	room->pstate = current_pstate();
	return room;
}

void epitaph_arch_hook_return(struct ftrace_regs *fregs, const struct pt_regs *regs)
{
	ftrace_regs_set_instruction_pointer(fregs, regs->pc);
}

#define NR_ENTRY_REGISTERS	14	/* up to x8 */
#endif

/* x16 to x18 are for linkers and shadow stacks, and there is no room for them. */
u32 epitaph_arch_registers(__le64 *to, const struct pt_regs *regs, bool entered)
{
	static const u8 order[] = {
		29, 30, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
	};
	u32 i;

	BUILD_BUG_ON(3 + ARRAY_SIZE(order) > EPITAPH_NR_REGS);
	to[0] = cpu_to_le64(regs->pc);
	to[1] = cpu_to_le64(regs->sp);
	to[2] = cpu_to_le64(regs->pstate);
	for (i = 0; i < ARRAY_SIZE(order); i++)
		to[3 + i] = cpu_to_le64(regs->regs[order[i]]);
	return entered ? NR_ENTRY_REGISTERS : 3 + i;
}

/* The kernel's struct frame_record, which it has under that name from 6.13 on. */
struct stack_record {
	u64 fp;
	u64 lr;
};

/* At its entry a function has made no record yet. */
void epitaph_arch_walk_start(struct epitaph_stack_walk *walk, struct pt_regs *regs, bool entered)
{
	walk->left = EPITAPH_MAX_FRAMES;
	walk->state.switches = MAX_SWITCHES;
	walk->state.fp = user_mode(regs) ? 0 : regs->regs[29];
	walk->state.caller = entered ? regs->regs[30] : 0;
}

/* The registers that an exception saved around its record, or NULL. */
static struct pt_regs *saved_regs(unsigned long at, const struct stack_record *record)
{
	struct pt_regs *regs = (struct pt_regs *)(at - offsetof(struct pt_regs, stackframe));
	u64 pc, fp;

	if (copy_from_kernel_nofault(&pc, &regs->pc, sizeof(pc)) || pc != record->lr ||
	    copy_from_kernel_nofault(&fp, &regs->regs[29], sizeof(fp)) || fp != record->fp)
		return NULL;
	return regs;
}

/* The last record of a stack is all zero. */
static bool read_record(struct epitaph_stack_walk *walk, struct stack_record *record)
{
	if (!walk->left || !IS_ALIGNED(walk->state.fp, 8) ||
	    copy_from_kernel_nofault(record, (void *)walk->state.fp, sizeof(*record)) || !record->lr)
		return false;
	walk->left--;
	return true;
}

/* Records of one stack lie one above the other. */
static void leave_record(struct epitaph_stack_walk *walk, const struct stack_record *record)
{
	if (record->fp <= walk->state.fp && !walk->state.switches--)
		walk->left = 0;
	walk->state.fp = record->fp;
}

bool epitaph_arch_walk_next(struct epitaph_stack_walk *walk, struct epitaph_frame *frame)
{
	struct stack_record record;

	if (walk->state.caller) {
		frame->addr = EPITAPH_ARCH_RETURN_ADDRESS(walk->state.caller);
		frame->is_interrupted = false;
		walk->state.caller = 0;
		return true;
	}
	if (!read_record(walk, &record))
		return false;
	frame->is_interrupted = saved_regs(walk->state.fp, &record) != NULL;
	frame->addr = EPITAPH_ARCH_RETURN_ADDRESS(record.lr);
	leave_record(walk, &record);
	return true;
}

/* The kernel's own words of its other stacks are not for modules. */
unsigned long epitaph_arch_stack_end(const struct epitaph_stack_walk *walk, unsigned long sp)
{
	return 0;
}

/* B and BL: Arm Architecture Reference Manual (DDI 0487), C6.2. */
bool epitaph_arch_goes_to(const u8 *code, size_t size, size_t at, unsigned long addr, unsigned long *to)
{
	u32 word;

	if (at % 4 || at + 4 > size)
		return false;
	word = get_unaligned_le32(code + at);
	if ((word & 0x7c000000) != 0x14000000)
		return false;
	*to = addr + at + ((s64)(s32)(word << 6) >> 4);
	return true;
}

struct pt_regs *epitaph_arch_interrupted(struct pt_regs *regs)
{
	struct epitaph_stack_walk walk;
	struct stack_record record;
	struct pt_regs *saved;

	epitaph_arch_walk_start(&walk, regs, true);
	while (read_record(&walk, &record)) {
		saved = saved_regs(walk.state.fp, &record);
		if (saved)
			return saved;
		leave_record(&walk, &record);
	}
	return regs;
}

/* The architecture has it count at one pace on all CPUs, asleep as well; some chips get it wrong. */
static bool counter_needs_workaround(void)
{
#ifdef CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct arch_timer_erratum_workaround *wa = per_cpu(timer_unstable_counter_workaround, cpu);

		if (wa && wa->read_cntvct_el0)
			return true;
	}
#endif
	return false;
}

/*
 * Where the kernel of a host runs below its hypervisor (nVHE), KVM leaves the offset of a guest in
 * CNTVOFF_EL2 while the thread of its vCPU is in the kernel (kvm_timer_vcpu_put() takes it out).
 * Such a kernel counts by CNTPCT_EL0 itself.  Whether it does, the name of its function says.
 */
static bool counter_moves_with_guests(void)
{
	static int moves = -1;
	char name[KSYM_SYMBOL_LEN];

	if (moves < 0) {
		sprint_symbol_no_offset(name, (unsigned long)arch_timer_read_counter);
		moves = !is_kernel_in_hyp_mode() && strstr(name, "cntpct");
	}
	return moves;
}

bool epitaph_arch_counter_is_good(void)
{
	return epitaph_arch_counter_khz() && !counter_needs_workaround() && !counter_moves_with_guests();
}

u32 epitaph_arch_counter_khz(void)
{
	return read_sysreg(cntfrq_el0) / 1000;
}

void epitaph_arch_write_back(void *at, size_t size)
{
	arch_wb_cache_pmem(at, size);
}

void epitaph_arch_drop_line(void *word)
{
	arch_wb_cache_pmem(word, sizeof(u64));
	mb();	/* it has left before it is forgotten */
	arch_invalidate_pmem(word, sizeof(u64));
}

bool epitaph_arch_is_module(unsigned long addr)
{
	return addr >= MODULES_VADDR && addr < MODULES_END;
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
