// SPDX-License-Identifier: GPL-2.0-or-later
#include "waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "completed_by.h"
#include "slab.h"

#define MAX_WAITERS	4096	/* of one lock; each is a task */
#define MAX_CANDIDATES	32	/* of one frame: each may walk the list of a lock; and of words that may be a lock */
#define MAX_FUNCTIONS	5
#define FRAME_BELOW	512	/* bytes of a frame below such a structure */
#define FRAMES_BELOW	1024	/* and of those frames below that have what its function had in registers */

/* Bits below the address of an owner. */
#define MUTEX_FLAGS	7
#define MUTEX_PICKUP	4	/* it is handed over to this waiter, who has not run yet */
#define RWSEM_FLAGS	7
#define RWSEM_READER	1	/* the last reader's address */
#define RT_MUTEX_FLAGS	1

/* Of a rwsem's count: the number of readers. */
#define RWSEM_READERS(count) (((count) & ~(1ULL << 63)) >> 8)

/**
 * struct waiter_type - a structure that a waiting task has on its stack
 * @functions: one of them waits; the structure is in its frame, or its caller's
 * @type: of the structure, with its members @task and @list
 * @head_type, @head: of the lock, its list; NULL: a list of many locks, which does not name it
 * @owner: member of the lock; NULL: it keeps none
 */
struct waiter_type {
	enum kernel_wait_kind kind;
	const char *functions[MAX_FUNCTIONS];
	const char *type, *task, *list;
	const char *head_type, *head, *owner;
};

static const struct waiter_type waiter_types[] = {
	{ KWAIT_MUTEX, { "__mutex_lock", "__ww_mutex_lock", "__mutex_lock_common" },
	  "mutex_waiter", "task", "list", "mutex", "wait_list", "owner" },
	{ KWAIT_RWSEM_READ, { "rwsem_down_read_slowpath" },
	  "rwsem_waiter", "task", "list", "rw_semaphore", "wait_list", "owner" },
	{ KWAIT_RWSEM_WRITE, { "rwsem_down_write_slowpath" },
	  "rwsem_waiter", "task", "list", "rw_semaphore", "wait_list", "owner" },
	{ KWAIT_SEMAPHORE,
	  { "__down", "__down_common", "___down_common", "__down_interruptible", "__down_killable" },
	  "semaphore_waiter", "task", "list", "semaphore", "wait_list", NULL },
	{ KWAIT_COMPLETION, { "__wait_for_common", "do_wait_for_common", "wait_for_completion" },
	  "swait_queue", "task", "task_list", "completion", "wait.task_list", NULL },
	{ KWAIT_PAGE, { "folio_wait_bit_common", "folio_put_wait_locked", "wait_on_page_bit_common", "put_and_wait_on_page_locked" },
	  "wait_page_queue", "wait.private", "wait.entry", NULL, NULL, NULL },
	{ KWAIT_BIT, { "__wait_on_bit", "__wait_on_bit_lock", "out_of_line_wait_on_bit" },
	  "wait_bit_queue_entry", "wq_entry.private", "wq_entry.entry", NULL, NULL, NULL },
	/* No function of its own: see wait_in_queue(). */
	{ KWAIT_QUEUE, { NULL }, "wait_queue_entry", "private", "entry", "wait_queue_head", "head", NULL },
};
#define QUEUE_TYPE (ARRAY_SIZE(waiter_types) - 1)

/**
 * struct waiter_layout - where the members of a waiter_type are
 * @is_known: this kernel has all of them
 * @is_ring: of the lock, @head: where it has the first waiter, not the head of their list
 * @has_func, @func: of wait_queue_entry, the function that wakes
 */
struct waiter_layout {
	bool is_known, is_ring;
	bool has_func;
	u32 func;
	u32 size, task, list;
	u32 head, owner, count;
};

/* @task: that takes a CPU up or down; NULL: none does, or it is not looked for yet */
struct hotplug_writer {
	bool is_looked_for;
	const struct kernel_task *task;
};

