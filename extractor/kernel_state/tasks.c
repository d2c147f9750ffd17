// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/cycle_check.h"
#include "lost_stacks.h"
#include "pid_index.h"

#define NO_LOAD		0x402	/* TASK_IDLE: uninterruptible, and not counted for the load */
#define SLEEPS		0x9000	/* TASK_RTLOCK_WAIT (5.15), for a spinlock of PREEMPT_RT; or TASK_FROZEN (6.1) */

/**
 * struct task_layout - where members are; looked up once, as a search in the types is slow
 * @cpu, @exit_state, @flags, @state, @sp, @on_cpu: size 0: this kernel has none
 */
struct task_layout {
	struct btf_member_place tasks, thread_node, thread_head, signal;
	struct btf_member_place pid, tgid, comm, state, exit_state, flags, cpu, stack, sp, on_cpu;
};

/**
 * struct task_walk - on the way to all tasks
 * @nr_sorted: the first of @tasks that are in their order
 * @is_full: KERNEL_TASKS_MAX were taken
 * @failed: there was no memory
 */
struct task_walk {
	struct kernel_tasks *tasks;
	const struct kernel *kernel;
	struct task_layout at;
	u32 room;
	u32 nr_sorted;
	bool is_full;
	bool failed;
};

/* --- members ------------------------------------------------------------- */

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va,
			 u64 *ret)
{
	struct btf_member_place m;

	return kernel_btf_member(kernel->ktypes, type, path, &m) &&
	       vmem_number(kernel->vmem, va + m.offset, m.size, ret);
}

static bool find_task_layout(struct task_layout *at, const struct kernel_btf *kt)
{
	static const char * const saved_sp[] = {
		"thread.sp", "thread.cpu_context.sp", "thread.ksp",
	};

	memset(at, 0, sizeof(*at));
	for (size_t i = 0; i < ARRAY_SIZE(saved_sp); i++)
		if (kernel_btf_member(kt, "task_struct", saved_sp[i], &at->sp))
			break;
	/* Before 5.14 the state had another name, before 5.16 the CPU another place. */
	if (!kernel_btf_member(kt, "task_struct", "__state", &at->state))
		kernel_btf_member(kt, "task_struct", "state", &at->state);
	if (!kernel_btf_member(kt, "task_struct", "thread_info.cpu", &at->cpu))
		kernel_btf_member(kt, "task_struct", "cpu", &at->cpu);
	kernel_btf_member(kt, "task_struct", "exit_state", &at->exit_state);
	kernel_btf_member(kt, "task_struct", "flags", &at->flags);
	kernel_btf_member(kt, "task_struct", "on_cpu", &at->on_cpu);
	return kernel_btf_member(kt, "task_struct", "tasks", &at->tasks) &&
	       kernel_btf_member(kt, "task_struct", "thread_node", &at->thread_node) &&
	       kernel_btf_member(kt, "signal_struct", "thread_head", &at->thread_head) &&
	       kernel_btf_member(kt, "task_struct", "signal", &at->signal) &&
	       kernel_btf_member(kt, "task_struct", "pid", &at->pid) &&
	       kernel_btf_member(kt, "task_struct", "tgid", &at->tgid) &&
	       kernel_btf_member(kt, "task_struct", "comm", &at->comm) &&
	       kernel_btf_member(kt, "task_struct", "stack", &at->stack);
}

static bool task_number(const struct task_walk *w, const struct btf_member_place *m, u64 va, u64 *ret)
{
	return m->size && vmem_number(w->kernel->vmem, va + m->offset, m->size, ret);
}

/* --- a task -------------------------------------------------------------- */

/* As task_state_index() and task_index_to_char() of the kernel. */
static char state_letter(u64 state, u64 exit_state)
{
	static const char letters[] = "RSDTtXZP";
	u32 bits = (state | exit_state) & 0x7f, i = 0;

	if ((state & NO_LOAD) == NO_LOAD)
		return 'I';
	if (state & SLEEPS)
		return 'D';
	while (bits >> i)
		i++;
	return letters[i];
}

