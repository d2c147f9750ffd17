// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of arm64_brbe.c, in the kernel.
 *
 * As on x86, what leads to a fault is soon pushed out by its handler.  The first function of it that can be
 * hooked is do_mem_abort(), of each abort: the entries before it are noinstr.  BUG and WARN are
 * searched for in report_bug().  Other exceptions end in die(), which begins with oops_enter().
 */
#include <linux/arm-smccc.h>
#include <linux/cpu_pm.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include <asm/virt.h>
#include "events/hook.h"
#include "arm64_brbe.h"
#include "branches.h"

/* Kernels before 6.5 have no names of them: Arm's manual, D24.8, "Accessing" of each. */
#define BRBCR_EL1		sys_reg(2, 1, 9, 0, 0)
#define BRBFCR_EL1		sys_reg(2, 1, 9, 0, 1)
#define BRBIDR0_EL1		sys_reg(2, 1, 9, 2, 0)
#define BRBCR_EL12		sys_reg(2, 5, 9, 0, 0)
/* @kind: 0 BRBINF, 1 BRBSRC, 2 BRBTGT */
#define BRB_RECORD(n, kind)	sys_reg(2, 1, 8, (n) & 15, ((n) & 16) >> 2 | (kind))
#define BRB_IALL		"sys #1, c7, c2, #4"

/*
 * SMCCC_ARCH_FEATURE_AVAILABILITY, from SMCCC 1.5 on (Arm DEN 0028): which of the features that bits of a
 * register of EL3 stand for the caller may use.  Trusted Firmware-A, services/arm_arch_svc.
 */
#define FEATURE_AVAILABILITY	0xc0000003
#define OF_MDCR_EL3		0x1e1320
#define SBRBE_BIT		32

struct cpu_brbe {
	bool is_on;
	bool was_ours;			/* before it slept */
	struct epitaph_brbe brbe;
	struct epitaph_brbe_before before;
};

static DEFINE_PER_CPU(struct cpu_brbe, brbes);
static enum epitaph_brbe_firmware firmware;
static void (*on_fault)(void);

/* The number is a part of the instruction. */
#define CASE(n, kind, base)	case (base) + (n): return read_sysreg_s(BRB_RECORD(n, kind))
#define CASES_4(n, kind, base)	CASE(n, kind, base); CASE((n) + 1, kind, base); \
				CASE((n) + 2, kind, base); CASE((n) + 3, kind, base)
#define CASES_16(n, kind, base)	CASES_4(n, kind, base); CASES_4((n) + 4, kind, base); \
				CASES_4((n) + 8, kind, base); CASES_4((n) + 12, kind, base)
#define CASES(kind, base)	CASES_16(0, kind, base); CASES_16(16, kind, base)

u64 epitaph_brbe_get(u32 reg)
{
	switch (reg) {
	case EPITAPH_BRBIDR0:
		return read_sysreg_s(BRBIDR0_EL1);
	case EPITAPH_BRBCR:
		return read_sysreg_s(BRBCR_EL1);
	case EPITAPH_BRBCR_EL12:
		return read_sysreg_s(BRBCR_EL12);
	case EPITAPH_BRBFCR:
		return read_sysreg_s(BRBFCR_EL1);
	CASES(0, EPITAPH_BRBINF);
	CASES(1, EPITAPH_BRBSRC);
	CASES(2, EPITAPH_BRBTGT);
	}
	return 0;
}

void epitaph_brbe_set(u32 reg, u64 value)
{
	switch (reg) {
	case EPITAPH_BRBCR:
		write_sysreg_s(value, BRBCR_EL1);
		break;
	case EPITAPH_BRBCR_EL12:
		write_sysreg_s(value, BRBCR_EL12);
		break;
	case EPITAPH_BRBFCR:
		write_sysreg_s(value, BRBFCR_EL1);
		break;
	}
}

void epitaph_brbe_sync(void)
{
	isb();
}

void epitaph_brbe_forget(void)
{
	/* Branches until here are recorded first. */
	isb();
	asm volatile(BRB_IALL);
}

/* EPITAPH_BRBE_FREEZE() wants them in place. */
#define GET(reg)	((reg) == EPITAPH_BRBFCR ? read_sysreg_s(BRBFCR_EL1) : read_sysreg_s(BRBCR_EL1))
#define SET(reg, value)	write_sysreg_s(value, BRBFCR_EL1)

static enum epitaph_brbe_firmware ask_firmware(void)
{
	struct arm_smccc_res res;

	if (arm_smccc_get_version() < ARM_SMCCC_VERSION_1_1)
		return EPITAPH_FIRMWARE_IS_SILENT;
	arm_smccc_1_1_invoke(ARM_SMCCC_ARCH_FEATURES_FUNC_ID, FEATURE_AVAILABILITY, &res);
	if ((int)res.a0 < 0)
		return EPITAPH_FIRMWARE_IS_SILENT;
	arm_smccc_1_1_invoke(FEATURE_AVAILABILITY, OF_MDCR_EL3, &res);
	if (res.a0)
		return EPITAPH_FIRMWARE_IS_SILENT;
	return res.a1 >> SBRBE_BIT & 1 ? EPITAPH_FIRMWARE_GRANTS : EPITAPH_FIRMWARE_REFUSES;
}

static struct epitaph_brbe_machine this_machine(void)
{
	return (struct epitaph_brbe_machine){
		.dfr0 = read_sysreg(id_aa64dfr0_el1),
		.pfr0 = read_sysreg(id_aa64pfr0_el1),
		.is_host = is_kernel_in_hyp_mode(),
		.has_driver = IS_ENABLED(CONFIG_ARM64_BRBE),
		.firmware = firmware,
	};
}

