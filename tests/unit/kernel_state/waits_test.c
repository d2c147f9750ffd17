// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What tasks wait for, and who holds it, out of a small dump: whole ones, and any bytes.
 *
 * build: tests/lib/tasks_rig.c tests/lib/kmem_image.c @extractor -Wl,-z,muldefs
 */
#include <string.h>
#include <unistd.h>

#include "kernel_state/completed_by.h"
#include "tap.h"
#include "tasks_rig.h"

#define WAITER_AT	(8 * 8)		/* in the frame of the function that waits */
#define LIST_OF_MUTEX	16

/* Tasks that sleep in the function that waits, each with a mutex. */
struct queue {
	struct rig rig;
	u64 tasks[3], stacks[3], mutexes[3];
	u32 nr;
};

static void make_queue(struct queue *q, u32 nr)
{
	const u64 words[] = { SAVED(0, 0x680), 0, 0, 0, 0, 0, 0, 0, CODE + 0x310 };

	rig_make(&q->rig);
	rig_put_rows(&q->rig, false);
	q->nr = nr;
	for (u32 i = 0; i < nr; i++) {
		u64 mutex[4] = { 0 };

		q->stacks[i] = rig_put_words(&q->rig, words, 15);
		q->tasks[i] = rig_put_task(&q->rig, 10 + i, q->stacks[i], q->stacks[i]);
		memcpy(kmem_at(&q->rig.k, q->stacks[i] + WAITER_AT + 16), &q->tasks[i], 8);
		q->mutexes[i] = kmem_put(&q->rig.k, mutex, sizeof(mutex));
	}
	rig_link_tasks(&q->rig, q->tasks, nr, 0);
}

static void put_word(struct queue *q, u64 va, u64 word)
{
	memcpy(kmem_at(&q->rig.k, va), &word, 8);
}

static void link_nodes(struct queue *q, u64 a, u64 b)
{
	put_word(q, a, b);
	put_word(q, b + 8, a);
}

static u64 waiter_of(const struct queue *q, u32 i)
{
	return q->stacks[i] + WAITER_AT;
}

/* Task @i waits for mutex @m, alone. */
static void wait_for_mutex(struct queue *q, u32 i, u32 m, u64 owner)
{
	link_nodes(q, waiter_of(q, i), q->mutexes[m] + LIST_OF_MUTEX);
	link_nodes(q, q->mutexes[m] + LIST_OF_MUTEX, waiter_of(q, i));
	put_word(q, q->mutexes[m], owner);
}

static bool wait_of(struct queue *q, u32 i, struct kernel_wait *wait)
{
	const struct kernel_task *task = kernel_tasks_find(q->rig.tasks, q->tasks[i]);

	kernel_unwind(q->rig.unwinder, task, &q->rig.stack);
	return kernel_wait_of(q->rig.waits, task, &q->rig.stack, wait);
}

static void waits__a_mutex_and_its_owner_are_found(void)
{
	struct kernel_wait wait;
	struct queue q;

	make_queue(&q, 2);
	wait_for_mutex(&q, 0, 0, q.tasks[1] | 1);
	rig_open(&q.rig, false);
	if (CHECK(wait_of(&q, 0, &wait), "%u frames %s", q.rig.stack.nr, q.rig.stack.why))
		CHECK(wait.kind == KWAIT_MUTEX && wait.lock == q.mutexes[0] && wait.owner_kind == KOWNER_SHOWN &&
		      wait.owner->va == q.tasks[1], "%d %#llx %d", wait.kind, wait.lock, wait.owner_kind);
	CHECK(!wait_of(&q, 1, &wait), "one without a list waits");
	rig_close(&q.rig);
}

static void waits__an_owner_has_to_be_a_task(void)
{
	struct kernel_wait wait;
	struct queue q;

	make_queue(&q, 2);
	wait_for_mutex(&q, 0, 0, q.tasks[1] + 8);
	/* It is handed over to the waiter, which is no deadlock. */
	wait_for_mutex(&q, 1, 1, q.tasks[1] | 4);
	rig_open(&q.rig, false);
	CHECK(wait_of(&q, 0, &wait) && wait.owner_kind == KOWNER_UNKNOWN && !wait.owner, "%d", wait.owner_kind);
	CHECK(wait_of(&q, 1, &wait) && wait.owner_kind == KOWNER_NONE && !wait.owner, "%d", wait.owner_kind);
	rig_close(&q.rig);
}

