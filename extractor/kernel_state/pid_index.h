/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks by the kernel's index of pids: a way to them beside their lists. */
#ifndef EPITAPH_KERNEL_STATE_PID_INDEX_H
#define EPITAPH_KERNEL_STATE_PID_INDEX_H

#include "linux_kernel/linux_kernel.h"

/**
 * struct indexed_task - a task, as the index has it
 * @va: of its struct task_struct, which names this pid
 * @is_lacking: the dump lacks that: @va is what the pid says alone
 */
struct indexed_task {
	u64 va;
	s32 pid;
	bool is_lacking;
};

/**
 * pid_index_each() - the task of each pid of the first namespace
 * @found: gets each; false: no more
 *
 * Nodes of the index that are not there, or lead upwards, are left out. At most 65 536 are read.
 */
void pid_index_each(const struct kernel *kernel, bool (*found)(const struct indexed_task *task, void *priv), void *priv);

#endif
