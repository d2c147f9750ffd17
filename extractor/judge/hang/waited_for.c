// SPDX-License-Identifier: GPL-2.0-or-later
#include "chain_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_holder.h"
#include "fault/calls.h"
#include "kernel_state/frozen.h"
#include "kernel_state/work_wait.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "long_run.h"
#include "wait_words.h"

#define MOST_PARENTS	8	/* of a program, up to the one that the kernel started */
#define MOST_CHILDREN	64	/* of that one */

/* The disk that the page at @folio is of, or that its file system is on: its struct gendisk. include/linux/pagemap.h */
static bool disk_of_page(const struct kernel *kernel, u64 folio, char device[40], u64 *disk)
{
	struct btf_member_place id, inode, name;
	u64 mapping, host, sb, bdev;
	bool is_bdev;

	*disk = 0;
	if (!kernel->ktypes ||
	    (!kernel_state_member(kernel, "folio", "mapping", folio, &mapping) && !kernel_state_member(kernel, "page", "mapping", folio, &mapping)) ||
	    !mapping || mapping & 3 ||
	    !kernel_state_member(kernel, "address_space", "host", mapping, &host) || !host ||
	    !kernel_state_member(kernel, "inode", "i_sb", host, &sb) || !sb || !kernel_btf_member(kernel->ktypes, "super_block", "s_id", &id) ||
	    vmem_string(kernel->vmem, sb + id.offset, device, 40) <= 0)
		return false;
	is_bdev = !strcmp(device, "bdev");
	if (!is_bdev && kernel_state_member(kernel, "super_block", "s_bdev", sb, &bdev) && bdev)
		kernel_state_member(kernel, "block_device", "bd_disk", bdev, disk);
	if (!is_bdev)
		return true;
	return kernel_btf_member(kernel->ktypes, "bdev_inode", "vfs_inode", &inode) && kernel_btf_member(kernel->ktypes, "gendisk", "disk_name", &name) &&
	       kernel_state_member(kernel, "bdev_inode", "bdev.bd_disk", host - inode.offset, disk) && *disk &&
	       vmem_string(kernel->vmem, *disk + name.offset, device, 40) > 0;
}

/* What the last task of the chain waits for; NULL: it runs, or that is not known. */
static const struct kernel_wait *last_wait(const struct owners *owners)
{
	return owners->chain->last_waits ? &owners->chain->waits[owners->chain->nr - 1] : NULL;
}

/* The module that has the disk's operations; NULL: the kernel itself, or it is not known. */
static const struct kernel_module *module_of_disk(const struct kernel *kernel, u64 disk)
{
	u64 operations;

	if (!disk || !kernel->modules || !kernel_state_member(kernel, "gendisk", "fops", disk, &operations) || !operations)
		return NULL;
	return kernel_modules_at(kernel->modules, operations);
}

/* What ends a request of a disk: one that calls this carries requests out. */
static const char *const ends_requests[] = {
	"bio_endio", "blk_mq_end_request", "__blk_mq_end_request", "blk_mq_complete_request", "blk_update_request", "blk_mq_start_request", NULL,
};

/* Does the function at @place, of @driver, carry out requests? */
static bool carries_out(const struct kernel *kernel, const struct kernel_module *driver, struct report_text place)
{
	struct function_code *code = malloc(sizeof(*code));
	bool is = code && function_code_read_caller(code, kernel, place) && !strcmp(code->module, driver->name) && calls_one_of(code, ends_requests);

	free(code);
	return is;
}

/* Does one of the tasks that wait for the last one's lock carry out the requests of the disk that this waits for? */
static void claim_own_disk(struct explain *explain, const struct owners *owners, const char *device, u64 disk)
{
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_module *driver = module_of_disk(kernel, disk);
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	char name[KERNEL_SYMBOL_MAX], function[WORDS_FUNCTION];

	for (u32 i = 0; driver && i + 1 < chain->nr; i++) {
		const struct kernel_task *task = chain->tasks[i];
		struct report_text place;

		owners_name_wait(owners, kernel, task, name);
		place = (struct report_text){ name, strlen(name) };
		if (!carries_out(kernel, driver, place))
			continue;
		words_function(function, place);
		finding_claim(explain->finding, explain->finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "A deadlock: %s-%d waits for the disk %s with a lock held, and %s-%d for that lock, in %s() of the disk's own driver, module %.40s, which carries out its requests.",
			      last->comm, last->pid, device, task->comm, task->pid, function, driver->name);
		finding_open(explain->finding, "Which is wrong: to wait for the disk with that lock, or to take it where requests are carried out. The disk is innocent.");
		return;
	}
}