static void waits__what_does_not_prove_itself_is_none(void)
{
	struct kernel_wait wait;
	struct queue q;

	make_queue(&q, 3);
	/* A waiter that was woken is on no list; two on each other's have no lock. */
	link_nodes(&q, waiter_of(&q, 0), waiter_of(&q, 0));
	link_nodes(&q, waiter_of(&q, 1), waiter_of(&q, 2));
	link_nodes(&q, waiter_of(&q, 2), waiter_of(&q, 1));
	rig_open(&q.rig, false);
	for (u32 i = 0; i < 3; i++)
		CHECK(!wait_of(&q, i, &wait), "task %u waits", i);
	rig_close(&q.rig);
}

/* Its address is in a register that was saved. */
static void lead_to_ring(struct queue *q, u32 i, u32 m, u64 first)
{
	put_word(q, q->stacks[i], q->mutexes[m]);
	put_word(q, q->mutexes[m] + LIST_OF_MUTEX, first);
}

static void waits__the_lock_of_a_ring_is_found(void)
{
	struct kernel_wait wait;
	struct queue q;

	rig_kernel.has_rings = true;
	make_queue(&q, 3);
	/* One waits alone, held by the second; that one and the third wait for another. */
	link_nodes(&q, waiter_of(&q, 0), waiter_of(&q, 0));
	lead_to_ring(&q, 0, 0, waiter_of(&q, 0));
	put_word(&q, q.mutexes[0], q.tasks[1] | 1);
	/* Seen of 7.2: a word that leads to the waiter itself, which has a waiter where a lock has it. */
	put_word(&q, q.stacks[0] + 8, q.mutexes[0]);
	put_word(&q, q.stacks[0], waiter_of(&q, 0) - LIST_OF_MUTEX);
	link_nodes(&q, waiter_of(&q, 1), waiter_of(&q, 2));
	link_nodes(&q, waiter_of(&q, 2), waiter_of(&q, 1));
	lead_to_ring(&q, 1, 1, waiter_of(&q, 2));
	lead_to_ring(&q, 2, 1, waiter_of(&q, 2));
	rig_open(&q.rig, false);
	CHECK(wait_of(&q, 0, &wait) && wait.kind == KWAIT_MUTEX && wait.lock == q.mutexes[0] && wait.is_first &&
	      wait.owner && wait.owner->va == q.tasks[1], "%#llx", wait.lock);
	CHECK(wait_of(&q, 1, &wait) && wait.lock == q.mutexes[1] && !wait.is_first && wait.owner_kind == KOWNER_NONE,
	      "%#llx", wait.lock);
	CHECK(wait_of(&q, 2, &wait) && wait.lock == q.mutexes[1] && wait.is_first, "%#llx", wait.lock);
	rig_close(&q.rig);
	rig_kernel.has_rings = false;
}

static void waits__a_ring_without_its_lock_is_none(void)
{
	struct kernel_wait wait;
	struct queue q;

	rig_kernel.has_rings = true;
	make_queue(&q, 3);
	/* The mutex has no waiter any more; it has another one; the ring is broken. */
	link_nodes(&q, waiter_of(&q, 0), waiter_of(&q, 0));
	lead_to_ring(&q, 0, 0, 0);
	link_nodes(&q, waiter_of(&q, 1), waiter_of(&q, 1));
	lead_to_ring(&q, 1, 1, waiter_of(&q, 0));
	lead_to_ring(&q, 2, 2, waiter_of(&q, 2));
	put_word(&q, waiter_of(&q, 2), waiter_of(&q, 1));
	rig_open(&q.rig, false);
	for (u32 i = 0; i < 3; i++)
		CHECK(!wait_of(&q, i, &wait), "task %u waits", i);
	rig_close(&q.rig);
	rig_kernel.has_rings = false;
}

static void count_deadlock(const struct kernel_chain *chain, void *priv)
{
	CHECK(chain->is_cycle && chain->is_sure && chain->nr - chain->back == 2, "%u to %u", chain->back, chain->nr);
	++*(u32 *)priv;
}

