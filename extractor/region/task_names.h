/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread was called: as events said last, else as the table says. */
#ifndef EPITAPH_REGION_TASK_NAMES_H
#define EPITAPH_REGION_TASK_NAMES_H

#include "generation.h"

#define TASKS_MAX	65536	/* threads that events may name */
#define TASK_COMM	16

struct tasks;

/* @region: NULL: there is no table, only what events say. */
int tasks_new(struct tasks **ret, struct region *region, struct err *err);
void tasks_free(struct tasks *tasks);

/* An event says that @pid is called @comm; need not be terminated. */
void tasks_set(struct tasks *tasks, u32 pid, const char *comm, size_t size);

/* Forget what events said: the timeline begins anew. */
void tasks_reset(struct tasks *tasks);

/*
 * The table grew while it was read: it is asked once more for who was not in it.  Of very
 * many names, all are forgotten.
 */
void tasks_ask_again(struct tasks *tasks);

/* Terminated, valid until the next call; NULL: nobody says. */
const char *tasks_comm(struct tasks *tasks, u32 pid);

/* Gives each thread that has a name now, but for the idle one; @comm is terminated. */
void tasks_each(struct tasks *tasks, void (*give)(void *priv, u32 pid, const char *comm),
		void *priv);

/* Reads all of the table, so that damage in it is noted. */
void tasks_check(struct tasks *tasks);

#endif
