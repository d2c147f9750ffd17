// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events in each state that ftrace has in their common_flags and common_preempt_count:
 * write a number to /sys/kernel/debug/victim_moments, and they have it as round.
 */
#include <linux/bottom_half.h>
#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "victim.h"
#include "victim_trace.h"

#define DEEPEST	18	/* more than ftrace's four bits hold */

static struct dentry *file;

static void nothing(void)
{
}

static void softirqs_off(void)
{
	local_bh_disable();
}

static void softirqs_on(void)
{
	local_bh_enable();
}

static void interrupts_off(void)
{
	local_irq_disable();
}

static void interrupts_on(void)
{
	local_irq_enable();
}

static void stay(void)
{
	migrate_disable();
}

static void stay_no_more(void)
{
	migrate_enable();
}

/* The caller has preemption off, and makes room when it is on again. */
static void want_room(void)
{
	set_tsk_need_resched(current);
	set_preempt_need_resched();
}

static const struct {
	const char *name;
	void (*begin)(void);
	void (*end)(void);
} states[] = {
	{ "plain", nothing, nothing },
	{ "softirqs-off", softirqs_off, softirqs_on },
	{ "interrupts-off", interrupts_off, interrupts_on },
	{ "stays", stay, stay_no_more },
	{ "wants-room", want_room, nothing },
};

static void emit(unsigned int round, unsigned int state, unsigned int depth)
{
	bool wanted, changed;
	unsigned int i;

	for (i = 0; i < depth; i++)
		preempt_disable();
	states[state].begin();
	wanted = tif_need_resched();
	trace_moment(round, states[state].name, depth);
	changed = wanted != tif_need_resched();
	states[state].end();
	for (i = 0; i < depth; i++)
		preempt_enable();
	/* An interrupt came: of two probes each may have seen another state. */
	if (changed)
		pr_info("moment round=%u %s depth=%u changed\n", round, states[state].name, depth);
}

static int emit_all(void *unused, u64 round)
{
	unsigned int state, depth;

	for (state = 0; state < ARRAY_SIZE(states); state++)
		for (depth = 0; depth <= DEEPEST; depth++)
			if (depth || states[state].begin != want_room)
				emit(round, state, depth);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(emit_fops, NULL, emit_all, "%llu\n");

void victim_moments_init(void)
{
	file = debugfs_create_file_unsafe("victim_moments", 0200, NULL, NULL, &emit_fops);
}

void victim_moments_exit(void)
{
	debugfs_remove(file);
}
