// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the end of a chain waits for: work behind its own, a reader of RCU, itself. And what only looks so.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "judge/hang/chain_claims.h"
#include "judge/hang/gone_owner.h"
#include "kernel_state/frozen.h"
#include "kernel_state/work_wait.h"
#include "tap.h"

enum { LAST, OTHER, NR_TASKS };

#define MOST_FRAMES	8
#define PARENT		0xffff888000020000ULL	/* of all */

static struct kernel_task tasks[NR_TASKS];
static const char *frames[NR_TASKS][MOST_FRAMES];
static enum kernel_stack_end ends[NR_TASKS];
static u32 reads[NR_TASKS];		/* rcu_read_lock_nesting */
static u64 blocked_on[NR_TASKS];	/* pi_blocked_on */
static struct work_wait work;
static bool has_work;
static bool helper_waits;		/* OTHER, for what LAST has */
static bool is_of_lock;			/* that is asked about: LAST, for what OTHER has */

void kernel_unwind(struct kernel_unwinder *unwinder, const struct kernel_task *task, struct kernel_stack *stack)
{
	u64 which = (u64)(task - tasks);

	(void)unwinder;
	*stack = (struct kernel_stack){ .end = ends[which] };
	while (stack->nr < MOST_FRAMES && frames[which][stack->nr]) {
		stack->frames[stack->nr].ip = MOST_FRAMES * which + stack->nr;
		stack->nr++;
	}
	stack->nr_sure = stack->nr;
}

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(buf, size, "%s+0x1/0x2", frames[frame->ip / MOST_FRAMES][frame->ip % MOST_FRAMES]);
}

bool kernel_frame_function(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	kernel_frame_name(kernel, frame, buf, size);
	buf[strcspn(buf, "+")] = '\0';
	return true;
}

bool kernel_state_member(const struct kernel *kernel, const char *type, const char *path, u64 va, u64 *ret)
{
	(void)kernel;
	for (u32 i = 0; i < NR_TASKS && !strcmp(type, "task_struct"); i++) {
		if (tasks[i].va != va)
			continue;
		*ret = !strcmp(path, "real_parent") ? PARENT : !strcmp(path, "rcu_read_lock_nesting") ? reads[i] : !strcmp(path, "pi_blocked_on") ? blocked_on[i] : 0;
		return true;
	}
	return false;
}

const struct kernel_task *kernel_tasks_find(const struct kernel_tasks *all, u64 va)
{
	static const struct kernel_task worker = { .va = PARENT, .pid = 30, .comm = "kworker/u8:1", .flags = KERNEL_TASK_WORKER | KERNEL_TASK_KTHREAD };

	(void)all;
	return va == PARENT ? &worker : NULL;
}

bool work_wait_read(struct work_wait *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_wait *wait)
{
	(void)kernel;
	(void)task;
	(void)wait;
	*ret = work;
	return has_work;
}

bool frozen_wait_read(struct frozen_wait *ret, const struct kernel *kernel, const struct kernel_wait *wait)
{
	(void)ret;
	(void)kernel;
	(void)wait;
	return false;
}

static void begin(void)
{
	memset(frames, 0, sizeof(frames));
	memset(reads, 0, sizeof(reads));
	memset(blocked_on, 0, sizeof(blocked_on));
	memset(&work, 0, sizeof(work));
	has_work = helper_waits = false;
	for (u32 i = 0; i < NR_TASKS; i++) {
		tasks[i] = (struct kernel_task){ .va = 0xffff888000010000ULL + 0x1000 * i, .pid = (s32)i + 6, .state = 'D', .cpu = i };
		ends[i] = KSTACK_END_THREAD;
	}
	strcpy(tasks[LAST].comm, "kworker/0:1");
	strcpy(tasks[OTHER].comm, "reader");
}

#define STAND(task, ...) memcpy(frames[task], ((const char *[MOST_FRAMES]){ __VA_ARGS__ }), sizeof(frames[task]))

