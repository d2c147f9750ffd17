/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task of a dumped kernel waits for, and who holds it: by the structure that the kernel put
 * on the task's stack. docs/stacks.md says what proves it.
 *
 *	struct kernel_waits *waits;
 *	struct kernel_wait wait;
 *
 *	kernel_waits_open(&waits, tasks, unwinder, &err);
 *	kernel_unwind(unwinder, task, stack);
 *	if (kernel_wait_of(waits, task, stack, &wait) && wait.owner)
 *		printf("%s waits for %s\n", task->comm, wait.owner->comm);
 */
#ifndef EPITAPH_KERNEL_STATE_WAITS_H
#define EPITAPH_KERNEL_STATE_WAITS_H

#include "unwind.h"

#define KERNEL_CHAIN_MAX	64

enum kernel_wait_kind {
	KWAIT_MUTEX,
	KWAIT_RWSEM_READ,	/* wants to read */
	KWAIT_RWSEM_WRITE,	/* wants to write */
	KWAIT_SEMAPHORE,
	KWAIT_COMPLETION,
	KWAIT_PAGE,		/* a bit of a folio's flags */
	KWAIT_BIT,		/* a bit of a word */
	KWAIT_RTMUTEX,
	KWAIT_QUEUE,		/* an entry of a wait queue: any code that walks the queue wakes it */
	KERNEL_NR_WAITS,
};

/* How sure it is that @owner of struct kernel_wait holds it. */
enum kernel_owner_kind {
	KOWNER_NONE,		/* the kernel keeps no owner of this kind, or there is none now */
	KOWNER_SHOWN,		/* the lock itself names this task */
	KOWNER_LAST_READER,	/* this task read last of all: it may have left, others may read too */
	KOWNER_UNKNOWN,		/* the lock names something that is no task */
	KOWNER_WORKER,		/* this task runs the work item that is waited for; shown */
	KOWNER_YOUNGER,		/* set by judges: this task began after the wait, and is where the owner was */
	KOWNER_HOTPLUG,		/* this thread of a CPU runs the callbacks of its hotplug that are waited for; shown */
	KOWNER_HOTPLUG_WRITER,	/* this task takes a CPU up or down, and has the lock of all that; shown by its stack */
	KOWNER_COMPLETER,	/* set by judges: this task is in the only function that completes it, and has not come to that */
	KOWNER_CALLER,		/* set by judges: this task is to call the only function that completes it, behind what it waits for itself */
	KOWNER_FRONT,		/* set by judges: this worker runs what stands in front of the only work item that completes it, on an ordered workqueue */
	KOWNER_USER,		/* set by judges: this task alone uses what is to be removed when all users have left */
	KOWNER_CODE,		/* set by judges: this task alone has taken such a lock, by the code of a function that it is in */
	KOWNER_READER,		/* set by judges: this task alone reads, by the count and by the code of a function that it is in */
	KOWNER_GATE_WRITER,	/* set by judges: this task waits to write the per-CPU semaphore, which names it; shown */
	KOWNER_GATE_READER,	/* set by judges: this task alone reads it, by its counters and by the code of a function that it is in */
	KOWNER_ENDING,		/* this thread has to end, as kthread_stop() asked it to; shown */
	KOWNER_PARKING,		/* this thread has to park itself, as kthread_park() asked it to; shown */
	KOWNER_SRCU_READER,	/* set by judges: this task alone reads under the SRCU, by the code of a function that it is in */
};

