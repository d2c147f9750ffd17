// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build: extractor/region/task_names.c @extractor -lzstd -llzo2 -lz -lsnappy -lbpf -ldw -lelf
 */
#include <string.h>

#include "region/task_names.h"
#include "tap.h"

#define NR	100000U		/* more than are kept */

static struct task_names *tasks;

/* Numbers that are not neighbours. */
static u32 pid_of(u32 i)
{
	return i * 2654435761U | 1;
}

static u32 name_all(void)
{
	char comm[TASK_COMM + 1];
	u32 i, nr = 0;

	for (i = 0; i < NR; i++) {
		snprintf(comm, sizeof(comm), "task %u", i);
		task_names_set(tasks, pid_of(2 * i), comm, TASK_COMM);
		nr += task_names_comm(tasks, pid_of(2 * i)) != NULL;
	}
	return nr;
}

static void tasks__as_many_as_are_promised_keep_their_names(void)
{
	char want[TASK_COMM + 1];
	u32 i, nr, kept = 0;

	nr = name_all();
	CHECK(nr == TASKS_MAX / 4 * 3, "%u were taken", nr);
	for (i = 0; i < nr; i++) {
		const char *comm = task_names_comm(tasks, pid_of(2 * i));

		snprintf(want, sizeof(want), "task %u", i);
		kept += comm && !strcmp(comm, want);
	}
	CHECK(kept == nr, "%u of %u", kept, nr);
}

static void take(void *priv, u32 pid, const char *comm)
{
	(void)pid;
	*(u32 *)priv += !strncmp(comm, "task ", 5);
}

static void tasks__each_is_given_once_and_none_after_a_reset(void)
{
	u32 nr = 0;

	task_names_each(tasks, take, &nr);
	CHECK(nr == TASKS_MAX / 4 * 3, "%u", nr);
	task_names_reset(tasks);
	nr = 0;
	task_names_each(tasks, take, &nr);
	CHECK(!nr, "%u", nr);
	CHECK(!task_names_comm(tasks, pid_of(0)), "%s", "a name is left");
}

int main(void)
{
	if (task_names_new(&tasks, NULL, NULL))
		return 99;
	TAP_RUN(tasks__as_many_as_are_promised_keep_their_names);
	TAP_RUN(tasks__each_is_given_once_and_none_after_a_reset);
	task_names_free(tasks);
	return tap_done();
}