static struct finding finding;
static struct kernel dump;

/* For free(). */
static struct explain *explain_hung_task(struct death *death)
{
	static struct postmortem pm = { .kernel = &dump };
	struct explain *explain = calloc(1, sizeof(*explain));

	memset(&finding, 0, sizeof(finding));
	finding.kind = "hung-task";
	explain->pm = &pm;
	explain->death = death;
	explain->finding = &finding;
	return explain;
}

/* The claims of a chain that ends with LAST, which @kind waits; of its own wait, with @is_own. */
static bool is_claimed(enum kernel_wait_kind kind, bool is_own)
{
	static struct report_line lines[] = {
		{ .time = 1, .text = "INFO: task kworker/0:1:6 blocked for more than 120 seconds.", .len = 59 },
		{ .time = 2, .text = "Workqueue: card-events reset_work [card]", .len = 40 },
	};
	static struct kernel_report report = { .kind = KERNEL_REPORT_HUNG_TASK, .time = 1, .title = { "INFO: task kworker/0:1:6 blocked for more than 120 seconds.", 59 } };
	struct death death = { .lines = { .list = lines, .nr = 2 }, .reports = { .list = &report, .nr = 1 } };
	struct kernel_chain chain = { .nr = 1, .last_waits = true, .is_sure = true, .tasks = { &tasks[LAST] }, .waits = { { .kind = kind, .lock = 0x1000 } } };
	struct kernel_tasks all = { .list = tasks, .nr = NR_TASKS };
	struct owners owners = { .tasks = &all, .chain = &chain };
	struct explain *explain = explain_hung_task(&death);
	const u64 pid = 6;

	if (is_own)
		own_wait_claim(explain, &owners, &pid, 1);
	else
		waited_for_claim(explain, &owners);
	free(explain);
	return *finding.claim;
}

/* --- work ------------------------------------------------------------------- */

static void begin_work(void)
{
	begin();
	STAND(LAST, "__schedule", "schedule", "schedule_timeout", "wait_for_completion", "__flush_work", "reset_work", "process_one_work");
	has_work = true;
	work = (struct work_wait){ .function = "load_work+0x0/0x20 [card]", .queue = "card-events", .cpu = -1, .is_ordered = true };
}

static void work__what_the_log_says_it_runs_counts_where_the_dump_lacks_it(void)
{
	begin_work();
	CHECK(is_claimed(KWAIT_COMPLETION, false) && strstr(finding.claim, "waits for itself: it runs reset_work"), "%s", finding.claim);
	work.cpu = 0;
	CHECK(is_claimed(KWAIT_COMPLETION, false), "on its own CPU");
}

static void work__on_another_cpu_does_not_wait_for_it(void)
{
	begin_work();
	work.cpu = 1;
	CHECK(!is_claimed(KWAIT_COMPLETION, false), "each CPU runs one at a time: %s", finding.claim);
	work.cpu = 0;
	work.is_runs_known = true;
	CHECK(!is_claimed(KWAIT_COMPLETION, false), "by the dump it runs nothing of it: %s", finding.claim);
}

/* --- RCU -------------------------------------------------------------------- */

static void begin_rcu(void)
{
	begin();
	STAND(LAST, "__schedule", "schedule", "schedule_timeout", "wait_for_completion", "__wait_rcu_gp", "synchronize_rcu", "card_stop");
	STAND(OTHER, "__schedule", "schedule", "schedule_timeout", "card_read");
	reads[OTHER] = 1;
}

static void rcu__a_reader_that_sleeps_is_named(void)
{
	begin_rcu();
	CHECK(is_claimed(KWAIT_COMPLETION, false) && strstr(finding.claim, "RCU for reader-7, which sleeps"), "%s", finding.claim);
}

