// SPDX-License-Identifier: GPL-2.0-only
/*
 * What makes a kernel emit events of the default set that little else does: write a number
 * to /sys/kernel/debug/provoker/NAME.  What only firmware reports is reported as its driver would.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/edac.h>
#include <linux/gfp.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rtmutex.h>
#include <linux/sched.h>
#include <acpi/ghes.h>
#include <asm/tsc.h>
#include <ras/ras_event.h>

#define MAX_BLOCKS	2048

static struct dentry *dir;
static DEFINE_RT_MUTEX(owned);

static void run_tasklet(struct tasklet_struct *tasklet)
{
}
static DECLARE_TASKLET(nothing, run_tasklet);

static int provoke_tasklet(void *unused, u64 number)
{
	tasklet_schedule(&nothing);
	return 0;
}

/* kthread_bind() waits until the task is off its CPU; kthread_stop() is traced, too. */
static int wait_for_stop(void *unused)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ);
	return 7;
}

static int provoke_kthread(void *unused, u64 number)
{
	struct task_struct *task = kthread_create(wait_for_stop, NULL, "provoked");

	if (IS_ERR(task))
		return PTR_ERR(task);
	kthread_bind(task, 0);
	wake_up_process(task);
	msleep(20);
	kthread_stop(task);
	return 0;
}

static void run_work(struct kthread_work *work)
{
}

static int provoke_work(void *unused, u64 number)
{
	struct kthread_work work;
	struct kthread_worker *worker = kthread_create_worker(0, "provoked");

	if (IS_ERR(worker))
		return PTR_ERR(worker);
	kthread_init_work(&work, run_work);
	kthread_queue_work(worker, &work);
	kthread_flush_worker(worker);
	kthread_destroy_worker(worker);
	return 0;
}

/* Lends its priority to who holds the lock. */
static int lock_and_wait(void *unused)
{
	sched_set_fifo(current);
	rt_mutex_lock(&owned);
	rt_mutex_unlock(&owned);
	return wait_for_stop(NULL);
}

static int provoke_priority(void *unused, u64 number)
{
	struct task_struct *task;

	rt_mutex_lock(&owned);
	task = kthread_run(lock_and_wait, NULL, "provoked");
	while (!IS_ERR(task) && !READ_ONCE(task->pi_blocked_on))
		msleep(1);
	rt_mutex_unlock(&owned);
	if (!IS_ERR(task))
		kthread_stop(task);
	return PTR_ERR_OR_ZERO(task);
}

/* Nothing wakes it: the kernel says that it hangs. */
static int provoke_hang(void *unused, u64 seconds)
{
	schedule_timeout_uninterruptible(seconds * HZ);
	return 0;
}

/*
 * All memory that there is in large blocks, and what the kernel tries before it says no.  It is not to
 * wake kswapd: where that has given back what could be, this task makes no progress by itself, and the
 * kernel does not ask whether to compact again.
 */
static int provoke_reclaim(void *unused, u64 order)
{
	const gfp_t flags = (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN) & ~__GFP_KSWAPD_RECLAIM;
	struct page **blocks = kcalloc(MAX_BLOCKS, sizeof(*blocks), GFP_KERNEL);
	int nr = 0;

	if (!blocks)
		return -ENOMEM;
	while (nr < MAX_BLOCKS) {
		blocks[nr] = alloc_pages(flags, order);
		if (!blocks[nr])
			break;
		nr++;
	}
	while (nr--)
		__free_pages(blocks[nr], order);
	kfree(blocks);
	return 0;
}

static int provoke_ras(void *unused, u64 number)
{
	const guid_t fru = GUID_INIT(0x12345678, 0x9abc, 0xdef0, 1, 2, 3, 4, 5, 6, 7, 8);
	const guid_t pcie = CPER_SEC_PCIE;
	static const u8 raw[] = { 1, 2, 3, 0xff, 5 };

	trace_mc_event(HW_EVENT_ERR_CORRECTED, "provoked", "DIMM 3", number, 0, 1, 2, -1,
		       number << 12, 12, 0x55, "by the provoker");
	trace_mc_event(HW_EVENT_ERR_UNCORRECTED, "provoked", "", 1, 0, -1, -1, -1, 0, 0, 0, "");
	trace_non_standard_event(&fru, &fru, "a slot", GHES_SEV_RECOVERABLE, raw, sizeof(raw));
	trace_non_standard_event(&pcie, &fru, "slot 3", GHES_SEV_CORRECTED, raw, sizeof(raw));
	return 0;
}

/* As the kernel's watchdog does when the TSC runs away from another clock. */
static int provoke_tsc(void *unused, u64 number)
{
	mark_tsc_unstable("being provoked");
	return 0;
}

#define PROVOKE(name)	DEFINE_DEBUGFS_ATTRIBUTE(name##_fops, NULL, provoke_##name, "%llu\n")
PROVOKE(tasklet);
PROVOKE(kthread);
PROVOKE(work);
PROVOKE(priority);
PROVOKE(hang);
PROVOKE(reclaim);
PROVOKE(ras);
PROVOKE(tsc);

static int __init provoker_init(void)
{
	static const struct {
		const char *name;
		const struct file_operations *fops;
	} files[] = {
		{ "tasklet", &tasklet_fops }, { "kthread", &kthread_fops }, { "work", &work_fops },
		{ "priority", &priority_fops }, { "hang", &hang_fops },
		{ "reclaim", &reclaim_fops }, { "ras", &ras_fops },
		{ "tsc", &tsc_fops },
	};
	int i;

	dir = debugfs_create_dir("provoker", NULL);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		debugfs_create_file_unsafe(files[i].name, 0200, dir, NULL, files[i].fops);
	return 0;
}

static void __exit provoker_exit(void)
{
	debugfs_remove(dir);
	tasklet_kill(&nothing);
}

module_init(provoker_init);
module_exit(provoker_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Has the kernel emit events");