static void claim_page(struct explain *explain, const struct owners *owners)
{
	const struct kernel_wait *wait = last_wait(owners);
	char device[40];
	u64 disk;

	if (!wait || wait->kind != KWAIT_PAGE || !disk_of_page(explain->pm->kernel, wait->lock, device, &disk))
		return;
	finding_open(explain->finding, "Whether %s, of which that page is, answers late or never: the one that waits for it is innocent.", device);
	claim_own_disk(explain, owners, device, disk);
}

/* Since when CPU @nr has run one task of real-time priority; 0: it has not. */
static u64 starved_ns(const struct explain *explain, s32 nr)
{
	const struct history_cpu *cpu = nr < 0 ? NULL : history_cpu(&explain->history, (u32)nr);
	u64 end = explain->pm->end.time;

	return cpu && cpu->switched && !cpu->migration && cpu->is_realtime && end > cpu->switched ? end - cpu->switched : 0;
}

/* Did CPU @nr run that already when the task @pid went to sleep, which it did not leave since? */
static bool ran_before(const struct explain *explain, s32 nr, s64 pid)
{
	const struct history_task *task = history_task(&explain->history, (u64)pid);

	return task && task->out && !task->woken && explain->history.cpus[nr].switched <= task->out;
}

/* Where the task @pid runs, in @place; "": not known. Return: it spins there for a lock that another one has. */
static bool put_run(char place[2 * WORDS_FUNCTION], const struct explain *explain, const struct owners *owners, u64 pid)
{
	const struct kernel_task *task = owners_task(owners, pid);
	char name[KERNEL_SYMBOL_MAX] = "", by[2 * WORDS_FUNCTION] = "", function[WORDS_FUNCTION];
	bool spins;

	if (task && task->is_running)
		owners_name_run(owners, explain->pm->kernel, task, name, by);
	words_function(function, (struct report_text){ name, strlen(name) });
	spins = plumbing_is_of_spinning(function);
	if (spins && *by)
		memcpy(place, by, sizeof(by));
	else
		words_place(place, (struct report_text){ name, strlen(name) });
	return spins;
}

/* What keeps the holder of a lock from running waits for a spinlock itself. */
static void claim_spinning_hog(struct explain *explain, const struct owners *owners, const struct history_cpu *cpu, u64 ns, enum finding_strength strength,
			       const char *place)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1], *waiter = chain->tasks[chain->nr - 2], *hog = owners_task(owners, cpu->pid);
	char holds[2 * WORDS_FUNCTION] = "";
	struct finding *finding = explain->finding;
	struct spin_holder holder;

	if (hog && spin_holder_of(&holder, owners, explain->pm->kernel, hog))
		words_place(holds, (struct report_text){ holder.name, strlen(holder.name) });
	finding_claim(finding, finding->kind, strength,
		      "%s-%d waits for what %s-%d holds, and that one cannot run: on CPU %u the real-time task %s-%llu has run for %llu s, and waits for a spinlock itself, in %s%s%s.",
		      waiter->comm, waiter->pid, last->comm, last->pid, last->cpu, cpu->comm, cpu->pid, ns / 1000000000, place,
		      *holds ? ", which has been taken by " : "", holds);
	if (*holds)
		finding_open(finding, "Why %s does not give it back: all of these tasks are innocent.", holds);
	else
		finding_open(finding, "Who holds that spinlock: all of these tasks are innocent. epitaph info --stacks FILE has what the other CPUs ran.");
}