/* With PREEMPT_RT it may sleep there, and who has that lock is what RCU waits for. */
static void rcu__a_reader_that_waits_for_a_spinlock_is_innocent(void)
{
	begin_rcu();
	STAND(OTHER, "__schedule", "schedule_rtlock", "rtlock_slowlock_locked", "rt_spin_lock", "card_read");
	blocked_on[OTHER] = 0xffffc90000010020ULL;
	CHECK(!is_claimed(KWAIT_COMPLETION, false), "%s", finding.claim);
}

static void rcu__tasks_rcu_waits_for_no_reader(void)
{
	begin_rcu();
	STAND(LAST, "__schedule", "schedule", "schedule_timeout", "wait_for_completion", "__wait_rcu_gp", "synchronize_rcu_tasks_generic", "ftrace_shutdown");
	CHECK(!is_claimed(KWAIT_COMPLETION, false), "%s", finding.claim);
	reads[OTHER] = 0;
	reads[LAST] = 1;
	CHECK(!is_claimed(KWAIT_COMPLETION, true), "%s", finding.claim);
}

/* --- a program of user space ---------------------------------------------------- */

static void helper__that_has_ended_is_innocent(void)
{
	begin();
	tasks[LAST].flags = KERNEL_TASK_KTHREAD;
	STAND(LAST, "__schedule", "schedule", "schedule_timeout", "wait_for_completion", "call_usermodehelper_exec", "card_load");
	CHECK(is_claimed(KWAIT_COMPLETION, false) && strstr(finding.claim, "reader-7, which the kernel started and which does not end"), "%s", finding.claim);
	tasks[OTHER].state = 'Z';
	CHECK(!is_claimed(KWAIT_COMPLETION, false), "its parent does not run: %s", finding.claim);
}

static void helper__that_waits_for_its_waiter_is_a_deadlock(void)
{
	begin();
	tasks[LAST].flags = KERNEL_TASK_KTHREAD;
	STAND(LAST, "__schedule", "schedule", "schedule_timeout", "wait_for_completion", "call_usermodehelper_exec", "card_load");
	STAND(OTHER, "__schedule", "schedule", "__mutex_lock", "card_rate", "vfs_write");
	helper_waits = true;
	CHECK(is_claimed(KWAIT_COMPLETION, false) && strstr(finding.claim, "A deadlock by way of user space: kworker/0:1-6") && strstr(finding.claim, "card_rate()"), "%s",
	      finding.claim);
	tasks[OTHER].is_running = true;
	CHECK(is_claimed(KWAIT_COMPLETION, false) && strstr(finding.claim, "which does not end"), "it runs: %s", finding.claim);
}

/* --- itself ----------------------------------------------------------------- */

static void itself__who_removes_a_file_in_one_waits_for_itself(void)
{
	begin();
	STAND(LAST, "__schedule", "schedule", "kernfs_drain", "__kernfs_remove", "card_store", "kernfs_fop_write_iter", "vfs_write");
	CHECK(is_claimed(KWAIT_QUEUE, true) && finding.strength == FINDING_LIKELY, "%s", finding.claim);
}

/* It has to have the lock again behind its wait, or before. */
static void itself__who_waits_for_a_lock_there_does_not(void)
{
	begin();
	STAND(LAST, "__schedule", "schedule", "rwsem_down_write_slowpath", "kernfs_drain", "__kernfs_remove", "card_store", "kernfs_fop_write_iter");
	CHECK(!is_claimed(KWAIT_RWSEM_WRITE, true), "%s", finding.claim);
}

static void itself__another_one_may_run_there(void)
{
	begin();
	STAND(LAST, "__schedule", "schedule", "kernfs_drain", "__kernfs_remove", "card_store", "kernfs_fop_write_iter", "vfs_write");
	tasks[OTHER].is_running = true;
	ends[OTHER] = KSTACK_NOT_UNWOUND;
	CHECK(is_claimed(KWAIT_QUEUE, true) && finding.strength == FINDING_POSSIBLE, "it is not seen where: %s", finding.claim);
}