struct kernel_waits {
	const struct kernel_tasks *tasks;
	struct kernel_unwinder *unwinder;
	struct hotplug_writer *hotplug_writer;
	struct waiter_layout at[ARRAY_SIZE(waiter_types)];
};

/* --- opening ------------------------------------------------------------- */

static bool find_waiter_layout(const struct kernel_btf *kt, const struct waiter_type *type,
			       struct waiter_layout *at)
{
	struct btf_member_place task, list, m;

	if (!kernel_btf_size(kt, type->type, &at->size) ||
	    !kernel_btf_member(kt, type->type, type->task, &task) || task.kind != KKIND_POINTER ||
	    !kernel_btf_member(kt, type->type, type->list, &list) || list.kind != KKIND_STRUCT)
		return false;
	at->task = task.offset;
	at->list = list.offset;
	if (type->kind == KWAIT_QUEUE) {
		if (!kernel_btf_member(kt, type->type, "func", &m))
			return false;
		at->has_func = true;
		at->func = m.offset;
	}
	if (type->head_type) {
		/* Since 7.1 mutex, rwsem and semaphore have no list. */
		if (!kernel_btf_member(kt, type->head_type, type->head, &m)) {
			if (!kernel_btf_member(kt, type->head_type, "first_waiter", &m))
				return false;
			at->is_ring = true;
		}
		at->head = m.offset;
	}
	if (type->owner) {
		if (!kernel_btf_member(kt, type->head_type, type->owner, &m))
			return false;
		at->owner = m.offset;
	}
	if (type->kind == KWAIT_RWSEM_READ || type->kind == KWAIT_RWSEM_WRITE) {
		if (!kernel_btf_member(kt, type->head_type, "count", &m))
			return false;
		at->count = m.offset;
	}
	return true;
}

int kernel_waits_open(struct kernel_waits **ret, const struct kernel_tasks *tasks,
		      struct kernel_unwinder *unwinder, struct err *err)
{
	struct kernel_waits *w = calloc(1, sizeof(*w));
	struct hotplug_writer *writer = calloc(1, sizeof(*writer));

	if (!w || !writer) {
		free(w);
		free(writer);
		return err_sys(err, "memory for what tasks wait for");
	}
	w->hotplug_writer = writer;
	w->tasks = tasks;
	w->unwinder = unwinder;
	for (size_t i = 0; i < ARRAY_SIZE(waiter_types); i++)
		w->at[i].is_known = find_waiter_layout(tasks->kernel->ktypes, &waiter_types[i], &w->at[i]);
	*ret = w;
	return 0;
}

void kernel_waits_close(struct kernel_waits *w)
{
	if (w)
		free(w->hotplug_writer);
	free(w);
}

const char *kernel_wait_word(enum kernel_wait_kind kind)
{
	static const char *const words[KERNEL_NR_WAITS] = {
		[KWAIT_MUTEX] = "for mutex", [KWAIT_RWSEM_READ] = "to read rwsem",
		[KWAIT_RWSEM_WRITE] = "to write rwsem", [KWAIT_SEMAPHORE] = "for semaphore",
		[KWAIT_COMPLETION] = "for completion", [KWAIT_PAGE] = "for page flag",
		[KWAIT_BIT] = "for bit", [KWAIT_RTMUTEX] = "for rtmutex",
		[KWAIT_QUEUE] = "in wait queue",
	};

	return words[kind];
}

/* --- lists --------------------------------------------------------------- */

/* Is the node of a list linked to its neighbours, and these to it? One alone may be its own neighbour. */
static bool is_linked(struct vmem *vmem, u64 node, u64 *next)
{
	u64 prev, back, forth;

	return vmem_u64(vmem, node, next) && vmem_u64(vmem, node + 8, &prev) &&
	       vmem_u64(vmem, *next + 8, &back) && back == node &&
	       vmem_u64(vmem, prev, &forth) && forth == node;
}

/*
 * Is the node a waiter: on the stack of the task that it names? In a wait queue are others too; all
 * have a function.
 */