static void waits__a_cycle_is_found_once(void)
{
	static struct kernel_chain chain;
	struct queue q;
	u32 nr = 0;

	make_queue(&q, 3);
	wait_for_mutex(&q, 0, 0, q.tasks[1]);
	wait_for_mutex(&q, 1, 1, q.tasks[2]);
	wait_for_mutex(&q, 2, 2, q.tasks[1]);
	rig_open(&q.rig, false);
	CHECK(!kernel_deadlocks(q.rig.waits, &chain, count_deadlock, &nr, NULL) && nr == 1, "%u", nr);
	CHECK(!kernel_wait_chain(q.rig.waits, kernel_tasks_find(q.rig.tasks, q.tasks[0]), &chain, NULL) &&
	      chain.nr == 3 && chain.is_cycle && chain.back == 1, "%u back to %u", chain.nr, chain.back);
	rig_close(&q.rig);
}

/* Task 0 flushes the queue of task 1, which runs f5: by an item on its stack, whose function is @function. */
static bool flushes(struct kernel_wait *wait, u64 function, bool runs, bool is_on_stack)
{
	u64 current, worker, item;
	struct queue q;
	bool is;

	make_queue(&q, 2);
	current = kmem_put(&q.rig.k, (u64[2]){ CODE + 0x500, 0 }, 16);
	worker = kmem_put(&q.rig.k, (u64[2]){ q.tasks[1], runs ? current : 0 }, 16);
	item = is_on_stack ? q.stacks[0] + 0x400 : kmem_put(&q.rig.k, (u64[4]){ 0 }, 32);
	put_word(&q, item, function);
	put_word(&q, item + 8, worker);
	rig_open(&q.rig, false);
	*wait = (struct kernel_wait){ .kind = KWAIT_COMPLETION, .lock = item + 16 };
	completed_by(q.rig.tasks, kernel_tasks_find(q.rig.tasks, q.tasks[0]), wait);
	is = wait->owner && wait->owner_kind == KOWNER_WORKER && wait->owner->va == q.tasks[1];
	rig_close(&q.rig);
	return is;
}

static void waits__a_thread_that_runs_work_items_is_who_completes_a_flush(void)
{
	struct kernel_wait wait;

	CHECK(flushes(&wait, CODE + 0x700, true, true) && !strcmp(wait.work, "f5"), "\"%s\"", wait.work);
	CHECK(!flushes(&wait, CODE + 0x500, true, true), "another function of an item");
	CHECK(!flushes(&wait, CODE + 0x700, false, true), "it runs nothing");
	CHECK(!flushes(&wait, CODE + 0x700, true, false), "the item is not on the stack of who waits");
}

/* Task 0 waits for what the struct kthread of task 1 has @at. */
static bool parks(u64 at, u32 flags)
{
	struct kernel_wait wait;
	struct test_task *task;
	struct queue q;
	u64 thread;
	bool is;

	make_queue(&q, 2);
	thread = kmem_put(&q.rig.k, (u64[2]){ 0 }, 16);
	task = kmem_at(&q.rig.k, q.tasks[1]);
	task->worker_private = thread;
	task->flags = flags;
	rig_open(&q.rig, false);
	wait = (struct kernel_wait){ .kind = KWAIT_COMPLETION, .lock = thread + at };
	completed_by(q.rig.tasks, kernel_tasks_find(q.rig.tasks, q.tasks[0]), &wait);
	is = wait.owner && wait.owner_kind == KOWNER_PARKING && wait.owner->va == q.tasks[1];
	rig_close(&q.rig);
	return is;
}

static void waits__a_thread_that_has_to_park_is_who_completes_that(void)
{
	CHECK(parks(8, KERNEL_TASK_KTHREAD), "by its struct kthread");
	CHECK(!parks(0, KERNEL_TASK_KTHREAD), "another member");
	CHECK(!parks(8, 0), "a task of user space has none");
}