static bool read_task(const struct task_walk *w, u64 va, struct kernel_task *task)
{
	const struct task_layout *at = &w->at;
	struct vmem *vmem = w->kernel->vmem;
	u64 pid, tgid, state, exit_state = 0, flags = 0, cpu = NO_CPU;
	u32 room = at->comm.size < sizeof(task->comm) ? at->comm.size : sizeof(task->comm) - 1;

	memset(task, 0, sizeof(*task));
	task->va = va;
	if (!task_number(w, &at->pid, va, &pid) || !task_number(w, &at->tgid, va, &tgid) ||
	    !task_number(w, &at->stack, va, &task->stack) ||
	    !vmem_get(vmem, va + at->comm.offset, task->comm, room))
		return false;
	task->pid = (s32)pid;
	task->tgid = (s32)tgid;
	task_number(w, &at->exit_state, va, &exit_state);
	task->state = task_number(w, &at->state, va, &state) ? state_letter(state, exit_state) : '?';
	task_number(w, &at->flags, va, &flags);
	task_number(w, &at->cpu, va, &cpu);
	task_number(w, &at->sp, va, &task->sp);
	task->flags = flags;
	task->cpu = cpu < KERNEL_CPUS_MAX ? cpu : NO_CPU;
	return true;
}

static bool make_task_room(struct task_walk *w)
{
	struct kernel_tasks *tasks = w->tasks;

	if (tasks->nr == KERNEL_TASKS_MAX) {
		w->is_full = true;
		return false;
	}
	if (tasks->nr == w->room) {
		u32 room = w->room ? 2 * w->room : 256;
		void *p = reallocarray(tasks->list, room, sizeof(*tasks->list));

		if (!p) {
			w->failed = true;
			return false;
		}
		tasks->list = p;
		w->room = room;
	}
	return true;
}

/* Return: false: there is no room for more, or no such memory. */
static bool add_task(struct task_walk *w, u64 va)
{
	struct kernel_tasks *tasks = w->tasks;

	if (!make_task_room(w) || !read_task(w, va, &tasks->list[tasks->nr]))
		return false;
	tasks->nr++;
	return true;
}

static void add_lacking_task(struct task_walk *w, const struct indexed_task *task)
{
	if (!make_task_room(w))
		return;
	w->tasks->list[w->tasks->nr++] = (struct kernel_task){
		.va = task->va, .pid = task->pid, .tgid = task->pid, .comm = "?", .state = '?', .cpu = NO_CPU, .is_lacking = true,
	};
	w->tasks->nr_lacking++;
}

/* --- order ------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	u64 x = ((const struct kernel_task *)a)->va, y = ((const struct kernel_task *)b)->va;

	return x < y ? -1 : x > y;
}

static const struct kernel_task *find_task_at(const struct kernel_task *list, u32 nr, u64 va)
{
	const struct kernel_task key = { .va = va };

	return nr ? bsearch(&key, list, nr, sizeof(key), by_address) : NULL;
}

/* In the order of addresses, each once: a damaged list may have led to one of them again. */
static void sort_tasks(struct kernel_tasks *tasks)
{
	u32 n = 0;

	if (tasks->nr)
		qsort(tasks->list, tasks->nr, sizeof(*tasks->list), by_address);
	for (u32 i = 0; i < tasks->nr; i++)
		if (!n || tasks->list[n - 1].va != tasks->list[i].va)
			tasks->list[n++] = tasks->list[i];
	tasks->nr = n;
}

/* --- the lists ----------------------------------------------------------- */

static void note_list_end(struct task_walk *w, const char *list)
{
	damage_notes_add(&w->tasks->notes, NOTE_NOWHERE, "the list of %s breaks off behind %u tasks: %s",
			 list, w->tasks->nr, vmem_why(w->kernel->vmem));
}

static void note_list_circle(struct task_walk *w, const char *list)
{
	damage_notes_add(&w->tasks->notes, NOTE_NOWHERE,
			 "the list of %s leads back into itself behind %u tasks", list, w->tasks->nr);
}

static void walk_threads(struct task_walk *w, u64 leader)
{
	struct passed passed = { 0 };
	u64 signal, head, node;

	/* A task that was reaped has none. */
	if (!task_number(w, &w->at.signal, leader, &signal) || !signal)
		return;
	head = signal + w->at.thread_head.offset;
	for (node = head; vmem_u64(w->kernel->vmem, node, &node) && node != head; ) {
		u64 task = node - w->at.thread_node.offset;

		if (passed_before(&passed, node))
			return note_list_circle(w, "threads");
		if (task != leader && !add_task(w, task))
			break;
	}
	if (node != head && !w->is_full && !w->failed)
		note_list_end(w, "threads");
}