static bool is_waiter(const struct kernel_waits *w, const struct waiter_layout *at, u64 node)
{
	const struct kernel_task *task;
	u64 va;

	if (at->has_func)
		return vmem_u64(w->tasks->kernel->vmem, node - at->list + at->func, &va) &&
		       kernel_unwinder_is_text(w->unwinder, va);
	if (!vmem_u64(w->tasks->kernel->vmem, node - at->list + at->task, &va))
		return false;
	task = kernel_tasks_find(w->tasks, va);
	return task && node - task->stack < w->tasks->stack_size;
}

/* Is it of a variable, or of an object of the slab? A stack is neither. */
static bool is_known_place(const struct kernel *kernel, u64 va)
{
	char name[KERNEL_SYMBOL_MAX];
	struct kernel_object object;

	return kernel_symbol(kernel, va, name, sizeof(name)) || kernel_object_at(kernel, va, &object);
}

/*
 * From a waiter along its list to the one node that is no waiter: the lock's. Of a task that the dump lacks it cannot be seen
 * that its node is a waiter: of several, the lock is where a lock may be.
 */
static bool find_lock_of_list(const struct kernel_waits *w, const struct waiter_layout *at, u64 node,
			   u64 *ret)
{
	u64 start = node;
	u32 nr = 0, nr_known = 0;

	*ret = 0;

	for (u32 i = 0; i < MAX_WAITERS; i++) {
		bool is_known;

		if (!is_linked(w->tasks->kernel->vmem, node, &node))
			return false;
		if (node == start)
			return nr == 1 || nr_known == 1;
		if (is_waiter(w, at, node))
			continue;
		is_known = is_known_place(w->tasks->kernel, node);
		if (!nr || (is_known && !nr_known))
			*ret = node;
		nr++;
		nr_known += is_known;
	}
	return false;
}

/* From a waiter along its list to a head that is empty, though it is led to: it was set up anew. */
static bool find_renewed_lock(const struct kernel_waits *w, const struct waiter_layout *at, u64 node, u64 *ret)
{
	struct vmem *vmem = w->tasks->kernel->vmem;
	u64 next, prev;

	for (u32 i = 0; i < MAX_WAITERS; i++) {
		if (!vmem_u64(vmem, node, &node))
			return false;
		if (is_waiter(w, at, node))
			continue;
		*ret = node;
		return vmem_u64(vmem, node, &next) && next == node && vmem_u64(vmem, node + 8, &prev) && prev == node;
	}
	return false;
}

static bool is_on_any_stack(const struct kernel_tasks *tasks, u64 va)
{
	for (u32 i = 0; i < tasks->nr; i++)
		if (va - tasks->list[i].stack < tasks->stack_size)
			return true;
	return false;
}

/* Does the ring of @first have this node? */
static bool is_in_ring(struct vmem *vmem, u64 first, u64 node)
{
	u64 at = first;

	for (u32 i = 0; i < MAX_WAITERS; i++) {
		if (!is_linked(vmem, at, &at))
			return false;
		if (at == node)
			return true;
		if (at == first)
			return false;
	}
	return false;
}

/*
 * In a ring of waiters the lock is not, but leads to the first of them. Who waits has the lock's address in its frame, or in a register
 * that what it called has saved. What else leads to a waiter is on stacks: its neighbours, and variables.
 */
static bool find_lock_of_ring(const struct kernel_waits *w, const struct waiter_layout *at, u64 waiter, u64 to, u64 *ret)
{
	struct vmem *vmem = w->tasks->kernel->vmem;
	u64 first, next;
	u32 nr = 0;

	for (u64 va = waiter - FRAMES_BELOW; va < to && nr < MAX_CANDIDATES; va += 8) {
		if (!vmem_u64(vmem, va, ret) || !vmem_u64(vmem, *ret + at->head, &first) ||
		    !is_linked(vmem, first + at->list, &next))
			continue;
		if (is_in_ring(vmem, first + at->list, waiter + at->list) && !is_on_any_stack(w->tasks, *ret))
			return true;
		nr++;
	}
	return false;
}

/* --- locks --------------------------------------------------------------- */

