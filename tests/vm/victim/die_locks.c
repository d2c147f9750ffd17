// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deaths of waiting: locks, wakeups, and CPUs that never come back.  Each happens in threads
 * of its own, that the kernel's watchdogs are to find.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "victim.h"

/* Two accounts, and money that two clerks carry in opposite directions. */
static DEFINE_MUTEX(giro);
static DEFINE_MUTEX(savings);

static noinline int transfer_locked(struct mutex *to)
{
	mutex_lock(to);
	barrier();
	mutex_unlock(to);
	return 1;
}

static noinline int transfer(struct mutex *from, struct mutex *to)
{
	int done;

	mutex_lock(from);
	msleep(100);
	done = transfer_locked(to);
	mutex_unlock(from);
	return done;
}

static int clerk_saves(void *unused)
{
	return transfer(&giro, &savings) - 1;
}

static int clerk_spends(void *unused)
{
	return transfer(&savings, &giro) - 1;
}

static void start(int (*function)(void *), const char *name)
{
	struct task_struct *task = kthread_run(function, NULL, "%s", name);

	if (IS_ERR(task))
		pr_err("victim: no thread %s\n", name);
}

static void deadlock(void)
{
	start(clerk_saves, "clerk-saves");
	start(clerk_spends, "clerk-spends");
}

/* A customer who waits for a call that was made before it listened. */
static DECLARE_COMPLETION(call);

static noinline int await_call(struct completion *completion)
{
	wait_for_completion(completion);
	barrier();
	return 1;
}

static int customer(void *unused)
{
	complete(&call);
	reinit_completion(&call);
	return await_call(&call) - 1;
}

static void lost_wakeup(void)
{
	start(customer, "customer");
}

/* A poll of a device that never answers. */
static noinline int poll_device(const int *answer)
{
	while (!READ_ONCE(*answer))
		cpu_relax();
	return *answer;
}

static noinline int device_read(const int *answer)
{
	int got = poll_device(answer);

	barrier();
	return got;
}

static int never;

static int poller_unpreemptible(void *unused)
{
	int got;

	preempt_disable();
	got = device_read(&never);
	preempt_enable();
	return got;
}

static bool polls;

static int poller_uninterruptible(void *unused)
{
	int got;

	local_irq_disable();
	WRITE_ONCE(polls, true);
	got = device_read(&never);
	local_irq_enable();
	return got;
}

/* Readers of RCU that look for ever; the CPU is theirs. */
static int poller_of_rcu(void *unused)
{
	int got;

	rcu_read_lock();
	preempt_disable();
	got = device_read(&never);
	preempt_enable();
	rcu_read_unlock();
	return got;
}

static void start_on(unsigned int cpu, int (*function)(void *), const char *name)
{
	struct task_struct *task = kthread_create(function, NULL, "%s", name);

	if (IS_ERR(task)) {
		pr_err("victim: no thread %s\n", name);
		return;
	}
	kthread_bind(task, cpu);
	wake_up_process(task);
}

/* A test can say then which CPU was stalled; the rest goes on elsewhere. */
static void start_on_first_cpu(int (*function)(void *), const char *name)
{
	start_on(0, function, name);
}

static void soft_lockup(void)
{
	start_on_first_cpu(poller_unpreemptible, "poller");
}

/* A machine that idles may have no reader to wait for, and would find no stall. */
static int reclaimer(void *unused)
{
	msleep(100);
	synchronize_rcu();
	return 0;
}

static void interrupts_off(void)
{
	start_on(nr_cpu_ids - 1, reclaimer, "reclaimer");
	/* On the first CPU the caller would not run again. */
	set_cpus_allowed_ptr(current, cpumask_of(nr_cpu_ids - 1));
	start_on_first_cpu(poller_uninterruptible, "poller-irqs-off");
	/* It polls when this returns.  Jiffies may stand still by then. */
	while (!READ_ONCE(polls))
		usleep_range(1000, 2000);
}

static void rcu_stall(void)
{
	start_on_first_cpu(poller_of_rcu, "poller-rcu");
}

/* The clerk waits for a customer, and keeps the till locked. */
static DEFINE_SPINLOCK(till);

static noinline long serve(void)
{
	long left = schedule_timeout_uninterruptible(1);

	barrier();
	return left;
}

static void sleep_in_spinlock(void)
{
	spin_lock(&till);
	serve();
	spin_unlock(&till);
}

const struct victim_way victim_ways_of_locks[] = {
	{ "deadlock", deadlock },
	{ "lost-wakeup", lost_wakeup },
	{ "soft-lockup", soft_lockup },
	{ "interrupts-off", interrupts_off },
	{ "rcu-stall", rcu_stall },
	{ "sleep-in-spinlock", sleep_in_spinlock },
	{ }
};