/* Task 0 stands in the list of a mutex that is set up anew, behind task 1. */
static void waits__a_lock_that_was_set_up_anew_does_not_know_its_waiters(void)
{
	struct kernel_wait wait;
	struct queue q;
	u64 head;

	make_queue(&q, 3);
	head = q.mutexes[0] + LIST_OF_MUTEX;
	put_word(&q, waiter_of(&q, 0), head);
	put_word(&q, waiter_of(&q, 0) + 8, waiter_of(&q, 1));
	put_word(&q, waiter_of(&q, 1), waiter_of(&q, 0));
	put_word(&q, waiter_of(&q, 1) + 8, head);
	link_nodes(&q, head, head);
	put_word(&q, q.mutexes[0], q.tasks[2]);
	rig_open(&q.rig, false);
	for (u32 i = 0; i < 2; i++)
		CHECK(wait_of(&q, i, &wait) && wait.is_renewed && wait.lock == q.mutexes[0] && wait.owner_kind == KOWNER_NONE, "task %u: %#llx", i, wait.lock);
	rig_close(&q.rig);

	/* What is damaged in another way is none. */
	make_queue(&q, 2);
	wait_for_mutex(&q, 0, 0, 0);
	put_word(&q, q.mutexes[0] + LIST_OF_MUTEX, 0);
	rig_open(&q.rig, false);
	CHECK(!wait_of(&q, 0, &wait), "its head has no next one");
	rig_close(&q.rig);
	make_queue(&q, 2);
	wait_for_mutex(&q, 0, 0, q.tasks[1]);
	rig_open(&q.rig, false);
	CHECK(wait_of(&q, 0, &wait) && !wait.is_renewed && wait.owner, "one that knows it");
	rig_close(&q.rig);
}

#define LACKING		0xffff888012340000ULL	/* mapped, to memory that the file does not have */

/* A task that the index of pids has, and the dump lacks; its stack is behind that of the only other one. */
static void make_lacking(struct queue *q, u64 words_of_it)
{
	u64 pid, leaf;

	rig_make(&q->rig);
	while (q->rig.k.used % STACK_SIZE)
		kmem_put(&q->rig.k, &(u64){ 0 }, 8);
	for (u32 i = 0; i < 2; i++) {
		const u64 words[] = { SAVED(0, 0x680), 0, 0, 0, 0, 0, 0, 0, CODE + 0x310, i && words_of_it ? LACKING : 0 };

		q->stacks[i] = rig_put_words(&q->rig, words, 16);
	}
	rig_put_rows(&q->rig, false);
	for (u32 i = 0; i < 2; i++)
		q->mutexes[i] = kmem_put(&q->rig.k, (u64[4]){ 0 }, 32);
	q->tasks[0] = rig_put_task(&q->rig, 10, q->stacks[0], q->stacks[0]);
	q->tasks[1] = LACKING;
	for (u32 i = 0; i < 2; i++)
		put_word(q, waiter_of(q, i) + 16, q->tasks[i]);
	rig_link_tasks(&q->rig, q->tasks, 1, 0);
	rig_task(&q->rig, q->tasks[0])->next = 0x123456789000;
	kmem_map(&q->rig.k, LACKING, 2 * KMEM_SIZE, 0);
	pid = kmem_put(&q->rig.k, (u64[2]){ LACKING + offsetof(struct test_task, pid_link), 77 }, 16);
	leaf = kmem_put(&q->rig.k, (u64[5]){ 0, pid }, 40);
	rig_add_symbol("init_pid_ns", kmem_put(&q->rig.k, (u64[2]){ 0, leaf | 2 }, 16));
	wait_for_mutex(q, 0, 0, LACKING);
	wait_for_mutex(q, 1, 1, q->tasks[0]);
}

static void waits__a_task_that_the_dump_lacks_is_known_by_its_pid(void)
{
	const struct kernel_task *task;
	struct kernel_wait wait;
	struct queue q;
	u32 nr = 0;

	make_lacking(&q, 1);
	rig_open(&q.rig, false);
	task = kernel_tasks_find(q.rig.tasks, LACKING);
	if (CHECK(task && q.rig.tasks->nr_lacking == 1, "%u lacking", q.rig.tasks->nr_lacking))
		CHECK(task->is_lacking && task->pid == 77 && task->stack == q.stacks[1], "%d %#llx", task->pid, task->stack);
	CHECK(wait_of(&q, 0, &wait) && wait.owner == task, "what waits for it");
	CHECK(wait_of(&q, 1, &wait) && wait.kind == KWAIT_MUTEX && wait.lock == q.mutexes[1] && wait.owner && wait.owner->va == q.tasks[0],
	      "what it waits for");
	CHECK(!kernel_deadlocks(q.rig.waits, &(struct kernel_chain){ 0 }, count_deadlock, &nr, NULL) && nr == 1, "%u deadlocks", nr);
	rig_close(&q.rig);
}