static void name_lock(const struct kernel_waits *w, struct kernel_wait *wait)
{
	const struct kernel *kernel = w->tasks->kernel;
	const char *bit = NULL;
	size_t plus;

	wait->name[0] = '\0';
	if (wait->kind == KWAIT_PAGE) {
		bit = kernel_btf_enum_name(kernel->ktypes, "pageflags", wait->bit);
		snprintf(wait->name, sizeof(wait->name), "%s", bit ? bit : "");
		return;
	}
	if (!kernel_symbol(kernel, wait->lock, wait->name, sizeof(wait->name)))
		return;
	/* "giro+0x0/0x20 [victim]" is the lock itself; further behind it is a member of a struct. */
	plus = strcspn(wait->name, "+");
	if (!strncmp(wait->name + plus, "+0x0/", 5)) {
		const char *module = strchr(wait->name, ' ');

		memmove(wait->name + plus, module ? module : "", module ? strlen(module) + 1 : 1);
	}
}

static void take_owner(const struct kernel_waits *w, u64 va, struct kernel_wait *wait)
{
	wait->owner = kernel_tasks_find(w->tasks, va);
	wait->owner_kind = wait->owner ? KOWNER_SHOWN : va ? KOWNER_UNKNOWN : KOWNER_NONE;
	wait->gone = wait->owner ? 0 : va;
}

/* A reader that leaves does not take its name away. */
static bool take_rwsem_owner(const struct kernel_waits *w, const struct waiter_layout *at, u64 word,
			     struct kernel_wait *wait)
{
	u64 count;

	if (!(word & RWSEM_READER)) {
		take_owner(w, word & ~(u64)RWSEM_FLAGS, wait);
		return true;
	}
	if (!vmem_u64(w->tasks->kernel->vmem, wait->lock + at->count, &count))
		return false;
	wait->nr_readers = RWSEM_READERS(count);
	if (!wait->nr_readers)
		return true;
	take_owner(w, word & ~(u64)RWSEM_FLAGS, wait);
	if (wait->owner)
		wait->owner_kind = KOWNER_LAST_READER;
	return true;
}

/* The lock on whose list a waiter is, or in whose ring; the frame of who waits ends at @to. */
static bool take_listed_lock(const struct kernel_waits *w, const struct waiter_type *type,
			     const struct waiter_layout *at, u64 to, struct kernel_wait *wait)
{
	u64 head, word, prev;

	if (at->has_func && !is_waiter(w, at, wait->waiter + at->list))
		return false;
	if (at->is_ring) {
		if (!find_lock_of_ring(w, at, wait->waiter, to, &wait->lock))
			return false;
		wait->is_first = vmem_u64(w->tasks->kernel->vmem, wait->lock + at->head, &head) && head == wait->waiter;
	} else {
		wait->is_renewed = !find_lock_of_list(w, at, wait->waiter + at->list, &head);
		if (wait->is_renewed && !find_renewed_lock(w, at, wait->waiter + at->list, &head))
			return false;
		wait->lock = head - at->head;
		if (wait->is_renewed)
			return true;
		wait->is_first = vmem_u64(w->tasks->kernel->vmem, wait->waiter + at->list + 8, &prev) && prev == head;
	}
	if (!type->owner)
		return true;
	if (!vmem_u64(w->tasks->kernel->vmem, wait->lock + at->owner, &word))
		return false;
	if (type->kind != KWAIT_MUTEX)
		return take_rwsem_owner(w, at, word, wait);
	take_owner(w, word & MUTEX_PICKUP ? 0 : word & ~(u64)MUTEX_FLAGS, wait);
	return true;
}

/* A waiter for a bit names it itself; its list is one of many bits. */
static bool take_bit(const struct kernel_waits *w, const struct waiter_type *type,
		     const struct waiter_layout *at, struct kernel_wait *wait)
{
	const struct kernel *kernel = w->tasks->kernel;
	bool is_page = type->kind == KWAIT_PAGE;
	u64 next, bit;

	if (!is_linked(kernel->vmem, wait->waiter + at->list, &next) || next == wait->waiter + at->list ||
	    (!kernel_state_member(kernel, type->type, is_page ? "folio" : "key.flags", wait->waiter, &wait->lock) &&
	     !(is_page && kernel_state_member(kernel, type->type, "page", wait->waiter, &wait->lock))) ||
	    !kernel_state_member(kernel, type->type, is_page ? "bit_nr" : "key.bit_nr", wait->waiter, &bit) ||
	    !wait->lock)
		return false;
	wait->bit = bit;
	return true;
}

