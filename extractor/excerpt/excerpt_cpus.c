// SPDX-License-Identifier: GPL-2.0-or-later
/* What each CPU was doing: as the recorder has it, or else by the kernel's memory. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "kernel_state/unwind.h"
#include "excerpt_impl.h"

/* As epitaph_cpu has those of x86-64. */
static const enum kernel_reg reg_order[] = {
	KREG_IP, KREG_SP, KREG_FLAGS, KREG_AX, KREG_BX, KREG_CX, KREG_DX, KREG_SI, KREG_DI, KREG_BP,
	KREG_R8, KREG_R9, KREG_R10, KREG_R11, KREG_R12, KREG_R13, KREG_R14, KREG_R15, KREG_CS,
	KREG_SS, KREG_ORIG_AX,
};

#define END_ROOM	80	/* bytes of text for what is behind the frames */

/* All that the entries are made of. @clock: of the end. */
struct cpu_entries {
	struct excerpt *excerpt;
	struct epitaph_cpu *list;
	u32 nr;
	u64 clock;
	struct kernel_tasks *tasks;
	struct kernel_unwinder *unwinder;
	struct kernel_stack stack;
};

/* As many as the recorder or the kernel has. */
static u32 count_entries(const struct excerpt *excerpt)
{
	const struct kernel *kernel = excerpt->pm->kernel;
	u32 nr = excerpt->generation.hdr.nr_cpus;

	nr = kernel->nr_cpu_ids > nr ? kernel->nr_cpu_ids : nr;
	nr = nr && kernel->cpu != NO_CPU && kernel->cpu >= nr ? kernel->cpu + 1 : nr;
	return nr < KERNEL_CPUS_MAX ? nr : KERNEL_CPUS_MAX;
}

/* What the recorder has, and is not damaged, stays as it is. */
static void take_recorded(struct cpu_entries *e)
{
	const struct recording *recording = e->excerpt->pm->recording;
	const struct section *sec;
	u64 n;

	if (!recording)
		return;
	sec = generation_section(recording->generation, EPITAPH_SEC_CPUS);
	n = section_entries(sec, sizeof(struct epitaph_cpu));
	for (u32 i = 0; i < n && i < e->nr; i++) {
		int good = section_entry(recording->generation, sec, i, &e->list[i], sizeof(e->list[i]));

		if (good != 1)
			memset(&e->list[i], 0, sizeof(e->list[i]));
	}
}

static void take_registers(struct epitaph_cpu *entry, const struct kernel_regs *regs)
{
	for (size_t i = 0; i < ARRAY_SIZE(reg_order); i++)
		if (reg_order[i] >= regs->first)
			entry->regs[i] = htole64(regs->r[reg_order[i]]);
	entry->nr_regs = htole32(ARRAY_SIZE(reg_order));
}

/* What is behind the frames: how many have no line, and why there are no more. */
static void put_end_of_stack(char *text, size_t size, const struct kernel_stack *stack, u32 nr_put)
{
	static const char *const ends[] = {
		[KSTACK_END_USER] = "", [KSTACK_END_THREAD] = "",
		[KSTACK_END_BROKEN] = "(the stack is not known further)\n",
		[KSTACK_END_LIMIT] = "(the stack goes on)\n",
		[KSTACK_NOT_UNWOUND] = "(the stack could not be unwound)\n",
	};
	char left_out[32] = "";

	if (nr_put < stack->nr_sure)
		snprintf(left_out, sizeof(left_out), "(%u frames left out)\n", stack->nr_sure - nr_put);
	snprintf(text, size, "%s%s", left_out, ends[stack->end]);
}

/* A guess says nothing where there is a stack. */
static void take_stack(struct cpu_entries *e, struct epitaph_cpu *entry)
{
	const struct kernel *kernel = e->excerpt->pm->kernel;
	const struct kernel_stack *stack = &e->stack;
	size_t used = 0;
	u32 i, n = 0;

	for (i = 0; i < stack->nr_sure; i++) {
		const struct kernel_frame *frame = &stack->frames[i];
		char name[KERNEL_SYMBOL_MAX];
		int len;

		if (!kernel_frame_name(kernel, frame, name, sizeof(name)))
			snprintf(name, sizeof(name), "0x%llx", frame->ip);
		len = strlen(name);
		if (used + len + 1 + END_ROOM > sizeof(entry->text))
			break;
		memcpy(entry->text + used, name, len);
		used += len;
		entry->text[used++] = '\n';
		/* The first line is where it was, and no return address. */
		if (i && n < EPITAPH_NR_FRAMES)
			entry->frames[n++] = htole64(frame->ip);
	}
	put_end_of_stack(entry->text + used, sizeof(entry->text) - used, stack, i);
	entry->nr_frames = htole32(n);
}

static void make_entry(struct cpu_entries *e, const struct kernel_task *task)
{
	struct epitaph_cpu *entry = &e->list[task->cpu];
	struct kernel_regs regs;

	*entry = (struct epitaph_cpu){
		.clock = htole64(e->clock), .cpu = htole32(task->cpu), .pid = htole32(task->pid),
	};
	memcpy(entry->comm, task->comm, sizeof(entry->comm));
	kernel_unwind(e->unwinder, task, &e->stack);
	take_stack(e, entry);
	if (kernel_cpu_regs(e->excerpt->pm->kernel, task->cpu, &regs))
		take_registers(entry, &regs);
	entry->check = htole64(checksum(e->excerpt->generation.hdr.salt, entry, sizeof(*entry) - 8));
	e->excerpt->nr_stacks++;
}

static int take_running(struct cpu_entries *e, struct err *err)
{
	int ret = kernel_tasks_open(&e->tasks, e->excerpt->pm->kernel, err);

	if (!ret)
		ret = kernel_unwinder_open(&e->unwinder, e->tasks, err);
	for (u32 i = 0; !ret && i < e->tasks->nr; i++) {
		const struct kernel_task *task = &e->tasks->list[i];

		if (task->is_running && task->cpu < e->nr &&
		    all_zero(&e->list[task->cpu], sizeof(e->list[task->cpu])))
			make_entry(e, task);
	}
	/* A dump whose tasks cannot be found has no stacks, and is worth its log. */
	if (ret != -ERR_NOT_OURS)
		return ret;
	snprintf(e->excerpt->no_stacks, sizeof(e->excerpt->no_stacks), "%s", err->msg);
	return 0;
}

int excerpt_put_cpus(struct excerpt *excerpt, struct err *err)
{
	struct cpu_entries *e = calloc(1, sizeof(*e));
	struct postmortem *pm = excerpt->pm;
	struct err why = ERR_INIT;
	int ret = 0;

	if (!e)
		return err_sys(err, "memory for stacks");
	e->excerpt = excerpt;
	e->nr = count_entries(excerpt);
	e->list = calloc(e->nr ? e->nr : 1, sizeof(*e->list));
	e->clock = pm->recording ? clock_of_mono(&pm->recording->clock, pm->end.time) : pm->end.time;
	if (!e->list) {
		ret = err_sys(err, "memory for the stacks of %u CPUs", e->nr);
	} else {
		take_recorded(e);
		ret = take_running(e, &why);
		if (ret)
			*err = why;
	}
	if (!ret && excerpt->nr_stacks) {
		ret = excerpt_put(excerpt, EPITAPH_SEC_CPUS, sizeof(*e->list), (u8 *)e->list,
				  (u64)e->nr * sizeof(*e->list), err);
		e->list = NULL;
	}
	kernel_unwinder_close(e->unwinder);
	kernel_tasks_close(e->tasks);
	free(e->list);
	free(e);
	return ret;
}
