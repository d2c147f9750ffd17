// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who holds what a hung task waits for.  Since 6.15 the kernel prints that (CONFIG_DETECT_HUNG_TASK_BLOCKER);
 * before, only a dump of memory has it.  The kernel's thread that looks for hung tasks comes by here, in
 * front of its own report, and what is found is a line of the log.
 *
 * A task that waits for a mutex or a rwsem has a structure of three members on its stack: an entry of the
 * lock's list, and the task itself.  The list proves it, and leads to the lock.
 */
#include <linux/hardirq.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/magic.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/trace_clock.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <trace/events/sched.h>
#include "arch/arch.h"
#include "compat.h"
#include "hang.h"
#include "recorder.h"

#if defined(EPITAPH_ARCH_SAVED_SP) && defined(CONFIG_DETECT_HUNG_TASK) && \
	!defined(CONFIG_PREEMPT_RT) && !defined(EPITAPH_KERNEL_NAMES_OWNERS)

#define MOST_WORDS	256	/* of a stack, from where the task sleeps */
#define MOST_NAMES	64	/* words of it that may be in a function */
#define MOST_WAITERS	64	/* of one lock */
#define MOST_LINES	100	/* of one boot */
#define MOST_LINKS	16	/* of one look at all tasks */
#define MARGIN_NS	10000000	/* of the two clocks */

#define OWNER_FLAGS	7UL	/* kernel/locking/mutex.c, rwsem.c */
#define IS_READER	1UL

/* kernel/locking/mutex.h, struct mutex_waiter; rwsem.c, struct rwsem_waiter: how both begin. */
struct waiter {
	struct list_head list;
	struct task_struct *task;
};

enum lock_kind { OF_NONE, OF_MUTEX, OF_RWSEM };

static struct tracepoint *hang_tp;
static int lines_left = MOST_LINES;
static pid_t said[MOST_LINKS];	/* in this look, which takes less than a second */
static int nr_said;
static unsigned long said_at;

static bool read_nofault(unsigned long at, unsigned long *ret)
{
	return IS_ALIGNED(at, sizeof(*ret)) && !copy_from_kernel_nofault(ret, (void *)at, sizeof(*ret));
}

/* Is the entry at @at one of a list, as its neighbours say? */
static bool is_linked(unsigned long at, unsigned long *next)
{
	unsigned long prev, back, forth;

	return read_nofault(at, next) && read_nofault(at + sizeof(void *), &prev) && *next != at &&
	       read_nofault(*next + sizeof(void *), &back) && back == at && read_nofault(prev, &forth) && forth == at;
}

/* The structure on the stack of @task; 0: there is none. */
static unsigned long find_waiter(struct task_struct *task, unsigned long sp, unsigned long end)
{
	unsigned long at, next, word;

	for (at = sp; at + sizeof(struct waiter) <= end; at += sizeof(long))
		if (read_nofault(at + offsetof(struct waiter, task), &word) && word == (unsigned long)task && is_linked(at, &next))
			return at;
	return 0;
}

/*
 * Does it lie on the stack of the task that it names?  What stands behind a lock may lead to the lock's own
 * object, so the end of a stack must be there.  Of arm64 all of the kernel's own data is in the range of vmalloc().
 */
static bool is_waiter(unsigned long at)
{
	unsigned long task, base, magic;

	return read_nofault(at + offsetof(struct waiter, task), &task) &&
	       read_nofault(task + offsetof(struct task_struct, stack), &base) && at - base < THREAD_SIZE &&
	       read_nofault(base, &magic) && magic == STACK_END_MAGIC;
}

/* The head of the list that has the entry at @at: all others lie on stacks.  0: it is not found. */
static unsigned long find_head(unsigned long at)
{
	int i;

	for (i = 0; i < MOST_WAITERS; i++) {
		unsigned long next;

		if (!is_linked(at, &next))
			return 0;
		if (!is_waiter(next))
			return next;
		at = next;
	}
	return 0;
}