/* Who holds what is waited for could run, but its CPU runs a task of real-time priority, and did when the wait began. */
static void claim_starved_holder(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1], *waiter = chain->nr > 1 ? chain->tasks[chain->nr - 2] : NULL;
	const struct history_cpu *cpu;
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION];
	enum finding_strength strength;
	bool spins;
	u64 ns;

	if (!waiter || chain->last_waits || chain->is_cycle || last->is_running || last->is_lacking || last->state != 'R' || last->cpu == NO_CPU)
		return;
	ns = starved_ns(explain, (s32)last->cpu);
	cpu = history_cpu(&explain->history, last->cpu);
	if (ns < LONG_RUN_NS || cpu->pid == (u64)last->pid)
		return;
	/* Where it were to run, it would give back nothing. */
	if (chain->waits[chain->nr - 2].owner_kind == KOWNER_SHOWN && owners_is_in_user_space(owners, explain->pm->kernel, last))
		return;
	spins = put_run(place, explain, owners, cpu->pid);
	strength = chain->is_sure && ran_before(explain, (s32)last->cpu, waiter->pid) && !pm_lost(explain->pm) ? FINDING_LIKELY : FINDING_POSSIBLE;
	if (spins) {
		claim_spinning_hog(explain, owners, cpu, ns, strength, place);
		return;
	}
	finding_claim(finding, finding->kind, strength,
		      "%s-%d waits for what %s-%d holds, and that one cannot run: on CPU %u the real-time task %s-%llu has run for %llu s and lets no other run%s%s.",
		      waiter->comm, waiter->pid, last->comm, last->pid, last->cpu, cpu->comm, cpu->pid, ns / 1000000000, *place ? ", in " : "", place);
	finding_open(finding, "Why %s-%llu does not sleep: a task of real-time priority must. Perhaps it waits itself for what %s-%d holds, in a loop.", cpu->comm,
		     cpu->pid, last->comm, last->pid);
}

/* When @hog began to run what it runs, by the trace; 0: the trace does not have it. */
static u64 hog_began(const struct explain *explain, const struct work_hog *hog, s32 nr)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, (u32)nr);

	for (u32 i = 0; cpu && explain->history.has_work_ends && i < cpu->nr_works; i++)
		if (cpu->works[i].object == hog->work && cpu->works[i].runner == hog->task->pid)
			return cpu->works[i].began;
	return 0;
}

/* A pool that is bound to a CPU runs the next work item only if the one that runs sleeps or ends. */
static void claim_hog(struct explain *explain, const struct owners *owners, const struct kernel_task *task,
		      const struct work_wait *work, bool is_sure)
{
	const struct history_task *waits = history_task(&explain->history, (u64)task->pid);
	char place[2 * WORDS_FUNCTION], runs[2 * WORDS_FUNCTION];
	struct finding *finding = explain->finding;
	u64 began, end = explain->pm->end.time;
	struct work_hog hog;

	if (!work->is_due || !work_hog_find(&hog, explain->pm->kernel, owners->tasks, work))
		return;
	began = hog_began(explain, &hog, work->cpu);
	if (!began || end < began + LONG_RUN_NS)
		return;
	words_place(place, (struct report_text){ work->function, strlen(work->function) });
	words_place(runs, (struct report_text){ hog.function, strlen(hog.function) });
	finding_evidence(finding, began, finding_event(work->cpu, "workqueue:workqueue_execute_start"),
			 "%s-%d began to run %s on CPU %d, and has not ended", hog.task->comm, hog.task->pid, runs, work->cpu);
	finding_claim(finding, finding->kind,
		      is_sure && waits && waits->out && !waits->woken && began <= waits->out && !pm_lost(explain->pm) ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "%s-%d waits for the work item %s, which has to run on CPU %d: there %s-%d has run %s for %llu s, and while it does not sleep no other work item of this pool begins.",
		      task->comm, task->pid, place, work->cpu, hog.task->comm, hog.task->pid, runs, (end - began) / 1000000000);
	finding_open(finding, "Why that one does not end: perhaps it waits in a loop for what a work item behind it does.");
}

/*
 * Where a dump lacks the worker, the kernel's report of the task says what that runs: "Workqueue: card-events reset_work
 * [card]". Of another workqueue it is nothing, and neither is it on another CPU: most workqueues run one at a time on each.
 */
