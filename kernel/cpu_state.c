// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a CPU was doing when it was stopped.  Runs in a dying kernel, in NMI as
 * well: takes no lock, allocates nothing, and reads stacks only by way of the
 * kernel's unwinder, which knows where they end.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#ifdef CONFIG_X86_64
#include <asm/unwind.h>
#endif
#include "cpu_state.h"
#include "recorder.h"

#ifdef CONFIG_X86_64
static u32 copy_registers(__le64 *to, const struct pt_regs *regs)
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

/* The first that the unwinder gives is the instruction pointer itself. */
static u32 walk_stack(__le64 *to, struct pt_regs *regs)
{
	struct unwind_state state;
	unsigned long addr;
	u32 n = 0;

	unwind_start(&state, current, regs, NULL);
	while (n < EPITAPH_NR_FRAMES && !unwind_done(&state)) {
		unwind_next_frame(&state);
		addr = unwind_get_return_address(&state);
		if (!addr)
			break;
		to[n++] = cpu_to_le64(addr);
	}
	return n;
}
#else
static u32 copy_registers(__le64 *to, const struct pt_regs *regs)
{
	to[0] = cpu_to_le64(instruction_pointer(regs));
	to[1] = cpu_to_le64(kernel_stack_pointer((struct pt_regs *)regs));
	return 2;
}

static u32 walk_stack(__le64 *to, struct pt_regs *regs)
{
	return 0;
}
#endif

/* A return address may lie behind a function that never returns: %pB knows. */
static void write_names(struct epitaph_cpu *to, struct pt_regs *regs, u32 nr_frames)
{
	size_t n = 0, size = sizeof(to->text);
	u32 i;

	if (user_mode(regs))
		n += scnprintf(to->text, size, "in user space\n");
	else
		n += scnprintf(to->text, size, "%pS\n",
			       (void *)instruction_pointer(regs));
	for (i = 0; i < nr_frames; i++)
		n += scnprintf(to->text + n, size - n, "%pB\n",
			       (void *)(unsigned long)le64_to_cpu(to->frames[i]));
}

/* In place: the check comes last, and until then there is nothing. */
static void write_state(struct epitaph_cpu *to, unsigned int cpu, struct pt_regs *regs)
{
	u32 n;

	to->clock = cpu_to_le64(epitaph_clock());
	to->cpu = cpu_to_le32(cpu);
	to->pid = cpu_to_le32(current->pid);
	strscpy(to->comm, current->comm, sizeof(to->comm));
	to->nr_regs = cpu_to_le32(copy_registers(to->regs, regs));
	n = walk_stack(to->frames, regs);
	to->nr_frames = cpu_to_le32(n);
	write_names(to, regs, n);
	/* All of it before the check that vouches for it. */
	smp_wmb();
	WRITE_ONCE(to->check, cpu_to_le64(epitaph_check(epitaph_region.salt, to,
				offsetof(struct epitaph_cpu, check))));
}

void epitaph_cpu_save(unsigned int cpu, struct pt_regs *regs)
{
	static DECLARE_BITMAP(saved, NR_CPUS);
	struct epitaph_cpu *cpus;
	size_t size;

	cpus = epitaph_section(EPITAPH_SEC_CPUS, &size);
	if (cpu >= size / sizeof(*cpus) || test_and_set_bit(cpu, saved))
		return;
	write_state(&cpus[cpu], cpu, regs);
}