/**
 * struct kernel_wait - what a task waits for
 * @lock: address of the lock, completion, folio or word
 * @bit: of KWAIT_PAGE and KWAIT_BIT
 * @name: of a static lock: its symbol; of a page's bit: its name; "": none. Not escaped
 * @waiter: address of the structure on the task's stack; 0 with KWAIT_RTMUTEX
 * @is_first: of all that wait for it: who gives it back wakes this one
 * @nr_readers: of a rwsem that is held by readers
 * @work: with KOWNER_WORKER: the function of the work item, by its symbol; "": it has none. Not escaped
 *	with KOWNER_CALLER: the function that completes it
 *	with KOWNER_READER, KOWNER_GATE_READER and KOWNER_SRCU_READER: the function that has taken the lock
 * @writer: with KOWNER_READER: the task that waits to write, in front of the one that wants to read; NULL: none is known
 * @owner: NULL: see @owner_kind
 * @is_renewed: its list of waiters is empty, though the task still leads to it: it was set up anew; there is no owner then
 * @gone: with KOWNER_UNKNOWN: the address that the lock has for its owner; a task was there, as a rule
 */
struct kernel_wait {
	enum kernel_wait_kind kind;
	u64 lock;
	u32 bit;
	char name[KERNEL_SYMBOL_MAX];
	u64 waiter;
	bool is_first;
	bool is_renewed;
	u64 nr_readers;
	char work[KERNEL_SYMBOL_MAX];
	enum kernel_owner_kind owner_kind;
	const struct kernel_task *owner;
	const struct kernel_task *writer;
	u64 gone;
};

/**
 * struct kernel_chain - who waits for whom
 * @tasks: each waits for a lock that the next one holds, a work item that it runs, or its end; the last one waits for nothing that has
 *	an owner, or with @is_cycle for the one of number @back
 * @waits: of each; the last is valid only if @is_cycle or @last_waits
 * @is_sure: no owner is but the last reader of a rwsem
 */
struct kernel_chain {
	const struct kernel_task *tasks[KERNEL_CHAIN_MAX];
	struct kernel_wait waits[KERNEL_CHAIN_MAX];
	u32 nr;
	bool last_waits;
	bool is_cycle;
	u32 back;
	bool is_sure;
	bool is_cut;	/* longer than KERNEL_CHAIN_MAX */
};

struct kernel_waits;

/**
 * kernel_waits_open() - find where waiting structures have their members
 * @ret: for kernel_waits_close(); set only on success
 * @tasks, @unwinder: must outlive it
 *
 * Return: 0, also without types: then no wait is found; -ERR_IO without memory.
 */
int kernel_waits_open(struct kernel_waits **ret, const struct kernel_tasks *tasks,
		      struct kernel_unwinder *unwinder, struct err *err);

/* @w may be NULL. */
void kernel_waits_close(struct kernel_waits *w);

/**
 * kernel_wait_of() - what a task waits for
 * @stack: what kernel_unwind() gave for @task
 *
 * Return: false: it runs, waits for nothing of these kinds, or that does not prove itself.
 */
bool kernel_wait_of(const struct kernel_waits *w, const struct kernel_task *task,
		    const struct kernel_stack *stack, struct kernel_wait *ret);

/**
 * kernel_wait_chain() - who waits for whom, from @task on
 * @ret: nr is 1 if @task waits for nothing that has an owner
 *
 * Unwinds the stack of each task on the way. Return: 0, or -ERR_IO without memory.
 */
int kernel_wait_chain(const struct kernel_waits *w, const struct kernel_task *task,
		      struct kernel_chain *ret, struct err *err);

/* Is @task in the chain? Then that comes back to it: a cycle. */
bool kernel_chain_close(struct kernel_chain *chain, const struct kernel_task *task);

/**
 * kernel_deadlocks() - each cycle of tasks that wait for each other, once
 * @chain: room for one
 * @found: gets each; is_sure says whether all of its owners are shown
 *
 * Return: 0, or -ERR_IO without memory.
 */
int kernel_deadlocks(const struct kernel_waits *w, struct kernel_chain *chain,
		     void (*found)(const struct kernel_chain *chain, void *priv), void *priv,
		     struct err *err);

/* "for mutex", "to read rwsem", "for page flag": of a sentence with "waits". */
const char *kernel_wait_word(enum kernel_wait_kind kind);

#endif
