// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_rcu.h"

#include <string.h>

#include "judge/words.h"
#include "kernel_state/slab.h"
#include "kernel_state/tasks.h"
#include "linux_kernel/vmem.h"

#define LONG_NS		2000000000ULL	/* of a grace period, which has milliseconds as a rule */
#define STATE_BITS	3		/* of its number: kernel/rcu/rcu.h; 0: none is under way */
#define PAGE		4096ULL

static bool read_symbol(u64 *va, const struct kernel *kernel, const char *name)
{
	return kernel->kallsyms && kallsyms_address(kernel->kallsyms, name, va);
}

/* For how long the grace period has been under way; 0: none is, or that is not known. */
static u64 period_ns(const struct kernel *kernel)
{
	u64 state, number, start, jiffies, tick, now, ns;

	if (!read_symbol(&state, kernel, "rcu_state") || !read_symbol(&jiffies, kernel, "jiffies_64") || !read_symbol(&tick, kernel, "tick_nsec") ||
	    !kernel_state_member(kernel, "rcu_state", "gp_seq", state, &number) || !(number & STATE_BITS) ||
	    !kernel_state_member(kernel, "rcu_state", "gp_start", state, &start) || !vmem_number(kernel->vmem, jiffies, 8, &now) ||
	    !vmem_number(kernel->vmem, tick, 8, &ns) || now < start || now - start > UINT32_MAX || ns > 100000000)
		return 0;
	return (now - start) * ns;
}

/* A counter that each CPU has, of all of them; what cannot be read is 0. */
static u64 sum_of(const struct kernel *kernel, const char *variable, const char *type, const char *member)
{
	u64 symbol, va, value, sum = 0;

	if (!read_symbol(&symbol, kernel, variable))
		return 0;
	for (u32 cpu = 0; cpu < kernel->nr_cpu_ids; cpu++)
		if (kernel_percpu_at(kernel, symbol, cpu, &va) && kernel_state_member(kernel, type, member, va, &value) && (s64)value > 0)
			sum += value;
	return sum;
}

/* Given to call_rcu() and to kfree_rcu(): that counts anew when it hands a batch on, and has one counter since 6.4, an array of them beside it. */
static u64 nr_waiting(const struct kernel *kernel)
{
	return sum_of(kernel, "rcu_data", "rcu_data", "cblist.len") + sum_of(kernel, "krc", "kfree_rcu_cpu", "count") +
	       sum_of(kernel, "krc", "kfree_rcu_cpu", "head_count.counter") + sum_of(kernel, "krc", "kfree_rcu_cpu", "bulk_count[0].counter");
}

/* Does the grace period wait for that CPU to pass through a quiescent state? By the mask of its group. */
static bool waits_for(const struct kernel *kernel, u64 variable, u32 cpu)
{
	u64 data, node, mask, own;

	return kernel_percpu_at(kernel, variable, cpu, &data) && kernel_state_member(kernel, "rcu_data", "mynode", data, &node) &&
	       kernel_state_member(kernel, "rcu_data", "grpmask", data, &own) && kernel_state_member(kernel, "rcu_node", "qsmask", node, &mask) && mask & own;
}

/* The only CPU that it waits for; NULL: there is none, or more, or the trace does not have it. */
static const struct history_cpu *find_long_reader(const struct explain *explain, u32 *number)
{
	const struct kernel *kernel = explain->pm->kernel;
	u64 variable;
	u32 nr = 0;

	if (!read_symbol(&variable, kernel, "rcu_data"))
		return NULL;
	for (u32 cpu = 0; cpu < kernel->nr_cpu_ids; cpu++)
		if (waits_for(kernel, variable, cpu)) {
			*number = cpu;
			nr++;
		}
	return nr == 1 ? history_cpu(&explain->history, *number) : NULL;
}

void stuck_rcu_claim(struct explain *explain, u64 pages, const char *cache, const char *why)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct finding *finding = explain->finding;
	const struct history_cpu *reader;
	char place[2 * WORDS_FUNCTION] = "";
	struct stopped_cpu stopped;
	u64 ns, nr, end = explain->pm->end.time;
	u32 cpu = 0, size = kernel && *cache ? kernel_cache_object_size(kernel, cache) : 0;

	if (!size)
		return;
	ns = period_ns(kernel);
	nr = nr_waiting(kernel);
	if (ns < LONG_NS || ns > end || nr < pages / 2 * PAGE / size)
		return;
	finding_evidence_timeless(finding, "%llu objects wait for the end of RCU's grace period, which has been under way for %llu.%llu s", nr, ns / 1000000000,
				  ns / 100000000 % 10);
	reader = find_long_reader(explain, &cpu);
	if (reader && reader->switched && reader->pid && stopped_cpu_read(&stopped, explain->pm, cpu) && stopped.nr_frames)
		words_place(place, stopped.frames[0]);
	finding_claim(finding, finding->kind, FINDING_LIKELY,
		      "Memory ran out: %llu objects, which were given to call_rcu() or kfree_rcu(), wait for RCU's grace period, and that has not ended for %llu s. %s", nr,
		      ns / 1000000000, why);
	if (*place) {
		finding_open(finding, "Why CPU %u, for which it waits by its own mask, does not let it go on: it ran %s-%llu for %llu s, in %s at the end, perhaps within rcu_read_lock(). Who gives these objects to RCU is innocent.",
			     cpu, reader->comm, reader->pid, (end - reader->switched) / 1000000000, place);
		finding_evidence(finding, reader->switched, finding_event(cpu, "sched:sched_switch"), "CPU %u switched to %s-%llu, and to %s after that", cpu,
				 reader->comm, reader->pid, words_other_tasks(reader));
	} else {
		finding_open(finding, "Which reader keeps it from its end: one that does not come out of rcu_read_lock(). Who gives these objects to RCU is innocent.");
	}
}
