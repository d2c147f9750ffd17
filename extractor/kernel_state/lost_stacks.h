/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks of tasks that the dump lacks: they are pages of another kind, and it may have them. */
#ifndef EPITAPH_KERNEL_STATE_LOST_STACKS_H
#define EPITAPH_KERNEL_STATE_LOST_STACKS_H

#include "tasks.h"

/*
 * Stacks lie near one another. One that no task of @tasks has, and in which the address of one that is lacking stands more often than
 * that of any other of these, is taken for that one's.
 */
void lost_stacks_find(struct kernel_tasks *tasks);

#endif
