// SPDX-License-Identifier: GPL-2.0-only
/*
 * A token that all CPUs pass on in turn, through memory: write how often to
 * /sys/kernel/debug/victim_token.  Who has it emits its number, so the true order of these events is
 * known without any clock.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "victim.h"
#include "victim_trace.h"

static struct dentry *file;
static u64 token, last;

struct passer {
	struct task_struct *thread;
	u64 first;
	u32 nr;
};

static int pass_token(void *data)
{
	struct passer *passer = data;
	u64 n;
	u32 spins;

	for (n = passer->first; n < last; n += passer->nr) {
		for (spins = 0; smp_load_acquire(&token) != n; spins++) {
			cpu_relax();
			if (spins % 4096 == 4095)
				cond_resched();
		}
		trace_token(n);
		smp_store_release(&token, n + 1);
	}
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int run_token(void *unused, u64 count)
{
	struct passer *passers = kcalloc(nr_cpu_ids, sizeof(*passers), GFP_KERNEL);
	u32 cpu, nr = 0, i;
	u64 first;

	if (!passers)
		return -ENOMEM;
	first = token;
	last = first + count;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct passer *passer = &passers[nr];

		passer->first = first + nr;
		passer->nr = num_online_cpus();
		passer->thread = kthread_create_on_node(pass_token, passer, NUMA_NO_NODE, "token/%u", cpu);
		if (IS_ERR(passer->thread))
			break;
		kthread_bind(passer->thread, cpu);
		nr++;
	}
	if (nr < num_online_cpus())
		last = first;
	for (i = 0; i < nr; i++)
		wake_up_process(passers[i].thread);
	while (READ_ONCE(token) < last)
		schedule_timeout_uninterruptible(1);
	for (i = 0; i < nr; i++)
		kthread_stop(passers[i].thread);
	cpus_read_unlock();
	kfree(passers);
	return last == first + count ? 0 : -ENOMEM;
}
DEFINE_DEBUGFS_ATTRIBUTE(token_fops, NULL, run_token, "%llu\n");

void victim_token_init(void)
{
	file = debugfs_create_file_unsafe("victim_token", 0200, NULL, NULL, &token_fops);
}

void victim_token_exit(void)
{
	debugfs_remove(file);
}
