// SPDX-License-Identifier: GPL-2.0-or-later
#include "task_names.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum task_from {
	FROM_UNKNOWN,		/* not looked up yet */
	FROM_TABLE,
	FROM_EVENT,
	FROM_MISS,		/* not in the table */
	FROM_OLD_MISS,		/* was not in the table before it grew */
};

struct task {
	u32 pid;
	u8 from;		/* enum task_from */
	char comm[TASK_COMM];
};

/* @list: a hash table of 2^@bits entries; @nr are in use */
struct task_names {
	struct generation *generation;
	const struct section *sec;
	u32 nr;
	u32 bits;
	char comm[TASK_COMM + 1];
	struct task *list;
};

#define MIN_BITS	8

int task_names_new(struct task_names **ret, struct generation *generation, struct err *err)
{
	struct task_names *tasks = calloc(1, sizeof(*tasks));

	if (tasks)
		tasks->list = calloc(1 << MIN_BITS, sizeof(*tasks->list));
	if (!tasks || !tasks->list) {
		free(tasks);
		return err_sys(err, "memory for task names");
	}
	tasks->bits = MIN_BITS;
	tasks->generation = generation;
	tasks->sec = generation ? generation_section(generation, EPITAPH_SEC_TASKS) : NULL;
	*ret = tasks;
	return 0;
}

void task_names_free(struct task_names *tasks)
{
	if (tasks)
		free(tasks->list);
	free(tasks);
}

static u32 table_size(const struct task_names *tasks)
{
	return 1U << tasks->bits;
}

void task_names_reset(struct task_names *tasks)
{
	if (tasks->nr)
		memset(tasks->list, 0, table_size(tasks) * sizeof(*tasks->list));
	tasks->nr = 0;
}

void task_names_ask_again(struct task_names *tasks)
{
	u32 i;

	if (tasks->nr > TASKS_MAX / 2)
		task_names_reset(tasks);
	for (i = 0; i < table_size(tasks); i++)
		if (tasks->list[i].from == FROM_MISS)
			tasks->list[i].from = FROM_OLD_MISS;
}

/* The entry of @pid, or the free entry for it. */
static struct task *find_task(const struct task_names *tasks, u32 pid)
{
	u32 i = pid * 0x9e3779b1U >> (32 - tasks->bits), mask = table_size(tasks) - 1;

	while (tasks->list[i].from && tasks->list[i].pid != pid)
		i = (i + 1) & mask;
	return &tasks->list[i];
}

static bool grow_table(struct task_names *tasks)
{
	struct task *old = tasks->list, *list;
	u32 i, nr = table_size(tasks);

	list = 2 * nr <= TASKS_MAX ? calloc(2 * nr, sizeof(*list)) : NULL;
	if (!list)
		return false;
	tasks->list = list;
	tasks->bits++;
	for (i = 0; i < nr; i++)
		if (old[i].from)
			*find_task(tasks, old[i].pid) = old[i];
	free(old);
	return true;
}

/* The entry of @pid, which is added if needed; NULL: the table is full. */
static struct task *get_task(struct task_names *tasks, u32 pid)
{
	struct task *task = find_task(tasks, pid);

	if (task->from)
		return task;
	if (tasks->nr >= table_size(tasks) / 4 * 3) {
		if (!grow_table(tasks))
			return NULL;
		task = find_task(tasks, pid);
	}
	tasks->nr++;
	task->pid = pid;
	return task;
}

void task_names_set(struct task_names *tasks, u32 pid, const char *comm, size_t size)
{
	struct task *task = get_task(tasks, pid);

	if (!task)
		return;
	task->from = FROM_EVENT;
	memset(task->comm, 0, TASK_COMM);
	memcpy(task->comm, comm, strnlen(comm, size < TASK_COMM ? size : TASK_COMM));
}

static void look_up_task(struct task_names *tasks, struct task *task)
{
	u64 n = section_entries(tasks->sec, sizeof(struct epitaph_task));
	struct epitaph_task raw;

	task->from = FROM_MISS;
	if (!n || section_entry(tasks->generation, tasks->sec, task->pid % n, &raw,
				sizeof(raw)) != 1 || le32toh(raw.pid) != task->pid)
		return;
	task->from = FROM_TABLE;
	memcpy(task->comm, raw.comm, TASK_COMM);
}

const char *task_names_comm(struct task_names *tasks, u32 pid)
{
	struct task *task;

	if (!pid)
		return "<idle>";
	task = get_task(tasks, pid);
	if (!task)
		return NULL;
	if (task->from == FROM_UNKNOWN || task->from == FROM_OLD_MISS)
		look_up_task(tasks, task);
	if (task->from == FROM_MISS)
		return NULL;
	memcpy(tasks->comm, task->comm, TASK_COMM);
	return tasks->comm;
}

void task_names_each(struct task_names *tasks, void (*give)(void *priv, u32 pid, const char *comm),
		     void *priv)
{
	u64 n = section_entries(tasks->sec, sizeof(struct epitaph_task)), k;
	struct epitaph_task raw;
	u32 i;

	/* Look up the tasks that no event has asked for. */
	for (k = 0; k < n; k++)
		if (section_entry(tasks->generation, tasks->sec, k, &raw, sizeof(raw)) == 1)
			task_names_comm(tasks, le32toh(raw.pid));
	for (i = 0; i < table_size(tasks); i++) {
		const struct task *task = &tasks->list[i];

		if (task->from == FROM_UNKNOWN || task->from == FROM_MISS || task->from == FROM_OLD_MISS)
			continue;
		memcpy(tasks->comm, task->comm, TASK_COMM);
		give(priv, task->pid, tasks->comm);
	}
}

void task_names_check(struct task_names *tasks)
{
	u64 first = 0, damaged = section_damaged(tasks->generation, tasks->sec,
						 sizeof(struct epitaph_task), &first);

	if (damaged)
		damage_notes_add(&tasks->generation->notes, first,
				 "task names: %llu entries are damaged, the first one here",
				 damaged);
}