static void take_runs_of_log(struct work_wait *work, const struct explain *explain, const struct kernel_task *task)
{
	const struct death *death = explain->death;
	char words[80], pid[32];

	if (work->is_runs_known || (work->cpu >= 0 && (u32)work->cpu != task->cpu))
		return;
	snprintf(words, sizeof(words), "Workqueue: %.32s ", work->queue);
	snprintf(pid, sizeof(pid), ":%d blocked for ", task->pid);
	for (s64 i = death->first_blocked; !*work->runs && i >= 0 && i <= death->cause; i++) {
		const struct kernel_report *report = &death->reports.list[i];
		struct report_text line;
		const char *at;
		u32 from = 0;

		if (report->kind != KERNEL_REPORT_HUNG_TASK || !report_text_has(report->title, pid))
			continue;
		line = fault_text_line(death, report, words, &from);
		at = line.text ? memmem(line.text, line.len, words, strlen(words)) : NULL;
		if (at)
			snprintf(work->runs, sizeof(work->runs), "%.*s", (int)(line.text + line.len - at - strlen(words)), at + strlen(words));
	}
}

/* A work item has not begun: does the memory say why? */
static void claim_late_work(struct explain *explain, const struct owners *owners, const struct kernel_task *task,
			    const struct work_wait *work, bool is_sure)
{
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION], runs[2 * WORDS_FUNCTION], place_of_hog[2 * WORDS_FUNCTION], function[WORDS_FUNCTION];
	u64 ns = starved_ns(explain, work->cpu);
	enum finding_strength most = is_sure ? FINDING_SHOWN : FINDING_POSSIBLE;

	words_place(place, (struct report_text){ work->function, strlen(work->function) });
	words_function(function, (struct report_text){ work->function, strlen(work->function) });
	words_place(runs, (struct report_text){ work->runs, strlen(work->runs) });
	finding_evidence_timeless(finding, "%s-%d waits for the work item %s of the workqueue %s, which has not begun",
				  task->comm, task->pid, place, work->queue);
	if (*work->runs && work->is_ordered) {
		finding_claim(finding, finding->kind, most,
			      "%s-%d waits for itself: it runs %s, and waits for %s(), behind it on the workqueue %s, which runs one work item at a time.",
			      task->comm, task->pid, runs, function, work->queue);
		*finding->open = '\0';
	} else if (ns >= LONG_RUN_NS) {
		bool spins = put_run(place_of_hog, explain, owners, explain->history.cpus[work->cpu].pid);

		if (most > FINDING_LIKELY)
			most = FINDING_LIKELY;
		if (!work->is_due || !ran_before(explain, work->cpu, task->pid) || pm_lost(explain->pm))
			most = FINDING_POSSIBLE;
		finding_claim(finding, finding->kind, most,
			      "%s-%d waits for the work item %s, which has to run on CPU %d: there the real-time task %s-%llu has run for %llu s and %s%s.",
			      task->comm, task->pid, place, work->cpu, explain->history.cpus[work->cpu].comm,
			      explain->history.cpus[work->cpu].pid, ns / 1000000000, spins ? "waits for a spinlock itself, in " : "let no other run",
			      spins ? place_of_hog : "");
		finding_open(finding, spins ? "Who holds that spinlock: both of these tasks are innocent." :
					      "Why that task does not sleep: a task of real-time priority must.");
	} else {
		claim_hog(explain, owners, task, work, is_sure);
	}
}

static void claim_work(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_wait *wait = last_wait(owners);
	struct work_wait work;

	if (!wait || !work_wait_read(&work, explain->pm->kernel, last, wait))
		return;
	take_runs_of_log(&work, explain, last);
	claim_late_work(explain, owners, last, &work, chain->nr == 1 || chain->is_sure);
}

static void claim_frozen(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_wait *wait = last_wait(owners);
	struct finding *finding = explain->finding;
	struct frozen_wait frozen;

	if (!wait || !frozen_wait_read(&frozen, explain->pm->kernel, wait))
		return;
	finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
		      "%s-%d waits to write to the file system on %s%s%s%s, which %s frozen (fsfreeze), and does not come to an end with that.",
		      last->comm, last->pid, frozen.id, *frozen.type ? " (" : "", frozen.type, *frozen.type ? ")" : "",
		      frozen.is_complete ? "is" : "is being");
	if (frozen.is_complete)
		finding_open(finding, "Who froze it and did not thaw it: a backup, a snapshot, the agent of a hypervisor. The disk is innocent.");
	else
		finding_open(finding, "What keeps the one that freezes it from coming to an end.");
}