/* --- a task -------------------------------------------------------------- */

static bool is_function_of(const struct waiter_type *type, const char *name)
{
	for (u32 i = 0; i < MAX_FUNCTIONS && type->functions[i]; i++)
		if (!strcmp(type->functions[i], name))
			return true;
	return false;
}

/* Look for the structure in a frame of the function that waits, and in its caller's. */
static bool find_waiter(const struct kernel_waits *w, const struct kernel_task *task, u32 i,
			u64 from, u64 to, struct kernel_wait *wait)
{
	const struct waiter_type *type = &waiter_types[i];
	const struct waiter_layout *at = &w->at[i];
	u32 nr = 0;
	u64 word;

	for (u64 va = from; va + at->size <= to && nr < MAX_CANDIDATES; va += 8) {
		if (!vmem_u64(w->tasks->kernel->vmem, va + at->task, &word) || word != task->va)
			continue;
		nr++;
		*wait = (struct kernel_wait){ .kind = type->kind, .waiter = va };
		if (!(type->head_type ? take_listed_lock(w, type, at, to, wait) : take_bit(w, type, at, wait)))
			continue;
		/* On a stack of which it is not known how far it is in use, that may be left of an earlier wait. */
		if (!wait->is_renewed || !task->is_lacking)
			return true;
	}
	return false;
}

static bool wait_in_frame(const struct kernel_waits *w, const struct kernel_task *task,
			  const struct kernel_stack *stack, u32 nr, struct kernel_wait *ret)
{
	const struct kernel_frame *frame = &stack->frames[nr];
	char name[KERNEL_SYMBOL_MAX];
	u64 to = frame->top;

	if (!to || !kernel_frame_function(w->tasks->kernel, frame, name, sizeof(name)))
		return false;
	if (nr + 1 < stack->nr_sure && frame[1].top > to)
		to = frame[1].top;
	for (u32 i = 0; i < ARRAY_SIZE(waiter_types); i++)
		if (w->at[i].is_known && is_function_of(&waiter_types[i], name) &&
		    find_waiter(w, task, i, frame->sp, to, ret))
			return true;
	return false;
}

