/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who holds a lock that keeps no owner, by the code of the functions on the stacks. */
#ifndef EPITAPH_JUDGE_CODE_HOLDER_H
#define EPITAPH_JUDGE_CODE_HOLDER_H

#include "owners.h"

/*
 * The only task that sleeps in a function of a module which has taken such a lock on all ways to that place, and has not given it
 * back; the lock is that by its address in the code, or by what the function's registers have, which what it called keeps; of a bit it is that one. NULL: none is, or
 * more are, or @wait is of no semaphore and no bit.
 */
const struct kernel_task *code_holder_find(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *waiter,
					   const struct kernel_wait *wait);

/*
 * The only task that sleeps in a function of a module which has called srcu_read_lock() on all ways to that place, and not
 * srcu_read_unlock() since, of the SRCU whose readers @waiter waits for in synchronize_srcu(). NULL: it does not wait so, none is, or
 * more are. @name: gets that function
 */
const struct kernel_task *srcu_reader_find(char name[KERNEL_SYMBOL_MAX], const struct owners *owners, const struct kernel *kernel,
					   const struct kernel_task *waiter);

/**
 * struct spin_holder - who has a spinlock or a read-write lock
 * @task: it ran
 * @name: the function that has taken it, as a frame has it
 * @waits_in: where the task waits for such a lock itself; "": it does not
 * @wanted: that lock
 * @is_interrupted: an interrupt or a softirq came into that function, or into what it called, and waits
 */
struct spin_holder {
	const struct kernel_task *task;
	char name[KERNEL_SYMBOL_MAX];
	char waits_in[KERNEL_SYMBOL_MAX];
	u64 wanted;
	bool is_interrupted;
};

/* The only one, by the code of functions of modules on the stacks of what ran. False: none has it, more have, or it is not seen. */
bool spin_holder_find(struct spin_holder *ret, const struct owners *owners, const struct kernel *kernel, u64 lock);

/* The same of the lock that @task, which ran, spins for. */
bool spin_holder_of(struct spin_holder *ret, const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task);

/**
 * reader_prove() - does the last reader of a rwsem hold it by its code?
 * @wait: for the rwsem, with KOWNER_LAST_READER; becomes KOWNER_READER, and gets @work and @writer
 *
 * It does if the rwsem has one reader, and code on the last reader's stack took it to read and did not give it back since: on all
 * ways to the place, that very rwsem; or any rwsem, in the order of the instructions.
 */
void reader_prove(const struct owners *owners, const struct kernel *kernel, struct kernel_wait *wait);

#endif
