// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of x86_lbr.c, in the kernel.
 *
 * A fault's handler calls and returns dozens of times before it knows that it is one to die of, and each
 * of these takes the place of a branch that led to the fault.  So they are read at the first place that
 * can be hooked: for page faults a tracepoint, for others the search for a fixup, for BUG the search for
 * its place.
 */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <asm/asm.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>
#include "events/hook.h"
#include "branches.h"
#include "compat.h"
#include "x86_lbr.h"

static struct epitaph_lbr lbr;
static DEFINE_PER_CPU(u64, chosen_before);
static void (*on_fault)(void);

/*
 * Both may be called in NMI: what they need is the exception table alone.  If someone has turned the
 * tracepoints msr:* on, those run, which may be in NMI as well.
 */
int epitaph_msr_read(u32 msr, u64 *value)
{
	return rdmsrq_safe(msr, value);
}

int epitaph_msr_write(u32 msr, u64 value)
{
	return wrmsrq_safe(msr, value);
}

void epitaph_lbr_cpuid(u32 leaf, u32 subleaf, u32 regs[4])
{
	cpuid_count(leaf, subleaf, &regs[0], &regs[1], &regs[2], &regs[3]);
}

static __always_inline int read_msr(u32 msr, u64 *value)
{
	u32 low = 0, high = 0;
	int err = -EIO;

	asm volatile("1: rdmsr\n\txorl %0, %0\n2:\n" _ASM_EXTABLE(1b, 2b)
		     : "+r" (err), "+a" (low), "+d" (high) : "c" (msr));
	*value = (u64)high << 32 | low;
	return err;
}

static __always_inline int write_msr(u32 msr, u64 value)
{
	int err = -EIO;

	asm volatile("1: wrmsr\n\txorl %0, %0\n2:\n" _ASM_EXTABLE(1b, 2b)
		     : "+r" (err) : "c" (msr), "a" ((u32)value), "d" ((u32)(value >> 32)) : "memory");
	return err;
}

const char *epitaph_arch_branches_find(u32 *kind)
{
	const char *why = epitaph_lbr_find(&lbr);

	*kind = lbr.kind;
	return why;
}

int epitaph_arch_branches_on(void)
{
	return epitaph_lbr_on(&lbr, this_cpu_ptr(&chosen_before));
}

void epitaph_arch_branches_off(void)
{
	epitaph_lbr_off(&lbr, *this_cpu_ptr(&chosen_before));
}

int epitaph_arch_branches_freeze(void)
{
	return EPITAPH_LBR_FREEZE(&lbr, read_msr, write_msr);
}

void epitaph_arch_branches_go_on(void)
{
	epitaph_lbr_go_on(&lbr);
}

u32 epitaph_arch_branches_read(struct epitaph_branch *to)
{
	return epitaph_lbr_read(&lbr, to);
}

/* The kernel says so (AC) when it touches memory of a program on purpose. */
static bool may_touch(unsigned long address, const struct pt_regs *regs)
{
	return address < TASK_SIZE_MAX && (regs->flags & X86_EFLAGS_AC || !boot_cpu_has(X86_FEATURE_SMAP));
}

static void on_kernel_page_fault(void *unused, unsigned long address, struct pt_regs *regs,
				 unsigned long error)
{
	if (!may_touch(address, regs))
		on_fault();
}

static void on_other_fault(struct pt_regs *regs)
{
	on_fault();
}

static struct epitaph_hook hooks[] = {
	{ .function = "fixup_exception", .reached = on_other_fault, .optional = true },
	{ .function = "report_bug", .reached = on_other_fault, .optional = true },
};

static struct tracepoint *page_faults;

static void find_page_faults(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "page_fault_kernel"))
		page_faults = tp;
}

void epitaph_arch_branches_watch(void (*take)(void))
{
	unsigned int i;

	on_fault = take;
	for_each_kernel_tracepoint(find_page_faults, NULL);
	if (!page_faults || tracepoint_probe_register(page_faults, on_kernel_page_fault, NULL)) {
		page_faults = NULL;
		pr_info("no tracepoint exceptions:page_fault_kernel: of a page fault, the last branches are mostly those of its handler\n");
	}
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		epitaph_hook_set(&hooks[i]);
}

void epitaph_arch_branches_unwatch(void)
{
	unsigned int i;

	if (!on_fault)
		return;
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		epitaph_hook_clear(&hooks[i]);
	if (page_faults) {
		tracepoint_probe_unregister(page_faults, on_kernel_page_fault, NULL);
		tracepoint_synchronize_unregister();
	}
}
