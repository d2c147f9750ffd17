// SPDX-License-Identifier: GPL-2.0-only
/*
 * The running task of each CPU, and the names of tasks.  Names stay in the region when their
 * task is gone, until another pid takes their place.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>
#include <epitaph/probes.h>
#include "compat.h"
#include "control/members.h"
#include "core/fault.h"
#include "recorder.h"

static struct epitaph_task *tasks;
static u32 nr_tasks;
static unsigned long *busy;	/* entries that a CPU is writing */

/* sched:sched_switch of main, while it is recorded. */
static struct epitaph_event *recorded;

#define MAIN_RING	epitaph_rings[EPITAPH_CHANNEL_MAIN]

static bool is_stopped;		/* main: what is there is kept */

/* Of newer kernels; the tracepoint of older ones has nothing behind @next, and their probe takes nothing. */
typedef void switch_probe_fn(void *data, bool preempt, struct task_struct *prev,
			     struct task_struct *next, unsigned int prev_state);

static __always_inline bool task_is_known(const struct epitaph_task *entry, u32 pid, const char *comm)
{
	BUILD_BUG_ON(sizeof(entry->comm) != 2 * sizeof(u64));
	return entry->pid == cpu_to_le32(pid) &&
	       plat_load64(entry->comm) == plat_load64(comm) &&
	       plat_load64(entry->comm + sizeof(u64)) == plat_load64(comm + sizeof(u64));
}

static void write_entry(struct epitaph_task *entry, const struct task_struct *task,
			const char *comm)
{
	struct epitaph_task new = {
		.pid = cpu_to_le32(task->pid),
		.tgid = cpu_to_le32(task->tgid),
		.clock = cpu_to_le64(epitaph_clock()),
	};

	memcpy(new.comm, comm, sizeof(new.comm));
	new.check = cpu_to_le64(epitaph_check(epitaph_region.salt, &new,
				offsetof(struct epitaph_task, check)));
	*entry = new;
}

/*
 * Two CPUs at the same entry: the second goes without.  It comes again with the
 * next switch to its task.
 */
static void note(const struct task_struct *task, const char *name)
{
	u32 i = (u32)task->pid % nr_tasks;
	char comm[sizeof(tasks->comm)] = "";
	unsigned long flags;

	/* Each CPU's idle task has it, and all know its name. */
	if (!task->pid)
		return;
	strscpy(comm, name, sizeof(comm));
	if (likely(task_is_known(&tasks[i], task->pid, comm)))
		return;
	local_irq_save(flags);
	if (!test_and_set_bit_lock(i, busy)) {
		write_entry(&tasks[i], task, comm);
		clear_bit_unlock(i, busy);
	}
	local_irq_restore(flags);
}

/*
 * The kernel fills what is behind a name with zeroes, so mostly it need not be measured.
 * Old kernels do not, and those that change while we look: then note() looks again.
 */
static __always_inline void note_task(struct task_struct *task)
{
	BUILD_BUG_ON(sizeof(task->comm) != sizeof(tasks->comm));
	if (unlikely(!task_is_known(&tasks[(u32)task->pid % nr_tasks], task->pid, task->comm)))
		note(task, task->comm);
}

/* An NMI that meets a writer goes without. */
void epitaph_task_note(struct task_struct *task)
{
	note_task(task);
}

/*
 * After the event of the switch itself, which belongs to @prev: a sub-buffer
 * begun by that says that @prev runs.  Its probe is called from here, because
 * with a second one the kernel walks a list of them.
 */
static __always_inline void switched(bool preempt, struct task_struct *prev,
				     struct task_struct *next, unsigned int prev_state)
{
	struct epitaph_event *ev = READ_ONCE(recorded);

	if (likely(ev)) {
		((switch_probe_fn *)ev->probe)(ev, preempt, prev, next, prev_state);
	} else if (READ_ONCE(is_stopped)) {
		this_cpu_write(MAIN_RING.pid, next->pid);
		return;
	}
	/* For a reader who does not get sched_switch, or not this one. */
	if (unlikely(!ev || this_cpu_read(MAIN_RING.pid) == EPITAPH_UNKNOWN_PID))
		epitaph_ring_record_pid(this_cpu_ptr(&MAIN_RING), next->pid);
	this_cpu_write(MAIN_RING.pid, next->pid);
	note_task(next);
}

static noinline void switched_after_fault(bool preempt, struct task_struct *prev,
					  struct task_struct *next, unsigned int prev_state)
{
	epitaph_fault_mend();
	switched(preempt, prev, next, prev_state);
}

