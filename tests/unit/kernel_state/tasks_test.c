// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks out of a small dump: lists made by hand, whole ones and such as lead nowhere or in circles.
 *
 * build: tests/lib/tasks_rig.c tests/lib/kmem_image.c @extractor -Wl,-z,muldefs
 */
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "tasks_rig.h"

/* Task @nr_broken - 1 leads to @broken. */
static void open_tasks(struct rig *rig, u32 nr, u32 to, u32 nr_broken, u64 broken)
{
	u64 tasks[8];

	rig_make(rig);
	for (u32 i = 0; i < nr; i++)
		tasks[i] = rig_put_task(rig, 10 + i, 0, 0);
	rig_link_tasks(rig, tasks, nr, to);
	if (nr_broken)
		rig_task(rig, tasks[nr_broken - 1])->next = broken;
	rig_open(rig, false);
}

static void tasks__are_listed_with_their_threads(void)
{
	struct rig rig;
	u64 tasks[3], head, thread;

	rig_make(&rig);
	for (u32 i = 0; i < 3; i++)
		tasks[i] = rig_put_task(&rig, 10 + i, 0, 0);
	thread = rig_put_task(&rig, 20, 0, 0);
	head = kmem_put(&rig.k, (u64[2]){ tasks[1] + offsetof(struct test_task, node_next) }, 16);
	rig_task(&rig, tasks[1])->signal = head;
	rig_task(&rig, tasks[1])->node_next = thread + offsetof(struct test_task, node_next);
	rig_task(&rig, thread)->node_next = head;
	rig_task(&rig, thread)->tgid = 11;
	rig_task(&rig, thread)->state = 0x402;
	rig_link_tasks(&rig, tasks, 3, 0);
	rig_open(&rig, false);
	CHECK(rig.tasks->nr == 4 && !rig.tasks->notes.nr, "%u, %llu notes", rig.tasks->nr, rig.tasks->notes.nr);
	CHECK(kernel_tasks_find(rig.tasks, thread) && kernel_tasks_find(rig.tasks, thread)->tgid == 11 &&
	      kernel_tasks_find(rig.tasks, thread)->state == 'I' && kernel_tasks_find(rig.tasks, tasks[0])->state == 'D',
	      "a thread");
	CHECK(!kernel_tasks_find(rig.tasks, thread + 8), "beside a task");
	rig_close(&rig);
}

/* A panic without kdump stops the others, which take themselves out of the first mask. */
static void tasks__a_CPU_that_the_panic_stopped_ran_till_then(void)
{
	struct rig rig;
	u64 task;

	rig_make(&rig);
	task = rig_put_task(&rig, 10, 0, 0);
	rig_link_tasks(&rig, &task, 1, 0);
	rig_add_symbol("__cpu_online_mask", kmem_put(&rig.k, (u64[2]){ 1 }, 16));
	rig_add_symbol("__cpu_active_mask", kmem_put(&rig.k, (u64[2]){ 0xb, 2 }, 16));
	rig_open(&rig, false);
	rig.kernel.nr_cpu_ids = 66;
	for (u32 cpu = 0; cpu < 68; cpu++)
		CHECK(kernel_cpu_is_online(&rig.kernel, cpu) == (cpu < 2 || cpu == 3 || cpu == 65), "CPU %u", cpu);
	rig_close(&rig);
}

static void tasks__a_circle_beside_the_head_is_told_and_left(void)
{
	struct rig rig;

	open_tasks(&rig, 5, 2, 0, 0);
	CHECK(rig.tasks->nr == 5 && rig.tasks->notes.nr == 1 && strstr(rig.tasks->notes.list[0].text, "back into itself"),
	      "%u, %llu notes", rig.tasks->nr, rig.tasks->notes.nr);
	rig_close(&rig);
}

static void tasks__a_list_that_breaks_off_is_told(void)
{
	struct rig rig;

	open_tasks(&rig, 3, 0, 3, 0x123456789000);
	CHECK(rig.tasks->nr == 3 && rig.tasks->notes.nr == 1 && strstr(rig.tasks->notes.list[0].text, "breaks off"),
	      "%u, %llu notes", rig.tasks->nr, rig.tasks->notes.nr);
	rig_close(&rig);
}