/* The only task of user space whose parent is a worker; NULL: there is none, or more. kernel/umh.c */
static const struct kernel_task *find_helper(const struct explain *explain, const struct owners *owners)
{
	const struct kernel_task *found = NULL, *parent;
	u64 va;

	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		/* One that has ended waits for its parent. */
		if (task->flags & KERNEL_TASK_KTHREAD || task->state == 'Z' || task->state == 'X' ||
		    !kernel_state_member(explain->pm->kernel, "task_struct", "real_parent", task->va, &va))
			continue;
		parent = kernel_tasks_find(owners->tasks, va);
		if (!parent || !(parent->flags & KERNEL_TASK_WORKER))
			continue;
		if (found)
			return NULL;
		found = task;
	}
	return found;
}

/* Is @task the program, or one that it started, directly or not? */
static bool is_of_helper(const struct explain *explain, const struct owners *owners, const struct kernel_task *task, const struct kernel_task *helper)
{
	u64 va;

	for (u32 i = 0; task && task != helper && i < MOST_PARENTS; i++)
		task = kernel_state_member(explain->pm->kernel, "task_struct", "real_parent", task->va, &va) ? kernel_tasks_find(owners->tasks, va) : NULL;
	return task == helper;
}

/* Does the program wait for a lock that the one which waits for its end has, itself? */
static bool claim_helper_cycle(struct explain *explain, const struct owners *owners, const struct kernel_task *last, const struct kernel_task *helper)
{
	struct kernel_chain *chain = malloc(sizeof(*chain));
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION], by[2 * WORDS_FUNCTION], which[WORDS_TASK];
	const struct kernel_task *found = NULL;
	struct err err = ERR_INIT;
	u32 nr = 0;

	for (u32 i = 0; chain && i < owners->tasks->nr && !found && nr < MOST_CHILDREN; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (task->is_running || task->state == 'R' || !is_of_helper(explain, owners, task, helper))
			continue;
		nr++;
		if (kernel_wait_chain(owners->waits, task, chain, &err) || chain->is_cycle || !chain->is_sure || chain->tasks[chain->nr - 1] != last)
			continue;
		found = task;
	}
	free(chain);
	if (!found)
		return false;
	owners_name_wait(owners, explain->pm->kernel, found, name);
	words_place(place, (struct report_text){ name, strlen(name) });
	owners_name_module(owners, explain->pm->kernel, last, by);
	snprintf(which, sizeof(which), "%s-%d", found->comm, found->pid);
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "A deadlock by way of user space: %s-%d, in %s, waits with a lock held for a program that the kernel started, %s-%d; and %s waits for that lock, in %s.",
		      last->comm, last->pid, *by ? by : "the kernel", helper->comm, helper->pid, found == helper ? "that" : which, place);
	finding_open(explain->finding, "Which is wrong: to start a program with that lock held (request_module(), call_usermodehelper()), or to take it in what such a program asks for.");
	return true;
}

static void claim_helper(struct explain *explain, const struct owners *owners)
{
	const struct kernel_task *last = owners->chain->tasks[owners->chain->nr - 1], *helper = find_helper(explain, owners);

	if (!helper || !owners_is_within(owners, explain->pm->kernel, last, "call_usermodehelper_exec") ||
	    claim_helper_cycle(explain, owners, last, helper))
		return;
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s-%d waits for a program of user space, %s-%d, which the kernel started and which does not end.", last->comm,
		      last->pid, helper->comm, helper->pid);
	finding_open(explain->finding, "Why that program does not end. The kernel waits for it as its caller asked: call_usermodehelper(UMH_WAIT_PROC).");
}

/* With PREEMPT_RT spinlocks are taken within rcu_read_lock(), and may make a task sleep: for one that waits for another lock itself. */
static bool waits_for_holder(const struct kernel *kernel, const struct kernel_task *task)
{
	u64 waiter;

	return kernel_state_member(kernel, "task_struct", "pi_blocked_on", task->va, &waiter) && waiter;
}