/* Does it give up the CPU for its caller? */
static bool is_sleep(const struct kernel_waits *w, const struct kernel_frame *frame)
{
	static const char * const names[] = {
		"__switch_to", "__schedule", "schedule", "schedule_timeout", "schedule_preempt_disabled", "io_schedule",
		"io_schedule_timeout", "schedule_hrtimeout_range", "schedule_hrtimeout_range_clock",
	};
	char name[KERNEL_SYMBOL_MAX];

	if (!kernel_frame_function(w->tasks->kernel, frame, name, sizeof(name)))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Who sleeps by wait_event() and the like has the structure in its own frame, or its caller has. */
static bool wait_in_queue(const struct kernel_waits *w, const struct kernel_task *task,
			  const struct kernel_stack *stack, struct kernel_wait *ret)
{
	const struct kernel_frame *frame;
	u64 to;
	u32 i = 0;

	while (i < stack->nr_sure && is_sleep(w, &stack->frames[i]))
		i++;
	if (!i || i >= stack->nr_sure || !w->at[QUEUE_TYPE].is_known)
		return false;
	frame = &stack->frames[i];
	to = frame->top;
	if (i + 1 < stack->nr_sure && frame[1].top > to)
		to = frame[1].top;
	return find_waiter(w, task, QUEUE_TYPE, frame->sp, to, ret);
}

/*
 * The types share their layouts. Below the structure on the stack is the return address into the function that slept with it: the
 * nearest one that any type has.
 */
static bool is_type_of_frame(const struct kernel_waits *w, const struct waiter_type *type, u64 waiter, u64 stack)
{
	char name[KERNEL_SYMBOL_MAX];
	u64 ip;

	for (u64 va = waiter; va > stack && waiter - va < FRAME_BELOW; ) {
		va -= 8;
		if (!vmem_u64(w->tasks->kernel->vmem, va, &ip) || !kernel_unwinder_is_text(w->unwinder, ip) ||
		    !kernel_caller(w->tasks->kernel, ip, name, sizeof(name)))
			continue;
		name[strcspn(name, ".+")] = '\0';
		for (size_t i = 0; i < QUEUE_TYPE; i++)
			if (is_function_of(&waiter_types[i], name))
				return is_function_of(type, name);
	}
	return false;
}

/*
 * Of a task that the dump lacks it is not known how far its stack is in use. But what was left there is on no list of a lock any more,
 * unlike a structure by which it waits.
 */
static bool wait_on_stack(const struct kernel_waits *w, const struct kernel_task *task, struct kernel_wait *ret)
{
	for (u32 i = 0; i < QUEUE_TYPE; i++)
		if (w->at[i].is_known && waiter_types[i].head_type &&
		    find_waiter(w, task, i, task->stack, task->stack + w->tasks->stack_size, ret) &&
		    is_type_of_frame(w, &waiter_types[i], ret->waiter, task->stack))
			return true;
	return false;
}

/* Priority inheritance: the task itself says what it waits for. */
static bool wait_for_rtmutex(const struct kernel_waits *w, const struct kernel_task *task,
			     struct kernel_wait *ret)
{
	const struct kernel *kernel = w->tasks->kernel;
	u64 waiter, who, word;

	*ret = (struct kernel_wait){ .kind = KWAIT_RTMUTEX };
	if (!kernel_state_member(kernel, "task_struct", "pi_blocked_on", task->va, &waiter) || !waiter ||
	    !kernel_state_member(kernel, "rt_mutex_waiter", "task", waiter, &who) || who != task->va ||
	    !kernel_state_member(kernel, "rt_mutex_waiter", "lock", waiter, &ret->lock) || !ret->lock ||
	    (!kernel_state_member(kernel, "rt_mutex_base", "owner", ret->lock, &word) &&
	     !kernel_state_member(kernel, "rt_mutex", "owner", ret->lock, &word)))
		return false;
	take_owner(w, word & ~(u64)RT_MUTEX_FLAGS, ret);
	return true;
}

static const struct kernel_task *find_hotplug_writer(const struct kernel_waits *w)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct kernel_task *found = NULL;
	char name[KERNEL_SYMBOL_MAX];

	for (u32 i = 0; stack && i < w->tasks->nr && !found; i++) {
		bool takes = false;

		if (w->tasks->list[i].is_running)
			continue;
		kernel_unwind(w->unwinder, &w->tasks->list[i], stack);
		for (u32 k = 0; k < stack->nr_sure && !found; k++) {
			if (!kernel_frame_function(w->tasks->kernel, &stack->frames[k], name, sizeof(name)))
				continue;
			takes |= !strcmp(name, "percpu_down_write") || !strcmp(name, "cpus_write_lock");
			if (!takes && (!strcmp(name, "_cpu_down") || !strcmp(name, "_cpu_up")))
				found = &w->tasks->list[i];
		}
	}
	free(stack);
	return found;
}

/*
 * The lock of CPU hotplug keeps no name of its writer. The one that takes a CPU up or down has it in all that these
 * functions call, but while they take it. All stacks are looked at once: thousands of tasks may wait for it.
 */
static void take_hotplug_writer(const struct kernel_waits *w, const struct kernel_task *task, struct kernel_wait *wait)
{
	struct hotplug_writer *writer = w->hotplug_writer;

	if (strncmp(wait->name, "cpu_hotplug_lock+", 17))
		return;
	if (!writer->is_looked_for)
		*writer = (struct hotplug_writer){ true, find_hotplug_writer(w) };
	if (!writer->task || writer->task == task)
		return;
	wait->owner = writer->task;
	wait->owner_kind = KOWNER_HOTPLUG_WRITER;
}