/* The next one of a list is at a node, the one before it 8 bytes behind. */
enum { FORWARD = 0, BACKWARD = 8 };

/*
 * @nr_sorted: the tasks that were taken before, in their order; the walk ends where it meets one
 *
 * Return: the list was left there or at its head, or nothing more can be taken.
 */
static bool walk_processes_to(struct task_walk *w, u64 head, u32 direction, u32 nr_sorted)
{
	struct passed passed = { 0 };
	u64 node = head;

	while (vmem_u64(w->kernel->vmem, node + direction, &node) && node != head) {
		u64 task = node - w->at.tasks.offset;

		if (find_task_at(w->tasks->list, nr_sorted, task))
			return true;
		if (passed_before(&passed, node)) {
			note_list_circle(w, "processes");
			return true;
		}
		if (!add_task(w, task))
			break;
		walk_threads(w, task);
		if (w->is_full || w->failed)
			return true;
	}
	return node == head || w->is_full || w->failed;
}

static bool take_indexed_task(const struct indexed_task *task, void *priv)
{
	struct task_walk *w = priv;

	if (task->is_lacking)
		add_lacking_task(w, task);
	else if (!find_task_at(w->tasks->list, w->nr_sorted, task->va))
		add_task(w, task->va);
	return !w->is_full && !w->failed;
}

static void walk_processes(struct task_walk *w, u64 init_task)
{
	const u64 head = init_task + w->at.tasks.offset;
	u32 nr;

	if (!add_task(w, init_task)) {
		note_list_end(w, "processes");
		return;
	}
	if (walk_processes_to(w, head, FORWARD, 0))
		return;
	note_list_end(w, "processes");
	/* What is behind the gap; and what is in it, as far as it is there. */
	sort_tasks(w->tasks);
	nr = w->tasks->nr;
	walk_processes_to(w, head, BACKWARD, nr);
	sort_tasks(w->tasks);
	w->nr_sorted = w->tasks->nr;
	pid_index_each(w->kernel, take_indexed_task, w);
	nr += w->tasks->nr_lacking;
	if (w->tasks->nr > nr)
		damage_notes_add(&w->tasks->notes, NOTE_NOWHERE,
				 "%u tasks more were found from the list's end and by their pids",
				 w->tasks->nr - nr);
	if (w->tasks->nr_lacking)
		damage_notes_add(&w->tasks->notes, NOTE_NOWHERE,
				 "of %u tasks the dump lacks the struct task_struct: they are known by their pids alone",
				 w->tasks->nr_lacking);
}

/* --- CPUs ---------------------------------------------------------------- */

static bool is_in_mask(const struct kernel *kernel, const char *name, u32 cpu)
{
	u64 mask, bits;

	return kallsyms_address(kernel->kallsyms, name, &mask) && vmem_u64(kernel->vmem, mask + cpu / 64 * 8, &bits) &&
	       bits >> cpu % 64 & 1;
}

bool kernel_cpu_is_online(const struct kernel *kernel, u32 cpu)
{
	return cpu < kernel->nr_cpu_ids && (is_in_mask(kernel, "__cpu_online_mask", cpu) ||
					    is_in_mask(kernel, "__cpu_active_mask", cpu));
}

/* The task of a CPU's run queue: "idle" or "curr". */
static bool task_of_queue(const struct kernel *kernel, u32 cpu, const struct btf_member_place *member,
			  u64 *ret)
{
	u64 rq;

	return member->size && kernel_percpu(kernel, "runqueues", cpu, &rq) &&
	       vmem_number(kernel->vmem, rq + member->offset, member->size, ret) && *ret;
}

/*
 * Each CPU's idle task is on no list but that of the boot CPU. What a CPU ran is on one, unless that
 * is damaged.
 */