static void tasks__behind_a_gap_are_found_from_the_end(void)
{
	struct rig rig;

	open_tasks(&rig, 6, 0, 2, 0x123456789000);
	CHECK(rig.tasks->nr == 6 && rig.tasks->notes.nr == 2 && strstr(rig.tasks->notes.list[1].text, "4 tasks more were"),
	      "%u, %llu notes", rig.tasks->nr, rig.tasks->notes.nr);
	rig_close(&rig);
}

/* The index leads to a task in the gap, to a pid that is not its task's, and back to its root. */
static void tasks__in_a_gap_are_found_by_their_pids(void)
{
	struct rig rig;
	u64 tasks[4], pid, false_pid, root, leaf;

	rig_make(&rig);
	for (u32 i = 0; i < 4; i++)
		tasks[i] = rig_put_task(&rig, 10 + i, 0, 0);
	rig_link_tasks(&rig, tasks, 4, 0);
	rig_task(&rig, tasks[0])->next = 0x123456789000;
	rig_task(&rig, tasks[0])->prev = tasks[3] + offsetof(struct test_task, next);
	rig_task(&rig, tasks[3])->prev = 0x123456789000;
	pid = kmem_put(&rig.k, (u64[2]){ tasks[1] + offsetof(struct test_task, pid_link) }, 16);
	false_pid = kmem_put(&rig.k, (u64[2]){ tasks[2] + offsetof(struct test_task, pid_link) }, 16);
	rig_task(&rig, tasks[1])->thread_pid = pid;
	leaf = kmem_put(&rig.k, (u64[5]){ 0, pid, false_pid }, 40);
	root = kmem_put(&rig.k, (u64[5]){ 6, leaf | 2 }, 40);
	memcpy(kmem_at(&rig.k, root + 16), &(u64){ root | 2 }, 8);
	rig_add_symbol("init_pid_ns", kmem_put(&rig.k, (u64[2]){ 0, root | 2 }, 16));
	rig_open(&rig, false);
	CHECK(rig.tasks->nr == 3 && kernel_tasks_find(rig.tasks, tasks[1]) && kernel_tasks_find(rig.tasks, tasks[3]),
	      "%u tasks", rig.tasks->nr);
	CHECK(rig.tasks->notes.nr == 2 && strstr(rig.tasks->notes.list[1].text, "2 tasks more were"), "%llu notes",
	      rig.tasks->notes.nr);
	rig_close(&rig);
}

/* The kernel says D of these, too: include/linux/sched.h, __task_state_index(). */
static void tasks__that_are_frozen_or_wait_for_a_spinlock_sleep(void)
{
	static const struct {
		u32 state;
		char letter;
	} cases[] = {
		{ 0x1000, 'D' },	/* TASK_RTLOCK_WAIT */
		{ 0x8000, 'D' },	/* TASK_FROZEN */
		{ 0x2001, 'S' },	/* TASK_INTERRUPTIBLE, may be frozen */
		{ 0x102, 'D' },		/* TASK_KILLABLE */
		{ 0, 'R' }, { 0x402, 'I' }, { 8, 't' },
	};
	u64 tasks[ARRAY_SIZE(cases)];
	struct rig rig;

	rig_make(&rig);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		tasks[i] = rig_put_task(&rig, 10 + (u32)i, 0, 0);
		rig_task(&rig, tasks[i])->state = cases[i].state;
	}
	rig_link_tasks(&rig, tasks, ARRAY_SIZE(cases), 0);
	rig_open(&rig, false);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char letter = kernel_tasks_find(rig.tasks, tasks[i])->state;

		CHECK(letter == cases[i].letter, "0x%x is %c", cases[i].state, letter);
	}
	rig_close(&rig);
}

int main(void)
{
	alarm(60);
	TAP_RUN(tasks__are_listed_with_their_threads);
	TAP_RUN(tasks__a_CPU_that_the_panic_stopped_ran_till_then);
	TAP_RUN(tasks__a_circle_beside_the_head_is_told_and_left);
	TAP_RUN(tasks__a_list_that_breaks_off_is_told);
	TAP_RUN(tasks__behind_a_gap_are_found_from_the_end);
	TAP_RUN(tasks__in_a_gap_are_found_by_their_pids);
	TAP_RUN(tasks__that_are_frozen_or_wait_for_a_spinlock_sleep);
	return tap_done();
}
