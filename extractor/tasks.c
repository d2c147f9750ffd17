// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum task_from {
	FROM_NOBODY,
	FROM_TABLE,
	FROM_EVENT,
	FROM_MISS,		/* the table has not got it either */
};

struct task {
	u32 pid;
	u8 from;		/* enum task_from */
	char comm[TASK_COMM];
};

struct tasks {
	struct region *region;
	const struct section *sec;
	u32 nr;
	char comm[TASK_COMM + 1];
	struct task list[TASKS_MAX];
};

int tasks_new(struct tasks **ret, struct region *region, struct err *err)
{
	struct tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return err_sys(err, "memory for task names");
	tasks->region = region;
	tasks->sec = region ? region_section(region, EPITAPH_SEC_TASKS) : NULL;
	*ret = tasks;
	return 0;
}

void tasks_free(struct tasks *tasks)
{
	free(tasks);
}

void tasks_reset(struct tasks *tasks)
{
	if (tasks->nr)
		memset(tasks->list, 0, sizeof(tasks->list));
	tasks->nr = 0;
}

/* Where @pid is or would be; NULL: full. */
static struct task *slot(struct tasks *tasks, u32 pid)
{
	u32 i = pid * 0x9e3779b1U >> 16;
	struct task *task;

	for (task = &tasks->list[i % TASKS_MAX]; task->from; task = &tasks->list[++i % TASKS_MAX])
		if (task->pid == pid)
			return task;
	if (tasks->nr >= TASKS_MAX / 4 * 3)
		return NULL;
	tasks->nr++;
	task->pid = pid;
	return task;
}

void tasks_set(struct tasks *tasks, u32 pid, const char *comm, size_t size)
{
	struct task *task = slot(tasks, pid);

	if (!task)
		return;
	task->from = FROM_EVENT;
	memset(task->comm, 0, TASK_COMM);
	memcpy(task->comm, comm, strnlen(comm, size < TASK_COMM ? size : TASK_COMM));
}

static void ask_table(struct tasks *tasks, struct task *task)
{
	u64 n = section_entries(tasks->sec, sizeof(struct epitaph_task));
	struct epitaph_task raw;

	task->from = FROM_MISS;
	if (!n || section_entry(tasks->region, tasks->sec, task->pid % n, &raw,
				sizeof(raw)) != 1 || le32toh(raw.pid) != task->pid)
		return;
	task->from = FROM_TABLE;
	memcpy(task->comm, raw.comm, TASK_COMM);
}

const char *tasks_comm(struct tasks *tasks, u32 pid)
{
	struct task *task;

	if (!pid)
		return "<idle>";
	task = slot(tasks, pid);
	if (!task)
		return NULL;
	if (task->from == FROM_NOBODY)
		ask_table(tasks, task);
	if (task->from == FROM_MISS)
		return NULL;
	memcpy(tasks->comm, task->comm, TASK_COMM);
	return tasks->comm;
}

/* What events have not asked for yet. */
static void ask_for_all(struct tasks *tasks)
{
	u64 n = section_entries(tasks->sec, sizeof(struct epitaph_task));
	struct epitaph_task raw;
	u64 i;

	for (i = 0; i < n; i++)
		if (section_entry(tasks->region, tasks->sec, i, &raw, sizeof(raw)) == 1)
			tasks_comm(tasks, le32toh(raw.pid));
}

void tasks_each(struct tasks *tasks, void (*give)(void *priv, u32 pid, const char *comm),
		void *priv)
{
	u32 i;

	ask_for_all(tasks);
	for (i = 0; i < TASKS_MAX; i++) {
		const struct task *task = &tasks->list[i];

		if (task->from == FROM_NOBODY || task->from == FROM_MISS)
			continue;
		memcpy(tasks->comm, task->comm, TASK_COMM);
		give(priv, task->pid, tasks->comm);
	}
}

void tasks_check(struct tasks *tasks)
{
	u64 n = section_entries(tasks->sec, sizeof(struct epitaph_task));
	u64 i, damaged = 0, first = 0;

	for (i = 0; i < n; i++) {
		struct epitaph_task raw;
		int good = section_entry(tasks->region, tasks->sec, i, &raw, sizeof(raw));

		if (good == -2)
			break;
		if (good == -1 && !damaged++)
			first = tasks->sec->off + i * tasks->sec->unit;
	}
	if (damaged)
		notes_add(&tasks->region->notes, first,
			  "task names: %llu entries are damaged, the first one here",
			  damaged);
}
