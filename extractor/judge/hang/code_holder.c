// SPDX-License-Identifier: GPL-2.0-or-later
#include "code_holder.h"

#include <stdlib.h>
#include <string.h>

#include "fault/frame_register.h"
#include "instruction/instruction.h"
#include "fault/lock_flow.h"
#include "fault/tail_jump.h"
#include "gone_owner.h"

#define MOST_FUNCTIONS	1000	/* of modules, whose ways are followed */

/**
 * struct code_stack - the stack of a task, and room for the code of its functions
 * @left: functions that may be followed yet
 */
struct code_stack {
	u32 left;
	const struct kernel *kernel;
	const struct kernel_task *task;
	struct kernel_stack stack;
	struct function_code code;
};

/* Had the function taken the very lock on all ways to the call in which it is? @bit: of a bit lock; negative: it is none. @other: gets that of another one */
static bool frame_holds(struct code_stack *of, u32 frame, enum lock_family family, u64 lock, s32 bit, bool *other)
{
	const struct kernel_frame *at = &of->stack.frames[frame];
	const struct kernel *kernel = of->kernel;
	char name[KERNEL_SYMBOL_MAX];
	struct instruction call;
	struct lock_flow flow;
	u64 address;

	/* The call may be the one that takes it: then it has it not. */
	if (!of->left || !kernel->modules || !kernel_modules_at(kernel->modules, at->ip) || !of->left-- || !kernel_frame_name(kernel, at, name, sizeof(name)) ||
	    !function_code_read_caller(&of->code, kernel, (struct report_text){ name, strlen(name) }) ||
	    (!at->is_exact && !tail_jump_call_before(&call, &of->code)) || !lock_flow_read(&flow, &of->code, family))
		return false;
	for (u32 i = 0; i < flow.nr; i++) {
		const struct lock_way *way = &flow.ways[i];

		if (!way->is_known || way->at != LOCK_HELD || (bit >= 0 && way->bit != bit))
			continue;
		/* A semaphore that counts what there is to do is taken for good; who waits for more waits for no holder. */
		if (family == LOCK_SEMAPHORE && !(way->ends & LOCK_GIVEN))
			continue;
		address = way->address;
		if (!address && !frame_value(&address, kernel, of->task, &of->stack, frame, &of->code, &way->origin))
			continue;
		if (address == lock)
			return true;
		*other = true;
	}
	return false;
}

const struct kernel_task *code_holder_find(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *waiter,
					   const struct kernel_wait *wait)
{
	struct code_stack *of = malloc(sizeof(*of));
	const struct kernel_task *found = NULL;
	enum lock_family family;
	bool other;
	u32 nr = 0;

	if (of)
		of->left = MOST_FUNCTIONS;
	for (u32 i = 0; of && (wait->kind == KWAIT_SEMAPHORE || wait->kind == KWAIT_BIT) && left_lock_family(&family, wait) &&
			i < owners->tasks->nr; i++) {
		bool holds = false;

		of->kernel = kernel;
		of->task = &owners->tasks->list[i];
		if (of->task == waiter || of->task->is_running || of->task->is_lacking)
			continue;
		kernel_unwind(owners->unwinder, of->task, &of->stack);
		for (u32 k = 0; k < of->stack.nr_sure && !holds; k++)
			holds = frame_holds(of, k, family, wait->lock, wait->kind == KWAIT_BIT ? (s32)wait->bit : -1, &other);
		if (!holds)
			continue;
		found = of->task;
		nr++;
	}
	/* Who was not looked at may have it as well. */
	nr += of && !of->left;
	free(of);
	return nr == 1 ? found : NULL;
}

/* --- who reads under an SRCU ------------------------------------------------------ */

/* What the task's function gave to synchronize_srcu(); 0: it does not wait in that, or it is not seen. */
static u64 srcu_waited_for(struct code_stack *of)
{
	u32 frame = owners_frame(of->kernel, &of->stack, "__synchronize_srcu", 0);
	char name[KERNEL_SYMBOL_MAX];
	struct instruction call;
	u64 srcu;

	/* That leads to it by a jump, as a rule, and is in no frame then. */
	if (frame + 1 < of->stack.nr_sure && owners_frame(of->kernel, &of->stack, "synchronize_srcu", frame + 1) == frame + 1)
		frame++;
	if (++frame >= of->stack.nr_sure || !kernel_frame_name(of->kernel, &of->stack.frames[frame], name, sizeof(name)) ||
	    !function_code_read_caller(&of->code, of->kernel, (struct report_text){ name, strlen(name) }) || !tail_jump_call_before(&call, &of->code) ||
	    !frame_given(&srcu, of->kernel, of->task, &of->stack, frame, &of->code, of->code.at))
		return 0;
	return srcu;
}

