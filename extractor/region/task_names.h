/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread was called: as events said last, else as the table says. */
#ifndef EPITAPH_REGION_TASK_NAMES_H
#define EPITAPH_REGION_TASK_NAMES_H

#include "generation.h"

#define TASKS_MAX	65536	/* threads that events may name */
#define TASK_COMM	16

struct task_names;

/* @generation: NULL: there is no table, only what events say. */
int task_names_new(struct task_names **ret, struct generation *generation, struct err *err);
void task_names_free(struct task_names *tasks);

/* An event says that @pid is called @comm; need not be terminated. */
void task_names_set(struct task_names *tasks, u32 pid, const char *comm, size_t size);

/* Forget what events said: the timeline begins anew. */
void task_names_reset(struct task_names *tasks);

/*
 * The table grew while it was read: it is asked once more for who was not in it.  Of very
 * many names, all are forgotten.
 */
void task_names_ask_again(struct task_names *tasks);

/* Terminated, valid until the next call; NULL: nobody says. */
const char *task_names_comm(struct task_names *tasks, u32 pid);

/* Gives each thread that has a name now, but for the idle one; @comm is terminated. */
void task_names_each(struct task_names *tasks, void (*give)(void *priv, u32 pid, const char *comm),
		     void *priv);

/* Reads all of the table, so that damage in it is noted. */
void task_names_check(struct task_names *tasks);

#endif
