// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of perf, one for each online CPU, as long as a context uses them.
 * epitaph_events_lock() protects the list.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "events/probe.h"
#include "answer.h"
#include "context.h"

struct known {
	const char *name;
	u32 type;
	u64 config;
};

/* In perf's own words. */
static const struct known known[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
};

/**
 * struct epitaph_counter - one counter in use
 * @events: by CPU; NULL if the CPU came online later.  Off for a CPU that went offline,
 *	also after it is back
 */
struct epitaph_counter {
	struct list_head node;
	const struct known *what;
	unsigned int users;
	struct perf_event *__percpu *events;
};

static LIST_HEAD(counters);

static struct perf_event *begin(const struct known *what, int cpu)
{
	struct perf_event_attr attr = {
		.type = what->type, .size = sizeof(attr), .config = what->config, .pinned = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

static bool counter_is_there(const struct known *what)
{
	struct perf_event *event = begin(what, cpumask_first(cpu_online_mask));

	if (IS_ERR(event))
		return false;
	perf_event_release_kernel(event);
	return true;
}

static void refuse_counter(struct epitaph_answer *answer, const char *name, bool is_known)
{
	const struct known *near = known;
	int i;

	for (i = 1; i < ARRAY_SIZE(known); i++)
		if (epitaph_distance(known[i].name, name) < epitaph_distance(near->name, name))
			near = &known[i];
	if (is_known)
		epitaph_answer(answer, "this machine has no counter '%s'; it has:", name);
	else
		epitaph_answer(answer, "no counter is called '%s'; the nearest is '%s'; this machine has:",
			       name, near->name);
	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (counter_is_there(&known[i]))
			epitaph_answer(answer, " %s", known[i].name);
	epitaph_answer(answer, "\n");
}

static void end(struct epitaph_counter *counter)
{
	struct perf_event *event;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		event = counter->events ? *per_cpu_ptr(counter->events, cpu) : NULL;
		if (event)
			perf_event_release_kernel(event);
	}
	free_percpu(counter->events);
	kfree(counter);
}

/*
 * perf takes cpus_read_lock() itself, and who takes it twice waits for ever if a CPU is to go in
 * between.  So CPUs may come and go here: -ENODEV is one that went.
 */
static int begin_all(struct epitaph_counter *counter)
{
	struct perf_event *event;
	unsigned int cpu;
	int err = -ENODEV;

	for_each_online_cpu(cpu) {
		event = begin(counter->what, cpu);
		if (PTR_ERR(event) == -ENODEV)
			continue;
		if (IS_ERR(event))
			return PTR_ERR(event);
		*per_cpu_ptr(counter->events, cpu) = event;
		err = 0;
	}
	return err;
}

static struct epitaph_counter *new_counter(const struct known *what)
{
	struct epitaph_counter *counter = kzalloc(sizeof(*counter), GFP_KERNEL);
	int err = -ENOMEM;

	if (!counter)
		return ERR_PTR(err);
	counter->what = what;
	counter->users = 1;
	counter->events = alloc_percpu(struct perf_event *);
	if (counter->events)
		err = begin_all(counter);
	if (!err) {
		list_add_tail(&counter->node, &counters);
		return counter;
	}
	end(counter);
	return ERR_PTR(err);
}

struct epitaph_counter *epitaph_counter_get(struct epitaph_answer *answer, const char *name)
{
	struct epitaph_counter *counter;
	int i;

	list_for_each_entry(counter, &counters, node)
		if (!strcmp(counter->what->name, name)) {
			counter->users++;
			return counter;
		}
	for (i = 0; i < ARRAY_SIZE(known) && strcmp(known[i].name, name); i++)
		;
	counter = i < ARRAY_SIZE(known) ? new_counter(&known[i]) : ERR_PTR(-EINVAL);
	if (!IS_ERR(counter) || counter == ERR_PTR(-ENOMEM))
		return counter;
	refuse_counter(answer, name, i < ARRAY_SIZE(known));
	return ERR_PTR(-EINVAL);
}

void epitaph_counter_put(struct epitaph_counter *counter)
{
	if (--counter->users)
		return;
	list_del(&counter->node);
	end(counter);
}

/*
 * Interrupts are off, so the kernel does not give it another hardware counter meanwhile.  It may
 * be an NMI that came while it does: then what was counted is in @event already.
 */
static bool counts(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE &&
	       !(READ_ONCE(event->hw.state) & PERF_HES_UPTODATE);
}

/* As perf_event_read_local(), which modules cannot call; "raw", so that it is no event itself. */
u64 epitaph_counter_read(const struct epitaph_counter *counter)
{
	struct perf_event *event = *this_cpu_ptr(counter->events);
	unsigned long flags;

	if (!event || READ_ONCE(event->state) <= PERF_EVENT_STATE_OFF)
		return 0;
	raw_local_irq_save(flags);
	if (counts(event))
		event->pmu->read(event);
	raw_local_irq_restore(flags);
	return local64_read(&event->count);
}