static void add_tasks_of_cpus(struct task_walk *w)
{
	static const char * const members[] = { "idle", "curr" };
	struct btf_member_place at;
	u64 va;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (!kernel_btf_member(w->kernel->ktypes, "rq", members[i], &at))
			continue;
		for (u32 cpu = 0; cpu < w->kernel->nr_cpu_ids && !w->is_full && !w->failed; cpu++)
			if (kernel_cpu_is_online(w->kernel, cpu) && task_of_queue(w->kernel, cpu, &at, &va) &&
			    !add_task(w, va) && !w->is_full && !w->failed)
				damage_notes_add(&w->tasks->notes, NOTE_NOWHERE,
						 "the task of CPU %u at %#llx cannot be read: %s", cpu, va,
						 vmem_why(w->kernel->vmem));
	}
}

/* Where struct rq is not known, as it is in no header: what the tasks say themselves. */
static void mark_those_on_cpu(struct task_walk *w)
{
	struct kernel_tasks *tasks = w->tasks;
	u64 is;

	for (u32 i = 0; i < tasks->nr; i++)
		if (task_number(w, &w->at.on_cpu, tasks->list[i].va, &is) && is && tasks->list[i].cpu != NO_CPU)
			tasks->list[i].is_running = true;
}

static void mark_running(struct task_walk *w)
{
	struct kernel_tasks *tasks = w->tasks;
	struct btf_member_place curr;
	u64 va;

	if (!kernel_btf_member(w->kernel->ktypes, "rq", "curr", &curr)) {
		mark_those_on_cpu(w);
		return;
	}
	for (u32 cpu = 0; cpu < w->kernel->nr_cpu_ids; cpu++) {
		struct kernel_task *task;

		if (!kernel_cpu_is_online(w->kernel, cpu) || !task_of_queue(w->kernel, cpu, &curr, &va))
			continue;
		task = (struct kernel_task *)kernel_tasks_find(tasks, va);
		if (!task)
			continue;
		task->is_running = true;
		task->cpu = cpu;
	}
}

/* --- all of it ----------------------------------------------------------- */

/* All stacks have one size, that of the first one, which the linker laid out. */
static u32 size_of_stacks(const struct kernel *kernel)
{
	static const char * const names[][2] = {
		{ "__start_init_stack", "__end_init_stack" },	/* since 6.10 */
		{ "__start_init_task", "__end_init_task" },
	};
	u64 start, end;
	u32 size;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (kallsyms_address(kernel->kallsyms, names[i][0], &start) &&
		    kallsyms_address(kernel->kallsyms, names[i][1], &end) && end > start &&
		    end - start <= 1U << 20)
			return end - start;
	return kernel_btf_size(kernel->ktypes, "thread_union", &size) && size <= KERNEL_STACK_MAX ? size : 16384;
}

int kernel_tasks_open(struct kernel_tasks **ret, const struct kernel *kernel, struct err *err)
{
	struct task_walk w = { .kernel = kernel };
	u64 init_task;

	if (!kallsyms_address(kernel->kallsyms, "init_task", &init_task) ||
	    !find_task_layout(&w.at, kernel->ktypes))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "tasks cannot be found without the kernel's symbols (CONFIG_KALLSYMS_ALL) and types (CONFIG_DEBUG_INFO_BTF)%s%s",
			       kernel->notes.kept ? ": " : "",
			       kernel->notes.kept ? kernel->notes.list[0].text : "");
	w.tasks = calloc(1, sizeof(*w.tasks));
	if (!w.tasks)
		return err_sys(err, "memory for tasks");
	w.tasks->kernel = kernel;
	w.tasks->stack_size = size_of_stacks(kernel);
	walk_processes(&w, init_task);
	add_tasks_of_cpus(&w);
	if (w.failed) {
		kernel_tasks_close(w.tasks);
		return err_sys(err, "memory for tasks");
	}
	if (w.is_full)
		damage_notes_add(&w.tasks->notes, NOTE_NOWHERE,
				 "there are more than %u tasks: the others are left out", KERNEL_TASKS_MAX);
	sort_tasks(w.tasks);
	mark_running(&w);
	lost_stacks_find(w.tasks);
	*ret = w.tasks;
	return 0;
}

void kernel_tasks_close(struct kernel_tasks *tasks)
{
	if (!tasks)
		return;
	damage_notes_free(&tasks->notes);
	free(tasks->list);
	free(tasks);
}

const struct kernel_task *kernel_tasks_find(const struct kernel_tasks *tasks, u64 va)
{
	return find_task_at(tasks->list, tasks->nr, va);
}
