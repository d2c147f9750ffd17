// SPDX-License-Identifier: GPL-2.0-only
/*
 * A death of waiting in every kind of queue. Each thread says before it waits for what, at which
 * address, and who holds it.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/semaphore.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "victim.h"

/* A bank: what its cashier keeps, asleep. The drawer is of a customer who waits too. */
struct bank {
	struct mutex drawer;
	struct semaphore scales;
	unsigned long doors;
	struct page *notice;
};

static DEFINE_MUTEX(counter);
static DECLARE_RWSEM(ledger);
static DECLARE_RWSEM(board);
static DECLARE_COMPLETION(opening);
static DEFINE_RT_MUTEX(express);
static DECLARE_WAIT_QUEUE_HEAD(bell);
static struct bank *bank;

static void say(const char *kind, const void *lock, const char *owner)
{
	pr_info("victim: %s waits for %s %px of %s\n", current->comm, kind, lock, owner);
}

static void sleep_for_ever(void)
{
	for (;;)
		schedule_timeout_interruptible(MAX_SCHEDULE_TIMEOUT);
}

static int cashier(void *unused)
{
	mutex_lock(&counter);
	down_write(&ledger);
	down_read(&board);
	rt_mutex_lock(&express);
	lock_page(bank->notice);
	if (!down_interruptible(&bank->scales))
		sleep_for_ever();
	return 0;
}

static int wants_counter(void *unused)
{
	mutex_lock(&bank->drawer);
	say("mutex", &counter, "cashier");
	mutex_lock(&counter);
	return 0;
}

static int wants_drawer(void *unused)
{
	say("mutex", &bank->drawer, "at-counter");
	mutex_lock(&bank->drawer);
	return 0;
}

static int wants_to_read(void *unused)
{
	say("rwsem_read", &ledger, "cashier");
	down_read(&ledger);
	return 0;
}

static int wants_to_write(void *unused)
{
	say("rwsem_write", &ledger, "cashier");
	down_write(&ledger);
	return 0;
}

static int wants_board(void *unused)
{
	say("rwsem_write", &board, "cashier");
	down_write(&board);
	return 0;
}

static int wants_scales(void *unused)
{
	say("semaphore", &bank->scales, "none");
	down(&bank->scales);
	return 0;
}

static int wants_opening(void *unused)
{
	say("completion", &opening, "none");
	wait_for_completion(&opening);
	return 0;
}

static int wants_door(void *unused)
{
	say("bit", &bank->doors, "none");
	return wait_on_bit(&bank->doors, 3, TASK_UNINTERRUPTIBLE);
}

static int wants_express(void *unused)
{
	say("rtmutex", &express, "cashier");
	rt_mutex_lock(&express);
	return 0;
}

/* The folio of a page alone is that page. */
static int wants_notice(void *unused)
{
	say("page", bank->notice, "none");
	lock_page(bank->notice);
	return 0;
}

static int wants_bell(void *unused)
{
	say("queue", &bell, "none");
	wait_event(bell, READ_ONCE(bank) == NULL);
	return 0;
}

static void start_customer(int (*function)(void *), const char *name)
{
	struct task_struct *task = kthread_run(function, NULL, "%s", name);

	if (IS_ERR(task))
		pr_err("victim: no thread %s\n", name);
	msleep(100);
}

static void bank_queue(void)
{
	bank = kzalloc(sizeof(*bank), GFP_KERNEL);
	if (!bank)
		return;
	bank->notice = alloc_page(GFP_KERNEL);
	if (!bank->notice)
		return;
	mutex_init(&bank->drawer);
	sema_init(&bank->scales, 1);
	bank->doors = 1UL << 3;
	start_customer(cashier, "cashier");
	start_customer(wants_counter, "at-counter");
	start_customer(wants_drawer, "at-drawer");
	start_customer(wants_to_read, "at-ledger");
	start_customer(wants_to_write, "at-ledger-write");
	start_customer(wants_board, "at-board");
	start_customer(wants_scales, "at-scales");
	start_customer(wants_opening, "at-opening");
	start_customer(wants_door, "at-door");
	start_customer(wants_express, "at-express");
	start_customer(wants_notice, "at-notice");
	start_customer(wants_bell, "at-bell");
}

const struct victim_way victim_ways_of_waits[] = {
	{ "bank-queue", bank_queue },
	{ }
};