/* The only task that sleeps within rcu_read_lock(); NULL: none does, or more. A preempted one can run, and is no such. */
static const struct kernel_task *find_rcu_reader(const struct explain *explain, const struct owners *owners)
{
	const struct kernel_task *found = NULL;
	u64 nesting;

	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (task->is_running || task->state == 'R' ||
		    !kernel_state_member(explain->pm->kernel, "task_struct", "rcu_read_lock_nesting", task->va, &nesting) || !(u32)nesting ||
		    waits_for_holder(explain->pm->kernel, task))
			continue;
		if (found)
			return NULL;
		found = task;
	}
	return found;
}

static void claim_reader(struct explain *explain, const struct owners *owners)
{
	const struct kernel_task *last = owners->chain->tasks[owners->chain->nr - 1], *reader = find_rcu_reader(explain, owners);
	const struct kernel *kernel = explain->pm->kernel;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];

	/* Tasks RCU waits for no such readers. */
	if (!reader || reader == last || owners_is_within(owners, kernel, last, "synchronize_rcu_tasks") ||
	    (!owners_is_within(owners, kernel, last, "__wait_rcu_gp") && !owners_is_within(owners, kernel, last, "synchronize_rcu")))
		return;
	owners_name_wait(owners, kernel, reader, name);
	words_place(place, (struct report_text){ name, strlen(name) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s-%d waits for RCU, and RCU for %s-%d, which sleeps between rcu_read_lock() and rcu_read_unlock(), in %s.",
		      last->comm, last->pid, reader->comm, reader->pid, place);
	finding_open(explain->finding, "Which of its functions began to read, and which of those must not sleep there; epitaph info --stacks FILE has its stack.");
}

/* Of the queue that is to be empty: the name of its disk, and how many users it has left. block/blk-mq.c */
static bool read_disk_queue(const struct kernel *kernel, const struct kernel_wait *wait, char disk[40], u64 *left)
{
	struct btf_member_place queue_of_wait, name;
	u64 queue, gendisk, back, data;

	if (wait->kind != KWAIT_QUEUE || !kernel->ktypes || !kernel_btf_member(kernel->ktypes, "request_queue", "mq_freeze_wq", &queue_of_wait) ||
	    !kernel_btf_member(kernel->ktypes, "gendisk", "disk_name", &name))
		return false;
	queue = wait->lock - queue_of_wait.offset;
	if (!kernel_state_member(kernel, "request_queue", "disk", queue, &gendisk) || !gendisk ||
	    !kernel_state_member(kernel, "gendisk", "queue", gendisk, &back) || back != queue ||
	    vmem_string(kernel->vmem, gendisk + name.offset, disk, 40) <= 0)
		return false;
	if (!kernel_state_member(kernel, "request_queue", "q_usage_counter.data", queue, &data) ||
	    !kernel_state_member(kernel, "percpu_ref_data", "count", data, left))
		*left = 0;
	return true;
}

/* They wait until all requests of a disk have ended. */
static void claim_requests(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_wait *wait = last_wait(owners);
	struct finding *finding = explain->finding;
	char disk[40], users[48] = "";
	u64 left;

	if (!wait || !owners_is_within(owners, explain->pm->kernel, last, "blk_mq_freeze_queue_wait") ||
	    !read_disk_queue(explain->pm->kernel, wait, disk, &left))
		return;
	if (left && left < 100000)
		snprintf(users, sizeof(users), ": %llu %s left", left, left == 1 ? "is" : "are");
	finding_claim(finding, finding->kind, chain->is_sure ? FINDING_SHOWN : FINDING_POSSIBLE,
		      "%s-%d waits until all requests of the disk %s have ended, and they do not%s.", last->comm, last->pid, disk, users);
	finding_open(finding, "Why not: the disk does not answer, its driver has lost a request, or something came back with the queue in use.");
}

void waited_for_claim(struct explain *explain, const struct owners *owners)
{
	static void (*const claims[])(struct explain *explain, const struct owners *owners) = {
		claim_page, claim_starved_holder, claim_work, claim_frozen, claim_reader, claim_helper, claim_requests, completers_claim,
		long_sleep_claim, left_reference_claim, fence_claim,
	};

	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		claims[i](explain, owners);
}