const struct kernel_task *srcu_reader_find(char name[KERNEL_SYMBOL_MAX], const struct owners *owners, const struct kernel *kernel,
					   const struct kernel_task *waiter)
{
	struct code_stack *of = malloc(sizeof(*of));
	const struct kernel_task *found = NULL;
	bool other;
	u32 nr = 0;
	u64 srcu;

	if (!of)
		return NULL;
	*of = (struct code_stack){ .left = MOST_FUNCTIONS, .kernel = kernel, .task = waiter };
	kernel_unwind(owners->unwinder, waiter, &of->stack);
	srcu = instruction_can_decode() ? srcu_waited_for(of) : 0;
	for (u32 i = 0; srcu && i < owners->tasks->nr; i++) {
		bool reads = false;

		of->task = &owners->tasks->list[i];
		if (of->task == waiter || of->task->is_lacking)
			continue;
		kernel_unwind(owners->unwinder, of->task, &of->stack);
		nr += of->task->is_running && !of->stack.nr_sure;
		for (u32 k = 0; k < of->stack.nr_sure && !reads; k++) {
			reads = frame_holds(of, k, LOCK_SRCU, srcu, -1, &other);
			if (reads)
				kernel_frame_name(kernel, &of->stack.frames[k], name, KERNEL_SYMBOL_MAX);
		}
		if (!reads)
			continue;
		found = of->task;
		nr++;
	}
	/* Who was not looked at may read as well. */
	nr += !of->left;
	free(of);
	/* One that reads again and again has run since the wait began, and does not hold it up. */
	return nr == 1 && found && owners_ran_since(kernel, found, waiter) == 0 ? found : NULL;
}

/* --- who has a spinlock ---------------------------------------------------------- */

/* The frame that waits for a spinlock, the last of several; nr_sure: none does. @lock: which; 0: not known */
static u32 spinning_frame(const struct code_stack *of, u64 *lock)
{
	u32 found = of->stack.nr_sure;
	char name[KERNEL_SYMBOL_MAX];

	*lock = 0;
	for (u32 i = 0; i < of->stack.nr_sure; i++)
		if (kernel_frame_function(of->kernel, &of->stack.frames[i], name, sizeof(name)) && plumbing_is_of_spinning(name)) {
			/* What waits keeps the lock where it was given it. */
			if (found == of->stack.nr_sure)
				frame_argument(lock, of->kernel, of->task, &of->stack, i);
			found = i;
		} else if (found < of->stack.nr_sure) {
			break;
		}
	return found;
}

static bool has_spinlock(struct spin_holder *ret, struct code_stack *of, u64 lock)
{
	static const enum lock_family families[] = { LOCK_SPIN, LOCK_RW_READ, LOCK_RW_WRITE };
	u32 nr = of->stack.nr_sure, waits = spinning_frame(of, &ret->wanted);
	bool other;

	ret->is_interrupted = false;
	for (u32 i = 0; i < nr; i++) {
		ret->is_interrupted |= waits < i && of->stack.frames[i].regs;
		for (size_t k = 0; k < ARRAY_SIZE(families); k++)
			if (frame_holds(of, i, families[k], lock, -1, &other)) {
				kernel_frame_name(of->kernel, &of->stack.frames[i], ret->name, sizeof(ret->name));
				*ret->waits_in = '\0';
				if (waits + 1 < nr)
					kernel_frame_name(of->kernel, &of->stack.frames[waits + 1], ret->waits_in, sizeof(ret->waits_in));
				return true;
			}
	}
	return false;
}

bool spin_holder_find(struct spin_holder *ret, const struct owners *owners, const struct kernel *kernel, u64 lock)
{
	struct code_stack *of = malloc(sizeof(*of));
	struct spin_holder one = { 0 };
	u32 nr = 0;

	if (of)
		of->left = 3 * MOST_FUNCTIONS;
	for (u32 i = 0; of && instruction_can_decode() && i < owners->tasks->nr; i++) {
		of->kernel = kernel;
		of->task = one.task = &owners->tasks->list[i];
		if (!of->task->is_running || of->task->is_lacking)
			continue;
		kernel_unwind(owners->unwinder, of->task, &of->stack);
		if (!has_spinlock(&one, of, lock))
			continue;
		*ret = one;
		nr++;
	}
	nr += of && !of->left;
	free(of);
	return nr == 1;
}

