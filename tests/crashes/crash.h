/* SPDX-License-Identifier: GPL-2.0-only */
/* What the modules of this directory share. */
#ifndef CRASH_H
#define CRASH_H

#include <linux/delay.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

/* A pointer of which the compiler knows nothing. */
#define UNKNOWN(ptr) ({ typeof(ptr) __ptr = (ptr); OPTIMIZER_HIDE_VAR(__ptr); __ptr; })

/* A thread that runs at once, or is bound to a CPU first. */
static inline int run_thread(int (*run)(void *), void *data, int cpu, const char *name)
{
	struct task_struct *task = kthread_create(run, data, "%s", name);

	if (IS_ERR(task))
		return PTR_ERR(task);
	if (cpu >= 0)
		kthread_bind(task, cpu);
	wake_up_process(task);
	return 0;
}

/* A /proc file to which a number is written, and who gets it. */
#define PROC_NUMBER(what, handler)						\
static ssize_t what##_write(struct file *file, const char __user *ubuf,		\
			    size_t n, loff_t *pos)				\
{										\
	unsigned int val;							\
	int err = kstrtouint_from_user(ubuf, n, 0, &val);			\
										\
	if (!err)								\
		err = handler(val);						\
	return err ? err : n;							\
}										\
static const struct proc_ops what##_pops = { .proc_write = what##_write }

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Dies in one way");

#endif
