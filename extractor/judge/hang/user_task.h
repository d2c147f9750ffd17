/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The task that uses what another one takes away, and that one waits for its users. */
#ifndef EPITAPH_JUDGE_HANG_USER_TASK_H
#define EPITAPH_JUDGE_HANG_USER_TASK_H

#include "owners.h"

/*
 * @task waits until all have left the functions of a file that it removes, of sysfs, /proc or debugfs: the only other task that is in
 * such a function, and sleeps. NULL: it waits for something else, there is none, or more.
 */
const struct kernel_task *user_task_find(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task);

#endif