bool spin_holder_of(struct spin_holder *ret, const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task)
{
	struct code_stack *of = malloc(sizeof(*of));
	u64 lock = 0;

	if (of && instruction_can_decode()) {
		of->kernel = kernel;
		of->task = task;
		kernel_unwind(owners->unwinder, task, &of->stack);
		spinning_frame(of, &lock);
	}
	free(of);
	return lock && spin_holder_find(ret, owners, kernel, lock);
}

/* --- a reader of a rwsem ------------------------------------------------------ */

/* What a call of @target does to the number of rwsems that are read. */
static int effect_of(const struct kernel *kernel, u64 target, int reads)
{
	static const char *const takes[] = { "down_read", "down_read_interruptible", "down_read_killable", NULL };
	char name[KERNEL_SYMBOL_MAX];

	if (!target || !kernel_symbol(kernel, target, name, sizeof(name)))
		return reads;
	name[strcspn(name, "+ ")] = '\0';
	if (!strcmp(name, "up_read"))
		return 0;
	for (u32 i = 0; takes[i]; i++)
		if (!strcmp(name, takes[i]))
			return 1;
	return reads;
}

/* Before the call in which it is now. */
static bool has_read_taken(const struct kernel *kernel, const struct function_code *code)
{
	struct instruction instruction;
	int reads = 0;

	for (u32 i = 0; i < code->at && i < code->len; i += instruction.len) {
		if (!function_code_decode(code, i, &instruction))
			return false;
		if (instruction.is_call && i + instruction.len < code->at)
			reads = effect_of(kernel, instruction.target, reads);
	}
	return reads;
}

static bool frame_has_read_taken(struct code_stack *of, u32 frame)
{
	char name[KERNEL_SYMBOL_MAX];

	return kernel_frame_name(of->kernel, &of->stack.frames[frame], name, sizeof(name)) &&
	       function_code_read_caller(&of->code, of->kernel, (struct report_text){ name, strlen(name) }) &&
	       !of->code.from && has_read_taken(of->kernel, &of->code);
}

/* Does the last reader hold it by its code? @name: gets the function that has taken it */
static bool reader_holds(char name[KERNEL_SYMBOL_MAX], struct code_stack *of, const struct owners *owners, const struct kernel_wait *wait)
{
	of->task = wait->owner;
	kernel_unwind(owners->unwinder, of->task, &of->stack);
	for (u32 i = 0; i < of->stack.nr_sure; i++) {
		bool other = false;

		/* Who left this one may be in another. */
		if (frame_holds(of, i, LOCK_RWSEM_READ, wait->lock, -1, &other) || (!other && frame_has_read_taken(of, i)))
			return kernel_frame_name(of->kernel, &of->stack.frames[i], name, KERNEL_SYMBOL_MAX);
	}
	return false;
}

/* The first of all that wait for it, if that wants to write: who wants to read stands behind it. NULL: it does not */
static const struct kernel_task *find_writer(const struct owners *owners, struct kernel_stack *stack, u64 lock)
{
	struct kernel_wait wait;

	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (task->is_running || task->is_lacking || task->state == 'R')
			continue;
		kernel_unwind(owners->unwinder, task, stack);
		if (kernel_wait_of(owners->waits, task, stack, &wait) && wait.lock == lock && wait.kind == KWAIT_RWSEM_WRITE && wait.is_first)
			return task;
	}
	return NULL;
}

void reader_prove(const struct owners *owners, const struct kernel *kernel, struct kernel_wait *wait)
{
	struct code_stack *of;

	if (wait->owner_kind != KOWNER_LAST_READER || !wait->owner || wait->nr_readers != 1 || !instruction_can_decode())
		return;
	of = malloc(sizeof(*of));
	if (of) {
		of->left = MOST_FUNCTIONS;
		of->kernel = kernel;
	}
	if (of && reader_holds(wait->work, of, owners, wait)) {
		wait->owner_kind = KOWNER_READER;
		wait->writer = wait->kind == KWAIT_RWSEM_READ ? find_writer(owners, &of->stack, wait->lock) : NULL;
	}
	free(of);
}