static void itself__the_thread_of_an_interrupt_waits_for_its_end(void)
{
	begin();
	STAND(LAST, "__schedule", "schedule", "synchronize_irq", "card_quiet", "card_thread", "irq_thread_fn", "irq_thread");
	STAND(OTHER, "__schedule", "schedule", "irq_thread");
	CHECK(is_claimed(KWAIT_QUEUE, true) && finding.strength == FINDING_LIKELY, "%s", finding.claim);
	STAND(OTHER, "__schedule", "schedule", "__mutex_lock", "port_thread", "irq_thread_fn", "irq_thread");
	CHECK(is_claimed(KWAIT_QUEUE, true) && finding.strength == FINDING_POSSIBLE, "another one is in its handler: %s", finding.claim);
	STAND(LAST, "__schedule", "schedule", "synchronize_irq", "card_remove", "platform_remove");
	CHECK(!is_claimed(KWAIT_QUEUE, true), "it is no such thread: %s", finding.claim);
}

/* --- user space --------------------------------------------------------------- */

static bool is_in_user_space(void)
{
	struct kernel_tasks all = { .list = tasks, .nr = NR_TASKS };
	const struct owners owners = { .tasks = &all };

	return owners_is_in_user_space(&owners, &dump, &tasks[OTHER]);
}

static void user__who_was_preempted_on_the_way_there_has_no_lock(void)
{
	begin();
	ends[OTHER] = KSTACK_END_USER;
	tasks[OTHER].state = 'R';
	STAND(OTHER, "__schedule", "schedule", "exit_to_user_mode_prepare", "irqentry_exit_to_user_mode", "asm_sysvec_apic_timer_interrupt");
	CHECK(is_in_user_space(), "by an interrupt");
	STAND(OTHER, "__schedule", "preempt_schedule_irq", "irqentry_exit", "asm_sysvec_apic_timer_interrupt", "card_read", "do_syscall_64");
	CHECK(!is_in_user_space(), "in a call of it");
	STAND(OTHER, "__schedule", "schedule", "schedule_timeout", "do_syscall_64");
	CHECK(!is_in_user_space(), "it does not leave");
}

static void user__who_runs_there_has_no_lock(void)
{
	begin();
	ends[OTHER] = KSTACK_END_USER;
	tasks[OTHER].is_running = true;
	CHECK(is_in_user_space(), "by its registers");
	ends[OTHER] = KSTACK_NOT_UNWOUND;
	CHECK(!is_in_user_space(), "these are not there");
}

/* --- who has a lock, at the end of a chain ------------------------------------------ */

static struct kernel_tasks both = { .list = tasks, .nr = NR_TASKS };
static struct kernel_chain chain_of_lock;

bool owners_open(struct owners *owners, const struct explain *explain)
{
	(void)explain;
	*owners = (struct owners){ .tasks = &both, .chain = &chain_of_lock };
	return true;
}

void owners_close(struct owners *owners)
{
	(void)owners;
}

bool kernel_wait_of(const struct kernel_waits *w, const struct kernel_task *task, const struct kernel_stack *stack, struct kernel_wait *ret)
{
	(void)w;
	(void)task;
	(void)stack;
	(void)ret;
	return false;
}

int kernel_wait_chain(const struct kernel_waits *w, const struct kernel_task *task, struct kernel_chain *ret, struct err *err)
{
	(void)w;
	(void)err;
	if (!is_of_lock) {
		*ret = (struct kernel_chain){ .nr = helper_waits ? 2 : 1, .is_sure = true, .tasks = { task, &tasks[LAST] } };
		return 0;
	}
	*ret = (struct kernel_chain){ .nr = 2, .is_sure = true, .tasks = { task, &tasks[OTHER] },
				      .waits = { { .kind = KWAIT_MUTEX, .lock = 0x1000, .owner = &tasks[OTHER], .owner_kind = KOWNER_SHOWN } } };
	return 0;
}

/* LAST waits for a lock that OTHER has by its word. */
static const char *claim_of_lock(void)
{
	struct death death = { .cause = -1, .first_blocked = -1 };
	struct explain *explain = explain_hung_task(&death);
	const u64 pid = 6;

	is_of_lock = true;
	lock_owners_add(explain, &pid, 1);
	is_of_lock = false;
	free(explain);
	return finding.claim;
}

