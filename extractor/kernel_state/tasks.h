/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: kernel_state - what each task of a dumped kernel was doing
 *
 * tasks.h lists the tasks, unwind.h has their stacks, waits.h what they wait for. docs/stacks.md
 * says how each is found and how sure it is.
 *
 *	struct kernel_tasks *tasks;
 *
 *	if (!kernel_tasks_open(&tasks, kernel, &err)) {
 *		for (u32 i = 0; i < tasks->nr; i++)
 *			puts(tasks->list[i].comm);
 *		kernel_tasks_close(tasks);
 *	}
 *
 * The kernel must outlive the tasks. One thread at a time may use them. Texts are not escaped.
 */
#ifndef EPITAPH_KERNEL_STATE_TASKS_H
#define EPITAPH_KERNEL_STATE_TASKS_H

#include "linux_kernel/linux_kernel.h"

#define KERNEL_TASKS_MAX	(1U << 18)
#define KERNEL_STACK_MAX	(1U << 20)	/* bytes of a stack; more is damage */
#define KERNEL_CPUS_MAX		8192	/* the largest NR_CPUS that can be configured */
#define KERNEL_TASK_KTHREAD	0x00200000U	/* PF_KTHREAD */
#define KERNEL_TASK_WORKER	0x20	/* PF_WQ_WORKER */

/**
 * struct kernel_task - a thread, as the kernel describes it
 * @va: of its struct task_struct
 * @comm: its name
 * @state: the letter that ps(1) has for it; '?': unknown
 * @flags: PF_*; KERNEL_TASK_KTHREAD: it has no user space
 * @cpu: on which it runs or ran last; NO_CPU: unknown
 * @is_running: it is what @cpu ran
 * @stack: the lowest address of its stack; 0: it has given it back
 * @sp: the stack pointer when it last gave up a CPU; of no use if @is_running
 * @is_lacking: its struct task_struct is not in the dump: all but @va, @pid and @stack is unknown then, and @comm "?"
 */
struct kernel_task {
	u64 va;
	s32 pid;
	s32 tgid;
	char comm[17];
	char state;
	bool is_running;
	bool is_lacking;
	u32 flags;
	u32 cpu;
	u64 stack;
	u64 sp;
};

/**
 * struct kernel_tasks - all tasks
 * @list: nr of them, in the order of @va
 * @stack_size: bytes of each task's stack
 * @nr_lacking: those of the list that the dump lacks
 * @notes: what is missing or damaged; the walk's limits, where one was reached
 */
struct kernel_tasks {
	const struct kernel *kernel;
	struct kernel_task *list;
	u32 nr;
	u32 stack_size;
	u32 nr_lacking;
	struct damage_notes notes;
};

/**
 * kernel_tasks_open() - walk the kernel's lists of tasks
 * @ret: for kernel_tasks_close(); set only on success
 *
 * Return: 0, also if lists are damaged: see @notes; -ERR_NOT_OURS if the tasks cannot be found
 *	without symbols and types; -ERR_IO without memory.
 */
int kernel_tasks_open(struct kernel_tasks **ret, const struct kernel *kernel, struct err *err);

/* @tasks may be NULL. */
void kernel_tasks_close(struct kernel_tasks *tasks);

/* The task whose struct task_struct is at @va, or NULL. */
const struct kernel_task *kernel_tasks_find(const struct kernel_tasks *tasks, u64 va);

/* Did it run to the end? Where a panic stopped it, it has left one mask of online CPUs, and not the scheduler's. */
bool kernel_cpu_is_online(const struct kernel *kernel, u32 cpu);

/* A number or pointer that is a member of the struct at @va; false: no such member, or no memory. */
bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va,
			 u64 *ret);

#endif