static void waits__a_stack_that_names_it_once_is_not_its_own(void)
{
	struct kernel_wait wait;
	struct queue q;

	make_lacking(&q, 0);
	rig_open(&q.rig, false);
	CHECK(q.rig.tasks->nr_lacking == 1 && !kernel_tasks_find(q.rig.tasks, LACKING)->stack && !wait_of(&q, 1, &wait), "it has a stack");
	rig_close(&q.rig);
	/* What it left on its stack is on no list of a lock. */
	make_lacking(&q, 1);
	put_word(&q, q.mutexes[1] + LIST_OF_MUTEX, q.mutexes[1] + LIST_OF_MUTEX);
	put_word(&q, q.mutexes[1] + LIST_OF_MUTEX + 8, q.mutexes[1] + LIST_OF_MUTEX);
	rig_open(&q.rig, false);
	CHECK(!wait_of(&q, 1, &wait), "it waits for a lock whose list is empty");
	rig_close(&q.rig);
}

/* --- any bytes ----------------------------------------------------------- */

#define ROUNDS		16

/* A word of what was put into the dump becomes a random one, or that of another place. */
static void damage_queue(struct queue *q, u32 *seed)
{
	const u64 size = q->rig.k.used;

	for (u32 i = 0; i < 40; i++) {
		u64 to = KMEM_TEXT + rig_random(seed) % (size / 8) * 8;
		u64 from = KMEM_TEXT + rig_random(seed) % (size / 8) * 8;

		switch (rig_random(seed) % 3) {
		case 0:
			put_word(q, to, (u64)rig_random(seed) << 40 | rig_random(seed));
			break;
		case 1:
			put_word(q, to, from);
			break;
		case 2:
			memcpy(kmem_at(&q->rig.k, to), kmem_at(&q->rig.k, from), 8);
			break;
		}
	}
}

static void count_any(const struct kernel_chain *chain, void *priv)
{
	*(u32 *)priv += chain->nr;
}

static void waits__any_bytes_are_read_to_an_end(void)
{
	static struct kernel_chain chain;
	struct kernel_wait wait;
	char name[KERNEL_SYMBOL_MAX];
	u32 seed = 1, nr = 0;
	struct queue q;

	for (u32 round = 0; round < ROUNDS; round++) {
		make_queue(&q, 3);
		for (u32 i = 0; i < 3; i++)
			wait_for_mutex(&q, i, i, q.tasks[(i + 1) % 3]);
		damage_queue(&q, &seed);
		rig_open(&q.rig, false);
		for (u32 i = 0; i < q.rig.tasks->nr; i++) {
			kernel_unwind(q.rig.unwinder, &q.rig.tasks->list[i], &q.rig.stack);
			CHECK(q.rig.stack.nr_sure <= q.rig.stack.nr && q.rig.stack.nr <= KERNEL_STACK_FRAMES, "%u", q.rig.stack.nr);
			for (u32 k = 0; k < q.rig.stack.nr; k++)
				kernel_frame_name(&q.rig.kernel, &q.rig.stack.frames[k], name, sizeof(name));
			nr += kernel_wait_of(q.rig.waits, &q.rig.tasks->list[i], &q.rig.stack, &wait);
		}
		CHECK(!kernel_deadlocks(q.rig.waits, &chain, count_any, &nr, NULL), "no memory");
		rig_close(&q.rig);
	}
	CHECK(nr, "nothing was found in any");
}

int main(void)
{
	alarm(60);
	TAP_RUN(waits__a_task_that_the_dump_lacks_is_known_by_its_pid);
	TAP_RUN(waits__a_stack_that_names_it_once_is_not_its_own);
	TAP_RUN(waits__a_mutex_and_its_owner_are_found);
	TAP_RUN(waits__an_owner_has_to_be_a_task);
	TAP_RUN(waits__what_does_not_prove_itself_is_none);
	TAP_RUN(waits__the_lock_of_a_ring_is_found);
	TAP_RUN(waits__a_ring_without_its_lock_is_none);
	TAP_RUN(waits__a_cycle_is_found_once);
	TAP_RUN(waits__a_thread_that_runs_work_items_is_who_completes_a_flush);
	TAP_RUN(waits__a_thread_that_has_to_park_is_who_completes_that);
	TAP_RUN(waits__a_lock_that_was_set_up_anew_does_not_know_its_waiters);
	TAP_RUN(waits__any_bytes_are_read_to_an_end);
	return tap_done();
}