/* Interrupts are off. */
static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	if (unlikely(epitaph_has_fault()))
		switched_after_fault(preempt, prev, next, prev_state);
	else
		switched(preempt, prev, next, prev_state);
}

void epitaph_tasks_record(struct epitaph_event *ev)
{
	WRITE_ONCE(recorded, ev);
}

/* While main is stopped, other channels name the tasks of their events. */
static bool is_named_elsewhere(const struct task_struct *task)
{
	return !epitaph_all_paused() &&
	       tasks[(u32)task->pid % nr_tasks].pid == cpu_to_le32(task->pid);
}

static void on_rename(void *data, struct task_struct *task, const char *comm)
{
	if (!READ_ONCE(is_stopped) || is_named_elsewhere(task))
		note(task, comm);
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (!READ_ONCE(is_stopped))
		epitaph_task_note(child);
}

/* They are registered as void *: a prototype that changes shall be an error of the build. */
static void __maybe_unused check_prototypes(void)
{
#ifdef EPITAPH_SWITCH_TELLS_STATE
	check_trace_callback_type_sched_switch(on_switch);
#endif
	check_trace_callback_type_task_rename(on_rename);
	check_trace_callback_type_sched_process_fork(on_fork);
}

static struct {
	const char *name;
	void *probe;
	struct tracepoint *tp;
} hooks[] = {
	{ "sched_switch", on_switch },
	{ "task_rename", on_rename },
	{ "sched_process_fork", on_fork },
};

static void find_hook(struct tracepoint *tp, void *unused)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (!strcmp(tp->name, hooks[i].name))
			hooks[i].tp = tp;
}

/* Priority 0 runs after the events' probes, which have 5 (probe.c). */
static int hook_all(void)
{
	int i, err;

	for_each_kernel_tracepoint(find_hook, NULL);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		err = hooks[i].tp ? tracepoint_probe_register_prio(hooks[i].tp,
						hooks[i].probe, NULL, 0) : -ENOENT;
		if (err) {
			pr_err("tracepoint %s: error %d\n", hooks[i].name, err);
			/* What is not registered must not be unregistered. */
			for (; i < ARRAY_SIZE(hooks); i++)
				hooks[i].tp = NULL;
			return err;
		}
	}
	return 0;
}

static void note_all(void)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		epitaph_task_note(thread);
	rcu_read_unlock();
}

/* With interrupts off, nothing switches between the two. */
static void record_running_task(void *unused)
{
	struct epitaph_ring *ring = this_cpu_ptr(&epitaph_rings[EPITAPH_CHANNEL_MAIN]);

	epitaph_ring_record_pid(ring, current->pid);
	WRITE_ONCE(ring->pid, current->pid);
}

/* It will come with its idle task; what it recorded last was another one. */
static void record_idle_task(unsigned int cpu)
{
	struct epitaph_ring *ring = per_cpu_ptr(&epitaph_rings[EPITAPH_CHANNEL_MAIN], cpu);

	preempt_disable();
	epitaph_ring_record_pid(ring, 0);
	WRITE_ONCE(ring->pid, 0);
	preempt_enable();
}

static void record_who_runs(void)
{
	unsigned int cpu;

	cpus_read_lock();
	on_each_cpu(record_running_task, NULL, 1);
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			record_idle_task(cpu);
	cpus_read_unlock();
}

void epitaph_tasks_run(bool run)
{
	if (is_stopped == !run)
		return;
	WRITE_ONCE(is_stopped, !run);
	if (!run)
		return;
	record_who_runs();
	note_all();
}

int epitaph_tasks_start(void)
{
	size_t size;
	int err;

	tasks = epitaph_section(EPITAPH_SEC_TASKS, &size);
	nr_tasks = size / sizeof(*tasks);
	busy = bitmap_zalloc(nr_tasks, GFP_KERNEL);
	if (!busy)
		return -ENOMEM;
	err = hook_all();
	if (err) {
		epitaph_tasks_stop();
		return err;
	}
	is_stopped = false;
	epitaph_fault_start();
	on_each_cpu(record_running_task, NULL, 1);
	note_all();
	return 0;
}

void epitaph_tasks_stop(void)
{
	int i;

	epitaph_fault_stop();
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (hooks[i].tp)
			tracepoint_probe_unregister(hooks[i].tp, hooks[i].probe, NULL);
	tracepoint_synchronize_unregister();
	bitmap_free(busy);
}
