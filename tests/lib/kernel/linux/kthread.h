/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of the kernel what kernel/core/parity.c needs; a test has the thread, the time and the CPUs. */
#ifndef _EPITAPH_TEST_KTHREAD_H
#define _EPITAPH_TEST_KTHREAD_H

#include <stdio.h>
#include <stdlib.h>

#include <epitaph/plat.h>

struct task_struct;

struct task_struct *kthread_run(int (*run)(void *data), void *data, const char *name);
int kthread_stop(struct task_struct *thread);
bool kthread_should_stop(void);
void cond_resched(void);
u64 ktime_get_mono_fast_ns(void);

#define HZ			250
#define MAX_NICE		19
#define NSEC_PER_MSEC		1000000ULL
#define U64_MAX			UINT64_MAX
#define GFP_KERNEL		0
#define current			NULL
#define NR_TEST_CPUS		2

#define min(a, b)		((a) < (b) ? (a) : (b))
#define round_up(n, to)		(((n) + (to) - 1) / (to) * (to))
#define IS_ERR(p)		((void)(p), false)
#define PTR_ERR(p)		((long)(p))
#define pr_warn(...)		printf("# " __VA_ARGS__)
#define kvcalloc(n, size, gfp)	calloc(n, size)
#define kvfree(p)		free(p)
#define preempt_disable()	do { } while (0)
#define preempt_enable()	do { } while (0)
#define set_user_nice(p, nice)	do { } while (0)
#define schedule_timeout_interruptible(jiffies)	((void)(jiffies))

#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < NR_TEST_CPUS; (cpu)++)
/* Of each CPU one behind the other. */
#define per_cpu_ptr(p, cpu)		((p) + (cpu) * EPITAPH_NR_CHANNELS)

#endif
