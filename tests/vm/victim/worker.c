// SPDX-License-Identifier: GPL-2.0-only
/*
 * What emits: on each CPU a thread, a timer (softirq), a hard hrtimer and an
 * NMI that the CPU sends to itself.  They come and go with their CPU.
 */
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timer.h>

#include "compat.h"
#include "victim.h"

static unsigned int burst = 8;
module_param(burst, uint, 0444);
MODULE_PARM_DESC(burst, "events at a time in task context");

static bool full;
module_param(full, bool, 0444);
MODULE_PARM_DESC(full, "threads never sleep");

static bool nmi = true;
module_param(nmi, bool, 0444);
MODULE_PARM_DESC(nmi, "emit in NMI context too");

static unsigned int pace = 1;
module_param(pace, uint, 0444);
MODULE_PARM_DESC(pace, "ms between hardirqs, jiffies between softirqs; a slow kernel gets no more done");

struct worker {
	struct task_struct *thread;
	struct timer_list timer;
	struct hrtimer hrtimer;
	unsigned int ticks;
};
static DEFINE_PER_CPU(struct worker, workers);
static int hotplug_state;

static int worker_thread(void *unused)
{
	while (!kthread_should_stop()) {
		victim_emit(VICTIM_TASK, burst);
		if (full)
			cond_resched();
		else
			usleep_range(500 * pace, 1500 * pace);
	}
	return 0;
}

static void worker_timer(struct timer_list *timer)
{
	victim_emit(VICTIM_SOFTIRQ, 8);
	mod_timer(timer, jiffies + pace);
}

static enum hrtimer_restart worker_hrtimer(struct hrtimer *hrtimer)
{
	victim_emit(VICTIM_HARDIRQ, 4);
	if (nmi && this_cpu_inc_return(workers.ticks) % 8 == 0)
		victim_nmi_here();
	hrtimer_forward_now(hrtimer, ms_to_ktime(pace));
	return HRTIMER_RESTART;
}

static int worker_start(unsigned int cpu)
{
	struct worker *worker = per_cpu_ptr(&workers, cpu);
	struct task_struct *thread;

	thread = kthread_create(worker_thread, NULL, "victim/%u", cpu);
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	kthread_bind(thread, cpu);
	worker->thread = thread;
	wake_up_process(thread);

	timer_setup(&worker->timer, worker_timer, TIMER_PINNED);
	worker->timer.expires = jiffies + pace;
	add_timer_on(&worker->timer, cpu);

	hrtimer_setup(&worker->hrtimer, worker_hrtimer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&worker->hrtimer, ms_to_ktime(pace), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int worker_stop(unsigned int cpu)
{
	struct worker *worker = per_cpu_ptr(&workers, cpu);

	hrtimer_cancel(&worker->hrtimer);
	timer_delete_sync(&worker->timer);
	kthread_stop(worker->thread);
	return 0;
}

int victim_workers_start(void)
{
	int err = victim_nmi_start();

	if (err)
		return err;
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "victim:online",
					  worker_start, worker_stop);
	if (hotplug_state < 0) {
		victim_nmi_stop();
		return hotplug_state;
	}
	return 0;
}

void victim_workers_stop(void)
{
	cpuhp_remove_state(hotplug_state);
	victim_nmi_stop();
}
