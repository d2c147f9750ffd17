// SPDX-License-Identifier: GPL-2.0-only
/*
 * A monitor waits, for a second at most, on the queue within a trigger.  The trigger is destroyed
 * meanwhile, and its memory becomes a seat of something else, whose number lies where the queue's
 * lock was.  The monitor's time is over, it wants to leave the queue, and spins.
 *
 * pattern: wait queue head freed while a task is on it
 * upstream: sched/psi: Fix use-after-free in ep_remove_wait_queue(); the class of POLLFREE (binder, signalfd)
 * finding: psi-watch spins on the lock of a wait queue whose memory was freed, by psi_trigger_destroy() of psi-write, and is of seat_book() by now: no CPU holds it, for it is a number
 * never: that some CPU or task holds the lock; psi-seat or seat_book() as guilty, which use memory that is theirs; a deadlock
 * must: shown: CPU [01] .*spinlock that does not become free.*psi-watch
 * not: deadlock|psi-seat.*(wrote|overw|holds)|psi-write.*holds|left.*without.*unlock
 * guest: echo 6 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: sysctl -q kernel.panic_on_rcu_stall=1
 * guest: insmod /test/psi-mon.ko
 */
#include "crash.h"

struct psi_trigger {
	u64 threshold;
	wait_queue_head_t wait;
	int fired;
	u64 window[12];
};

struct seat {
	u64 row, number;
	u64 cells[17];
};

static struct psi_trigger *trigger;
static struct seat *seats[64];

static noinline void psi_trigger_destroy(struct psi_trigger *t)
{
	trigger = NULL;
	kfree(t);
}

static int psi_watch(void *data)
{
	struct psi_trigger *t = data;

	wait_event_interruptible_timeout(t->wait, READ_ONCE(t->fired), HZ);
	for (;;)
		msleep(1000);
	return 0;
}

static noinline struct psi_trigger *psi_trigger_create(void)
{
	struct psi_trigger *t = kzalloc(sizeof(*t), GFP_KERNEL | __GFP_NOFAIL);

	t->threshold = 150000;
	init_waitqueue_head(&t->wait);
	trigger = t;
	run_thread(psi_watch, t, 0, "psi-watch");
	return t;
}

static int psi_write(void *data)
{
	struct psi_trigger *t = psi_trigger_create();

	msleep(400);
	psi_trigger_destroy(t);
	for (;;)
		msleep(1000);
	return 0;
}

static noinline struct seat *seat_book(unsigned int i)
{
	struct seat *seat = kzalloc(sizeof(*seat), GFP_KERNEL);

	if (seat)
		seat->number = i;
	return seat;
}

static int psi_seat(void *data)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(seats); i++) {
		seats[i] = seat_book(i);
		msleep(15);
	}
	for (;;)
		msleep(1000);
	return 0;
}

static int __init psi_init(void)
{
	run_thread(psi_write, NULL, 1, "psi-write");
	return run_thread(psi_seat, NULL, 1, "psi-seat");
}
module_init(psi_init);