bool kernel_wait_of(const struct kernel_waits *w, const struct kernel_task *task,
		    const struct kernel_stack *stack, struct kernel_wait *ret)
{
	bool found = false;

	if (task->is_running)
		return false;
	if (task->is_lacking && (!task->stack || !wait_on_stack(w, task, ret)))
		return false;
	found = task->is_lacking;
	for (u32 i = 0; i < stack->nr_sure && !found; i++)
		found = wait_in_frame(w, task, stack, i, ret);
	if (!found && !wait_for_rtmutex(w, task, ret) && !wait_in_queue(w, task, stack, ret))
		return false;
	completed_by(w->tasks, task, ret);
	name_lock(w, ret);
	if (ret->kind == KWAIT_QUEUE && !ret->owner)
		take_hotplug_writer(w, task, ret);
	return true;
}

/* --- chains -------------------------------------------------------------- */

bool kernel_chain_close(struct kernel_chain *chain, const struct kernel_task *task)
{
	for (u32 i = 0; i < chain->nr; i++)
		if (chain->tasks[i] == task) {
			chain->is_cycle = true;
			chain->back = i;
			return true;
		}
	return false;
}

int kernel_wait_chain(const struct kernel_waits *w, const struct kernel_task *task,
		      struct kernel_chain *ret, struct err *err)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));

	if (!stack)
		return err_sys(err, "memory for a stack");
	ret->nr = ret->back = 0;
	ret->is_cycle = ret->is_cut = ret->last_waits = false;
	ret->is_sure = true;
	while (task && !kernel_chain_close(ret, task)) {
		struct kernel_wait *wait;

		if (ret->nr == KERNEL_CHAIN_MAX) {
			ret->is_cut = true;
			break;
		}
		wait = &ret->waits[ret->nr];
		ret->tasks[ret->nr++] = task;
		kernel_unwind(w->unwinder, task, stack);
		ret->last_waits = kernel_wait_of(w, task, stack, wait);
		if (!ret->last_waits)
			break;
		if (wait->owner && wait->owner_kind == KOWNER_LAST_READER)
			ret->is_sure = false;
		task = wait->owner;
	}
	free(stack);
	return 0;
}

/* --- deadlocks ----------------------------------------------------------- */

#define NO_OWNER 0xffffffffU

/* Of each task the number of the one that holds what it waits for. */
static u32 *find_owners(const struct kernel_waits *w)
{
	const struct kernel_tasks *tasks = w->tasks;
	struct kernel_stack *stack = malloc(sizeof(*stack));
	u32 *owners = calloc(tasks->nr + 1, sizeof(*owners));
	struct kernel_wait wait;

	for (u32 i = 0; stack && owners && i < tasks->nr; i++) {
		owners[i] = NO_OWNER;
		if (tasks->list[i].is_running)
			continue;
		kernel_unwind(w->unwinder, &tasks->list[i], stack);
		if (kernel_wait_of(w, &tasks->list[i], stack, &wait) && wait.owner)
			owners[i] = wait.owner - tasks->list;
	}
	if (!stack) {
		free(owners);
		owners = NULL;
	}
	free(stack);
	return owners;
}

int kernel_deadlocks(const struct kernel_waits *w, struct kernel_chain *chain,
		     void (*found)(const struct kernel_chain *chain, void *priv), void *priv,
		     struct err *err)
{
	u32 nr = w->tasks->nr, *owners = find_owners(w), *round = calloc(nr + 1, sizeof(*round));
	int ret = 0;

	if (!owners || !round)
		ret = err_sys(err, "memory for what tasks wait for");
	/* Each walk marks where it comes with its own number: meeting that again, it is a cycle. */
	for (u32 i = 0; i < nr && !ret; i++) {
		u32 at = i;

		while (at != NO_OWNER && !round[at]) {
			round[at] = i + 1;
			at = owners[at];
		}
		if (at == NO_OWNER || round[at] != i + 1)
			continue;
		ret = kernel_wait_chain(w, &w->tasks->list[at], chain, err);
		if (!ret && chain->is_cycle)
			found(chain, priv);
	}
	free(owners);
	free(round);
	return ret;
}