/* What it waits for, by the first such function between where it sleeps and the structure. */
static enum lock_kind lock_kind_of(unsigned long sp, unsigned long end)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned long word;
	int left = MOST_NAMES;

	for (; sp < end && left; sp += sizeof(long), left--) {
		if (!read_nofault(sp, &word) || word < TASK_SIZE_MAX)
			continue;
		sprint_symbol_no_offset(name, EPITAPH_ARCH_RETURN_ADDRESS(word));
		if (!strncmp(name, "__mutex_lock", 12) || !strncmp(name, "__ww_mutex_lock", 15))
			return OF_MUTEX;
		if (!strncmp(name, "rwsem_down_", 11))
			return OF_RWSEM;
		/* A semaphore has no owner. */
		if (!strncmp(name, "__down", 6))
			return OF_NONE;
	}
	return OF_NONE;
}

/*
 * When it fell asleep, or before: the scheduler noted when it ran last, by a clock that may leave out the time of
 * interrupts.
 */
static s64 ran_last(const struct task_struct *task)
{
	s64 ahead = (s64)(trace_clock() - ktime_get_ns());

	return (s64)READ_ONCE(task->se.exec_start) - ahead - MARGIN_NS;
}

/* The task at @owner, if there is one, and it is older than the wait: another may have got its memory. */
static struct task_struct *find_owner(const struct task_struct *task, unsigned long owner)
{
	struct task_struct *process, *thread;

	for_each_process_thread(process, thread)
		if ((unsigned long)thread == owner)
			return (s64)thread->start_time < ran_last(task) ? thread : NULL;
	return NULL;
}

static bool was_said(pid_t pid)
{
	int i;

	for (i = 0; i < nr_said; i++)
		if (said[i] == pid)
			return true;
	if (nr_said < MOST_LINKS)
		said[nr_said++] = pid;
	return nr_said == MOST_LINKS;
}

/* Return: the owner; NULL: none is known, or it was said. */
static struct task_struct *say_owner(struct task_struct *task)
{
	unsigned long sp = EPITAPH_ARCH_SAVED_SP(task), base = (unsigned long)task_stack_page(task);
	unsigned long at, head, word, end = sp + MOST_WORDS * sizeof(long);
	struct task_struct *owner;
	enum lock_kind kind;

	if (!base || sp < base || sp >= base + THREAD_SIZE)
		return NULL;
	end = min(end, base + THREAD_SIZE);
	at = find_waiter(task, sp, end);
	head = at ? find_head(at) : 0;
	kind = head ? lock_kind_of(sp, min(end, at + MOST_NAMES * sizeof(long))) : OF_NONE;
	if (kind == OF_NONE)
		return NULL;
	head -= kind == OF_MUTEX ? offsetof(struct mutex, wait_list) - offsetof(struct mutex, owner) :
				   offsetof(struct rw_semaphore, wait_list) - offsetof(struct rw_semaphore, owner);
	if (!read_nofault(head, &word))
		return NULL;
	owner = find_owner(task, word & ~OWNER_FLAGS);
	if (!owner || lines_left <= 0 || was_said(task->pid))
		return NULL;
	lines_left--;
	if (kind == OF_MUTEX)
		pr_err("task %s:%d is blocked on a mutex likely owned by task %s:%d.\n", task->comm, task->pid, owner->comm, owner->pid);
	else
		pr_err("task %s:%d is blocked on an rw-semaphore likely owned by task %s:%d <%s>.\n", task->comm, task->pid,
		       owner->comm, owner->pid, word & IS_READER ? "reader" : "writer");
	return owner;
}

/*
 * The kernel's own thread calls it, within rcu_read_lock(): the task has not run for long, and sleeps. An owner
 * that a signal may kill is not reported by the kernel, and may wait as well.
 */
static void on_hang(void *data, struct task_struct *task)
{
	if (time_after(jiffies, said_at + HZ))
		nr_said = 0;
	said_at = jiffies;
	while (in_task() && task && task != current && !READ_ONCE(task->on_cpu))
		task = say_owner(task);
}

static void __maybe_unused check_prototype(void)
{
	check_trace_callback_type_sched_process_hang(on_hang);
}

static void find_tp(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_process_hang"))
		hang_tp = tp;
}

void epitaph_hang_start(void)
{
	for_each_kernel_tracepoint(find_tp, NULL);
	if (hang_tp && tracepoint_probe_register(hang_tp, on_hang, NULL))
		hang_tp = NULL;
}

void epitaph_hang_stop(void)
{
	if (hang_tp)
		tracepoint_probe_unregister(hang_tp, on_hang, NULL);
	hang_tp = NULL;
	tracepoint_synchronize_unregister();
}

#else

void epitaph_hang_start(void)
{
}

void epitaph_hang_stop(void)
{
}

#endif