static void lock__who_sleeps_with_it_has_it(void)
{
	begin();
	STAND(OTHER, "__schedule", "schedule", "schedule_timeout", "card_read", "vfs_read");
	CHECK(strstr(claim_of_lock(), "reader-7 holds what is waited for and sleeps") && finding.strength == FINDING_SHOWN, "%s", finding.claim);
}

static void lock__who_is_in_user_space_is_a_possible_holder(void)
{
	begin();
	ends[OTHER] = KSTACK_END_USER;
	tasks[OTHER].is_running = true;
	CHECK(strstr(claim_of_lock(), "is in user space, and nothing on its stack has taken it") && finding.strength == FINDING_POSSIBLE, "%s", finding.claim);
	begin();
	STAND(OTHER, "__schedule", "schedule", "do_signal_stop", "get_signal");
	CHECK(strstr(claim_of_lock(), "sleeps in do_signal_stop()") && finding.strength == FINDING_POSSIBLE, "%s", finding.claim);
}

static void lock__who_has_ended_does_not_sleep(void)
{
	begin();
	tasks[OTHER].state = 'Z';
	CHECK(strstr(claim_of_lock(), "reader-7 holds what is waited for and has ended") && strstr(finding.open, "On which way"), "%s", finding.claim);
}

/* --- a lock that was left --------------------------------------------------------- */

static bool may_be_left(enum kernel_wait_kind kind, enum kernel_owner_kind owner, u64 nr_readers)
{
	const struct kernel_wait wait = { .kind = kind, .owner_kind = owner, .nr_readers = nr_readers };
	enum lock_family family;

	return left_lock_family(&family, &wait);
}

static void left__a_lock_that_is_free_is_not(void)
{
	CHECK(may_be_left(KWAIT_MUTEX, KOWNER_UNKNOWN, 0) && may_be_left(KWAIT_RWSEM_READ, KOWNER_YOUNGER, 0), "its owner is no task");
	CHECK(may_be_left(KWAIT_RWSEM_WRITE, KOWNER_NONE, 1) && may_be_left(KWAIT_SEMAPHORE, KOWNER_NONE, 0), "it names none");
	CHECK(!may_be_left(KWAIT_MUTEX, KOWNER_NONE, 0) && !may_be_left(KWAIT_RWSEM_WRITE, KOWNER_NONE, 0), "it was given back, and who waits is woken");
}

int main(void)
{
	TAP_RUN(work__what_the_log_says_it_runs_counts_where_the_dump_lacks_it);
	TAP_RUN(work__on_another_cpu_does_not_wait_for_it);
	TAP_RUN(rcu__a_reader_that_sleeps_is_named);
	TAP_RUN(rcu__a_reader_that_waits_for_a_spinlock_is_innocent);
	TAP_RUN(rcu__tasks_rcu_waits_for_no_reader);
	TAP_RUN(helper__that_has_ended_is_innocent);
	TAP_RUN(itself__who_removes_a_file_in_one_waits_for_itself);
	TAP_RUN(itself__who_waits_for_a_lock_there_does_not);
	TAP_RUN(helper__that_waits_for_its_waiter_is_a_deadlock);
	TAP_RUN(itself__the_thread_of_an_interrupt_waits_for_its_end);
	TAP_RUN(itself__another_one_may_run_there);
	TAP_RUN(user__who_was_preempted_on_the_way_there_has_no_lock);
	TAP_RUN(user__who_runs_there_has_no_lock);
	TAP_RUN(lock__who_sleeps_with_it_has_it);
	TAP_RUN(lock__who_is_in_user_space_is_a_possible_holder);
	TAP_RUN(lock__who_has_ended_does_not_sleep);
	TAP_RUN(left__a_lock_that_is_free_is_not);
	return tap_done();
}
