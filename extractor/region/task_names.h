/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of threads: from the last event that has the name, else from the table of tasks. */
#ifndef EPITAPH_REGION_TASK_NAMES_H
#define EPITAPH_REGION_TASK_NAMES_H

#include "generation.h"

#define TASKS_MAX	65536	/* further threads have no name */
#define TASK_COMM	16

struct task_names;

/* @generation: NULL: without a table of tasks. task_names_free() frees @ret. */
int task_names_new(struct task_names **ret, struct generation *generation, struct err *err);
void task_names_free(struct task_names *tasks);

/* An event names @pid @comm, which need not be terminated. */
void task_names_set(struct task_names *tasks, u32 pid, const char *comm, size_t size);

/* Forgets the names from events, for another walk from the start. */
void task_names_reset(struct task_names *tasks);

/*
 * The table of a running recorder grows: look up missing threads again. Forgets all names if
 * there are very many.
 */
void task_names_ask_again(struct task_names *tasks);

/* The name, terminated, valid until the next call; NULL: unknown. */
const char *task_names_comm(struct task_names *tasks, u32 pid);

/* Calls @give for each thread with a name but the idle one; @comm is terminated. */
void task_names_each(struct task_names *tasks, void (*give)(void *priv, u32 pid, const char *comm),
		     void *priv);

/* Notes damaged entries of the table. */
void task_names_check(struct task_names *tasks);

#endif
