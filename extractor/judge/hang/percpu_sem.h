/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Per-CPU read-write semaphores: who waits to write, and who reads; kernel/locking/percpu-rwsem.c. */
#ifndef EPITAPH_JUDGE_HANG_PERCPU_SEM_H
#define EPITAPH_JUDGE_HANG_PERCPU_SEM_H

#include "owners.h"

/**
 * percpu_sem_take() - what @task waits for, if that is such a semaphore
 * @waits: @wait has what kernel_wait_of() found; becomes true with it
 * @wait: becomes a wait for the semaphore, with KOWNER_GATE_WRITER or KOWNER_GATE_READER and the owner, or without one
 *
 * Who waits in its queue stands behind the writer that it names. That waits for those that read: as many tasks as its counters have that
 * sleep in a function which took that very one to read, by its code, in front of where it is; several are not told apart, and none is
 * named.
 *
 * Return: true: @wait is new.
 */
bool percpu_sem_take(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, struct kernel_wait *wait, bool *waits);

#endif
