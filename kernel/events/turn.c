// SPDX-License-Identifier: GPL-2.0-only
/* From one owner of an event to the other, CPU by CPU: docs/bridge.md, Once. */
#include <linux/cpu.h>
#include <linux/limits.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "control/members.h"
#include "sources/console.h"
#include "compat.h"
#include "probe.h"
#include "recorder.h"
#include "turn.h"

DEFINE_PER_CPU(u32, epitaph_turn) = 1;

static u32 last = 1;		/* turn of all CPUs, but while the next one begins */
static bool has_bridge;

struct turn_work {
	struct work_struct work;
	unsigned int cpu;	/* should that go, the work runs on another one */
};

static DEFINE_PER_CPU(struct turn_work, turn_works);

static void begin_turn(struct work_struct *work)
{
	unsigned int cpu = container_of(work, struct turn_work, work)->cpu;

	WRITE_ONCE(per_cpu(epitaph_turn, cpu), READ_ONCE(last));
}

static void wait_for_turn(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		flush_work(&per_cpu(turn_works, cpu).work);
}

void epitaph_turn_bridge(bool is_there)
{
	unsigned int cpu;

	if (is_there == has_bridge)
		return;
	if (!is_there)
		wait_for_turn();
	for_each_possible_cpu(cpu) {
		per_cpu(turn_works, cpu).cpu = cpu;
		INIT_WORK(&per_cpu(turn_works, cpu).work, begin_turn);
	}
	has_bridge = is_there;
}

/* Off the fast path, and not packed, its probe asks whose turn it is. */
static void set_between(struct epitaph_event *ev, bool is_between)
{
	if (READ_ONCE(ev->is_between) == is_between)
		return;
	WRITE_ONCE(ev->is_between, is_between);
	if (ev->rings == &epitaph_rings[EPITAPH_CHANNEL_MAIN])
		epitaph_event_choose_path(ev);
}

/* A console has its lines at other times than ftrace. */
static bool is_handed_over(const struct epitaph_event *ev)
{
	return has_bridge && !epitaph_console_has(ev);
}

void epitaph_turn_enter(struct epitaph_event *ev)
{
	WRITE_ONCE(ev->until, U32_MAX);
	WRITE_ONCE(ev->since, last + is_handed_over(ev));
	set_between(ev, is_handed_over(ev));
}

void epitaph_turn_leave(struct epitaph_event *ev)
{
	if (!is_handed_over(ev) || !ev->on)
		return;
	set_between(ev, true);
	WRITE_ONCE(ev->until, last + 1);
}

static void event_entered(struct epitaph_event *ev, void *unused)
{
	if (ev->on && ev->until == U32_MAX)
		set_between(ev, false);
}

static void member_entered(struct epitaph_member *member, void *unused)
{
	event_entered(&member->ev, NULL);
}

/*
 * A work of ours runs in a task: so no probe is running on its CPU, which would have preemption
 * off, and what interrupts it comes before the store or after it.  All CPUs begin at once: one that
 * is stuck keeps no other in the old turn.
 */
static void begin_turns(void)
{
	unsigned int cpu;

	WRITE_ONCE(last, last + 1);
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		if (cpu_online(cpu))
			queue_work_on(cpu, epitaph_wq, &per_cpu(turn_works, cpu).work);
		else
			per_cpu(epitaph_turn, cpu) = last;
	}
	cpus_read_unlock();
}

/*
 * No event changes its owner here.  So it does not matter what a CPU does at that moment, and one whose
 * works have to wait stops with the others.
 */
void epitaph_turn_start(void)
{
	unsigned int cpu;

	if (!has_bridge)
		return;
	WRITE_ONCE(last, last + 1);
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(epitaph_turn, cpu), last);
}

void epitaph_turn_settle(void)
{
	if (!has_bridge)
		return;
	/* Who did not see that recording has stopped may have remembered something of this turn. */
	synchronize_rcu();
	epitaph_turn_start();
	synchronize_rcu();
}

void epitaph_turn_next(void)
{
	if (!has_bridge)
		return;
	begin_turns();
	wait_for_turn();
	epitaph_for_all_events(event_entered, NULL);
	epitaph_members_each(member_entered, NULL);
}
