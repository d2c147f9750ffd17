// SPDX-License-Identifier: GPL-2.0-or-later
#include "percpu_sem.h"

#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "fault/frame_register.h"
#include "instruction/instruction.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"

#define TYPE		"percpu_rw_semaphore"
#define MOST_CPUS	8192
#define MOST_CALLS	8	/* of one function */
#define MOST_FUNCTIONS	1000	/* of modules, whose code is looked at */

/* Is a semaphore at @sem that @writer waits to write? */
static bool names_writer(const struct kernel *kernel, u64 sem, u64 writer)
{
	u64 task, block;

	return in_kernel_half(sem) && !(sem & 7) && kernel_state_member(kernel, TYPE, "writer.task", sem, &task) && task == writer &&
	       kernel_state_member(kernel, TYPE, "block.counter", sem, &block) && (u32)block == 1;
}

/* The semaphore that @task, within percpu_down_write(), waits to write: some register of that function's has it. 0: it waits for none. */
static u64 written_by(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, struct kernel_stack *stack)
{
	u32 frame;
	u64 word;

	kernel_unwind(owners->unwinder, task, stack);
	frame = owners_frame(kernel, stack, "percpu_down_write", 0);
	if (frame == stack->nr_sure || !stack->frames[frame].top)
		return 0;
	for (u64 va = stack->frames[0].sp; va < stack->frames[frame].top; va += 8)
		if (vmem_number(kernel->vmem, va, 8, &word) && names_writer(kernel, word, task->va))
			return word;
	return 0;
}

/* How many read it, by the counters of all CPUs; 0: none, or that is not known. */
static u32 count_readers(const struct kernel *kernel, u64 sem)
{
	u64 pointer, va, count;
	u32 sum = 0;

	if (!kernel_state_member(kernel, TYPE, "read_count", sem, &pointer))
		return 0;
	for (u32 cpu = 0; cpu < MOST_CPUS && kernel_percpu_at(kernel, pointer, cpu, &va); cpu++)
		if (vmem_number(kernel->vmem, va, 4, &count))
			sum += (u32)count;
	return sum;
}

static bool is_call_of(const struct kernel *kernel, const struct instruction *one, const char *name)
{
	struct ksym symbol;

	return (one->is_call || one->jumps) && one->target && kallsyms_find(kernel->kallsyms, one->target, &symbol) && !strcmp(symbol.name, name);
}

/*
 * Has the function of @frame taken it to read, in front of the call in which it is? Its calls are of the slow way alone, which may lie at
 * its end; what gives it back calls rcuwait_wake_up() there.
 */
static bool frame_reads(const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame, struct function_code *code,
			u64 sem, u32 *left)
{
	char name[KERNEL_SYMBOL_MAX];
	struct instruction one;
	bool reads = false;
	u64 given;
	u32 nr = 0;

	if (!*left || !kernel_modules_at(kernel->modules, stack->frames[frame].ip) || !(*left)-- ||
	    !kernel_frame_name(kernel, &stack->frames[frame], name, sizeof(name)) ||
	    !function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) }))
		return false;
	for (u32 at = 0; at < code->len && nr < MOST_CALLS; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		if (is_call_of(kernel, &one, "__percpu_down_read")) {
			/* It is in that call itself. */
			if (at + one.len == code->at)
				return false;
			nr++;
			reads |= frame_given(&given, kernel, task, stack, frame, code, at) && given == sem;
		}
		if (reads && at < code->at && is_call_of(kernel, &one, "rcuwait_wake_up"))
			return false;
	}
	return reads;
}

static bool task_reads(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, struct kernel_stack *stack,
		       struct function_code *code, u64 sem, u32 *left, char name[KERNEL_SYMBOL_MAX])
{
	kernel_unwind(owners->unwinder, task, stack);
	for (u32 i = 0; i < stack->nr_sure; i++)
		if (frame_reads(kernel, task, stack, i, code, sem, left))
			return kernel_frame_name(kernel, &stack->frames[i], name, KERNEL_SYMBOL_MAX);
	return false;
}

/* The only task that reads it; NULL: there are more, or it is not seen. */
static const struct kernel_task *find_gate_reader(const struct owners *owners, const struct kernel *kernel, struct kernel_stack *stack, u64 sem,
					     char name[KERNEL_SYMBOL_MAX])
{
	struct function_code *code = malloc(sizeof(*code));
	const struct kernel_task *found = NULL;
	char one[KERNEL_SYMBOL_MAX];
	u32 nr = 0, left = MOST_FUNCTIONS;

	for (u32 i = 0; code && i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (task->is_running || task->is_lacking || !task_reads(owners, kernel, task, stack, code, sem, &left, one))
			continue;
		found = task;
		memcpy(name, one, sizeof(one));
		nr++;
	}
	/* Who was not looked at may read as well. */
	nr += !left;
	free(code);
	return nr == 1 && count_readers(kernel, sem) == 1 ? found : NULL;
}

/* It stands in the queue of a semaphore, behind the writer that it names. */
static bool take_queued(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, struct kernel_wait *wait,
			struct kernel_stack *stack)
{
	struct btf_member_place queue;
	u64 writer;

	if (wait->kind != KWAIT_QUEUE || wait->owner || !kernel_btf_member(kernel->ktypes, TYPE, "waiters", &queue))
		return false;
	kernel_unwind(owners->unwinder, task, stack);
	if (owners_frame(kernel, stack, "percpu_rwsem_wait", 0) == stack->nr_sure ||
	    !kernel_state_member(kernel, TYPE, "writer.task", wait->lock - queue.offset, &writer) || !writer)
		return false;
	wait->owner = kernel_tasks_find(owners->tasks, writer);
	if (!wait->owner || !names_writer(kernel, wait->lock - queue.offset, writer))
		wait->owner = NULL;
	else
		wait->owner_kind = KOWNER_GATE_WRITER;
	return wait->owner;
}

bool percpu_sem_take(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, struct kernel_wait *wait, bool *waits)
{
	struct kernel_stack *stack;
	bool is = false;
	u64 sem;

	if (task->is_running || task->is_lacking || !kernel->ktypes || !kernel->kallsyms || !kernel->modules || !instruction_can_decode())
		return false;
	stack = malloc(sizeof(*stack));
	if (stack && *waits)
		is = take_queued(owners, kernel, task, wait, stack);
	sem = stack && !*waits ? written_by(owners, kernel, task, stack) : 0;
	if (sem) {
		*wait = (struct kernel_wait){ .kind = KWAIT_QUEUE, .lock = sem, .nr_readers = count_readers(kernel, sem) };
		wait->owner = find_gate_reader(owners, kernel, stack, sem, wait->work);
		wait->owner_kind = KOWNER_GATE_READER;
		*waits = is = true;
	}
	free(stack);
	return is;
}
