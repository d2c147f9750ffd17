// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a CPU was doing when it was stopped.  Runs in a dying kernel, in NMI as
 * well: takes no lock, allocates nothing, and reads stacks only by arch/, which knows
 * where they end.
 */
#include <linux/bitops.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "arch/arch.h"
#include "cpu_state.h"
#include "core/lost.h"
#include "recorder.h"

#define FIRST_FRAMES	40	/* innermost frames that have a line */
#define LAST_FRAMES	8	/* outermost frames that have a line in any case */
#define LAST_ROOM	600	/* bytes of text for these */
#define LEFT_OUT	"(%u frames left out)\n"
#define LEFT_OUT_ROOM	32	/* bytes of that line */

/* What has been written of the names. */
struct names {
	char *text;
	size_t used;
	size_t size;
};

/* A line that does not fit whole is not there. */
static __printf(2, 3) bool write_line(struct names *names, const char *format, ...)
{
	size_t room = names->size - names->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(names->text + names->used, room, format, args);
	va_end(args);
	if (n >= room) {
		names->text[names->used] = '\0';
		return false;
	}
	names->used += n;
	return true;
}

/* A return address may lie behind a function that never returns: %pB knows. */
static bool write_frame(struct names *names, const struct epitaph_frame *frame)
{
	if (frame->is_interrupted)
		return write_line(names, "%pS\n", (void *)frame->addr);
	return write_line(names, "%pB\n", (void *)frame->addr);
}

static void write_ip(struct names *names, struct pt_regs *regs)
{
	if (user_mode(regs))
		write_line(names, "in user space\n");
	else
		write_line(names, "%pS\n", (void *)instruction_pointer(regs));
}

/* Frames without a line yet: the newest LAST_FRAMES of @nr. */
struct last_frames {
	struct epitaph_frame frames[LAST_FRAMES];
	u32 nr;
};

static void write_last_frames(struct names *names, const struct last_frames *last)
{
	u32 i = last->nr > LAST_FRAMES ? last->nr - LAST_FRAMES : 0;

	if (i)
		write_line(names, LEFT_OUT, i);
	names->size -= LEFT_OUT_ROOM;
	while (i < last->nr && write_frame(names, &last->frames[i % LAST_FRAMES]))
		i++;
	names->size += LEFT_OUT_ROOM;
	if (i < last->nr)
		write_line(names, LEFT_OUT, last->nr - i);
}

/*
 * A stack may be deeper than there is room, as after an endless recursion.  Then the innermost
 * frames are kept, where it died, and the outermost ones, which led there.
 */
static void write_stack(struct epitaph_cpu *to, struct pt_regs *regs, struct epitaph_stack_walk *walk)
{
	struct names names = { to->text, 0, sizeof(to->text) };
	struct last_frames last = { .nr = 0 };
	struct epitaph_frame frame;
	u32 n;

	write_ip(&names, regs);
	for (n = 0; epitaph_arch_walk_next(walk, &frame); n++) {
		if (n < EPITAPH_NR_FRAMES)
			to->frames[n] = cpu_to_le64(frame.addr);
		if (last.nr || n >= FIRST_FRAMES || names.size - names.used < LAST_ROOM ||
		    !write_frame(&names, &frame))
			last.frames[last.nr++ % LAST_FRAMES] = frame;
	}
	to->nr_frames = cpu_to_le32(min_t(u32, n, EPITAPH_NR_FRAMES));
	write_last_frames(&names, &last);
}

/* In place: the check comes last, and until then there is nothing. */
static void write_state(struct epitaph_cpu *to, unsigned int cpu, struct pt_regs *regs, u32 nr_regs,
			struct epitaph_stack_walk *walk)
{
	to->clock = cpu_to_le64(epitaph_clock());
	to->cpu = cpu_to_le32(cpu);
	to->pid = cpu_to_le32(current->pid);
	strscpy(to->comm, current->comm, sizeof(to->comm));
	to->nr_regs = cpu_to_le32(nr_regs);
	write_stack(to, regs, walk);
	/* All of it before the check that vouches for it. */
	smp_wmb();
	WRITE_ONCE(to->check, cpu_to_le64(epitaph_check(epitaph_region.salt, to,
				offsetof(struct epitaph_cpu, check))));
}

/* Where the state of @cpu goes, once; or NULL. */
static struct epitaph_cpu *take_entry(unsigned int cpu)
{
	static DECLARE_BITMAP(saved, NR_CPUS);
	struct epitaph_cpu *cpus;
	size_t size;

	cpus = epitaph_section(EPITAPH_SEC_CPUS, &size);
	if (epitaph_lost() || cpu >= size / sizeof(*cpus) || test_and_set_bit(cpu, saved))
		return NULL;
	return &cpus[cpu];
}

void epitaph_cpu_save(unsigned int cpu, struct pt_regs *regs, bool entered)
{
	struct epitaph_cpu *to = take_entry(cpu);
	struct epitaph_stack_walk walk;

	if (!to)
		return;
	epitaph_arch_walk_start(&walk, regs, entered);
	write_state(to, cpu, regs, epitaph_arch_registers(to->regs, regs, entered), &walk);
}

static bool is_panic(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, addr);
	return !strcmp(name, "panic");
}

void epitaph_cpu_save_panic(unsigned int cpu)
{
	struct epitaph_cpu *to = take_entry(cpu);
	struct pt_regs regs = { };
	struct epitaph_stack_walk walk;
	struct epitaph_frame frame = { };

	if (!to)
		return;
	epitaph_arch_walk_start(&walk, NULL, false);
	while (epitaph_arch_walk_next(&walk, &frame) && !is_panic(frame.addr))
		;
	instruction_pointer_set(&regs, frame.addr);
	to->regs[0] = cpu_to_le64(frame.addr);
	/* What it had in the others is not known. */
	write_state(to, cpu, &regs, 1, &walk);
}