struct question {
	const char *why;
	struct epitaph_brbe brbe;
};

static void ask_for_brbe(void *data)
{
	struct epitaph_brbe_machine machine = this_machine();
	struct question *question = data;

	question->why = epitaph_brbe_may_touch(&machine) ?: epitaph_brbe_find(&machine, &question->brbe);
}

/* They may differ: the small ones of a machine may have none. */
const char *epitaph_arch_branches_find(u32 *kind)
{
	struct question question = { .why = "no CPU is online" };
	int cpu;

	firmware = ask_firmware();
	for_each_online_cpu(cpu) {
		smp_call_function_single(cpu, ask_for_brbe, &question, true);
		if (!question.why)
			break;
	}
	if (!question.why)
		*kind = EPITAPH_BRANCHES_BRBE;
	return question.why;
}

int epitaph_arch_branches_on(void)
{
	struct cpu_brbe *mine = this_cpu_ptr(&brbes);
	struct question question;
	int err;

	ask_for_brbe(&question);
	if (question.why)
		return -ENODEV;
	mine->brbe = question.brbe;
	err = epitaph_brbe_on(&mine->brbe, &mine->before);
	WRITE_ONCE(mine->is_on, !err);
	return err;
}

void epitaph_arch_branches_off(void)
{
	struct cpu_brbe *mine = this_cpu_ptr(&brbes);

	WRITE_ONCE(mine->is_on, false);
	barrier();
	epitaph_brbe_off(&mine->brbe, &mine->before);
}

int epitaph_arch_branches_freeze(void)
{
	const struct cpu_brbe *mine = this_cpu_ptr(&brbes);

	return EPITAPH_BRBE_FREEZE(&mine->brbe, GET, SET, isb);
}

void epitaph_arch_branches_go_on(void)
{
	epitaph_brbe_go_on(this_cpu_ptr(&brbes.brbe));
}

u32 epitaph_arch_branches_read(struct epitaph_branch *to)
{
	return epitaph_brbe_read(this_cpu_ptr(&brbes.brbe), to);
}

#ifdef CONFIG_CPU_PM
/*
 * A CPU that sleeps so deep that it loses its registers wakes up behind a reset, with them off; the kernel's
 * own driver turns them off whenever a CPU wakes.  This runs behind it.
 */
static int on_sleep(struct notifier_block *self, unsigned long what, void *unused)
{
	struct cpu_brbe *mine = this_cpu_ptr(&brbes);
	struct epitaph_brbe_before ignored;

	if (!mine->is_on)
		return NOTIFY_OK;
	if (what == CPU_PM_ENTER)
		mine->was_ours = epitaph_brbe_is_ours(&mine->brbe);
	if (what == CPU_PM_EXIT && mine->was_ours && !epitaph_brbe_is_ours(&mine->brbe))
		epitaph_brbe_on(&mine->brbe, &ignored);
	return NOTIFY_OK;
}

static struct notifier_block sleep_block = {
	.notifier_call = on_sleep,
	.priority = INT_MIN,
};

static void watch_sleep(void)
{
	cpu_pm_register_notifier(&sleep_block);
}

static void unwatch_sleep(void)
{
	cpu_pm_unregister_notifier(&sleep_block);
}
#else
static void watch_sleep(void)
{
}

static void unwatch_sleep(void)
{
}
#endif

#define IS_OF_USER_SPACE(address)	(!((address) >> 55 & 1))	/* TTBR0_EL1 has it; the top byte may be a tag */
#define IS_DATA_ABORT_OF_KERNEL(esr)	(((esr) >> 26 & 0x3f) == 0x25)	/* ESR_EL1.EC */
/* LDTR and STTR of all sizes: "Load/store register (unprivileged)", C4.1 of Arm's manual. */
#define IS_UNPRIVILEGED(instruction)	(((instruction) & 0x3f200c00) == 0x38000800)

/* The kernel does so by instructions of their own, or says so (PAN), when it touches memory of a program on purpose. */
static __always_inline bool touches_program(unsigned long address, u32 esr, const struct pt_regs *regs)
{
	if (!IS_OF_USER_SPACE(address) || !IS_DATA_ABORT_OF_KERNEL(esr))
		return false;
	return !(regs->pstate & PSR_PAN_BIT) || IS_UNPRIVILEGED(le32_to_cpup((__le32 *)regs->pc));
}

/* do_mem_abort(address, syndrome, registers) */
static void on_abort(struct pt_regs *regs)
{
	const struct pt_regs *from = (const struct pt_regs *)regs->regs[2];

	if (!user_mode(from) && !touches_program(regs->regs[0], regs->regs[1], from))
		on_fault();
}

static void on_bug(struct pt_regs *regs)
{
	on_fault();
}

static struct epitaph_hook hooks[] = {
	{ .function = "do_mem_abort", .reached = on_abort, .optional = true },
	{ .function = "report_bug", .reached = on_bug, .optional = true },
};

void epitaph_arch_branches_watch(void (*take)(void))
{
	unsigned int i;

	on_fault = take;
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (epitaph_hook_set(&hooks[i]))
			pr_info("no hook on %s: of a fault, the last branches are mostly those of its handler\n", hooks[i].function);
	watch_sleep();
}

void epitaph_arch_branches_unwatch(void)
{
	unsigned int i;

	if (!on_fault)
		return;
	unwatch_sleep();
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		epitaph_hook_clear(&hooks[i]);
}
