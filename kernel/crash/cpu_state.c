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

#define MAX_FRAMES	4096	/* ends a walk on a stack that leads into itself */
#define FIRST_FRAMES	40	/* innermost frames that have a line */
#define LAST_FRAMES	8	/* outermost frames that have a line in any case */
#define LAST_ROOM	600	/* bytes of text for these */
#define LEFT_OUT	"(%u frames left out)\n"
#define LEFT_OUT_ROOM	32	/* bytes of that line */

/* An address of the stack.  An interrupted one is no return address: %pS names it, %pB the others. */
struct frame {
	unsigned long addr;
	bool is_interrupted;
};

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

struct stack_walk {
	struct unwind_state state;
	unsigned int left;
};

/*
 * unwind_start() with registers has left their frame already (6.1, __unwind_start() in
 * arch/x86/kernel/unwind_orc.c): its state is at the direct caller.
 */
static void start_walk(struct stack_walk *walk, struct pt_regs *regs)
{
	walk->left = MAX_FRAMES;
	unwind_start(&walk->state, current, regs, NULL);
}

static bool next_frame(struct stack_walk *walk, struct frame *frame)
{
	bool partial;

	if (!walk->left-- || unwind_done(&walk->state))
		return false;
	frame->addr = unwind_get_return_address(&walk->state);
	frame->is_interrupted = unwind_get_entry_regs(&walk->state, &partial) != NULL;
	unwind_next_frame(&walk->state);
	return frame->addr != 0;
}

struct pt_regs *epitaph_cpu_interrupted(struct pt_regs *regs)
{
	struct pt_regs *entry = NULL;
	struct stack_walk walk;
	bool partial = false;

	start_walk(&walk, regs);
	while (!entry && walk.left-- && !unwind_done(&walk.state)) {
		entry = unwind_get_entry_regs(&walk.state, &partial);
		unwind_next_frame(&walk.state);
	}
	return entry && !partial ? entry : regs;
}
#else
static u32 copy_registers(__le64 *to, const struct pt_regs *regs)
{
	to[0] = cpu_to_le64(instruction_pointer(regs));
	to[1] = cpu_to_le64(kernel_stack_pointer((struct pt_regs *)regs));
	return 2;
}

struct stack_walk {
};

static void start_walk(struct stack_walk *walk, struct pt_regs *regs)
{
}

static bool next_frame(struct stack_walk *walk, struct frame *frame)
{
	return false;
}

struct pt_regs *epitaph_cpu_interrupted(struct pt_regs *regs)
{
	return regs;
}
#endif

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
static bool write_frame(struct names *names, const struct frame *frame)
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
	struct frame frames[LAST_FRAMES];
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
static void write_stack(struct epitaph_cpu *to, struct pt_regs *regs)
{
	struct names names = { to->text, 0, sizeof(to->text) };
	struct last_frames last = { .nr = 0 };
	struct stack_walk walk;
	struct frame frame;
	u32 n;

	write_ip(&names, regs);
	start_walk(&walk, regs);
	for (n = 0; next_frame(&walk, &frame); n++) {
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
static void write_state(struct epitaph_cpu *to, unsigned int cpu, struct pt_regs *regs)
{
	to->clock = cpu_to_le64(epitaph_clock());
	to->cpu = cpu_to_le32(cpu);
	to->pid = cpu_to_le32(current->pid);
	strscpy(to->comm, current->comm, sizeof(to->comm));
	to->nr_regs = cpu_to_le32(copy_registers(to->regs, regs));
	write_stack(to, regs);
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
