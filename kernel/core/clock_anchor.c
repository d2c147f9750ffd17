// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock, and its anchors: what the other clocks said at one instant, about
 * once a second, so that a reader can convert and knows how well.
 *
 * While the machine is suspended CLOCK_MONOTONIC stands still and ours may go on.  So there is an
 * anchor before and one behind.  The last third of the table is for them alone: between them and
 * a crash may lie more seconds than the table has anchors.
 */
#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <trace/events/power.h>
#include "arch/arch.h"
#include "start/start.h"
#include "compat.h"
#include "lost.h"
#include "recorder.h"

#define INTERVAL	HZ
#define MAX_READINGS	4	/* of the clocks for one anchor */

static struct epitaph_anchor *anchors;
static u32 nr_anchors;
static u32 nr_of_suspends;	/* the last ones of these */
static atomic64_t last_seq;
static u64 last_suspend_seq, suspended_at;
static bool sees_suspends;
static struct timer_list timer;
static bool is_unstable_said;
/*
 * While the kernel boots, CLOCK_MONOTONIC counts ticks, and loses some.  Until it is good, there is
 * one anchor, and a reader goes by the rate of our clock.
 */
static bool is_coarse;
static u64 usual_width;	/* ticks; racing writers lose an update at most */

/* The kernel's watchdog may find that after we chose the clock. We cannot change it any more. */
static bool clock_is_unstable(void)
{
	return epitaph_clock_is_counter && !epitaph_arch_counter_is_good();
}

static u64 read_clocks_once(struct epitaph_anchor *a)
{
	u64 before, after;

	before = epitaph_clock();
	a->mono_ns = cpu_to_le64(ktime_get_mono_fast_ns());
	a->real_ns = cpu_to_le64(epitaph_real_ns());
	a->boot_ns = cpu_to_le64(ktime_get_boot_fast_ns());
	after = epitaph_clock();
	a->clock = cpu_to_le64(before + (after - before) / 2);
	a->width = cpu_to_le64(after - before);
	return after - before;
}

/*
 * A hypervisor that runs another CPU, an SMI or an NMI between the first clock and the last one
 * makes times worse by as much.  So a reading that took far longer than usual is made again, a few
 * times, and the shortest one stays.  What is usual doubles at most, so that a clock source that
 * became slower is usual soon.
 */
static void read_anchor_clocks(struct epitaph_anchor *a)
{
	u64 usual = READ_ONCE(usual_width), width, shortest;
	struct epitaph_anchor again = *a;
	unsigned long flags;
	u32 cpu;
	int i;

	local_irq_save(flags);
	cpu = smp_processor_id();
	shortest = read_clocks_once(a);
	for (i = 1; i < MAX_READINGS && (!usual || shortest > 2 * usual); i++) {
		width = read_clocks_once(&again);
		if (width < shortest) {
			shortest = width;
			*a = again;
		}
	}
	local_irq_restore(flags);
	a->flags = cpu_to_le32((cpu + 1) << EPITAPH_ANCHOR_CPU_SHIFT);
	WRITE_ONCE(usual_width, usual ? min(shortest, 2 * usual) : shortest);
}

static void seal_anchor(struct epitaph_anchor *to, struct epitaph_anchor *now)
{
	now->flags |= cpu_to_le32(clock_is_unstable() ? EPITAPH_ANCHOR_UNSTABLE : 0);
	now->check = cpu_to_le64(epitaph_check(epitaph_region.salt, now,
				 offsetof(struct epitaph_anchor, check)));
	*to = *now;
}

/*
 * A nested writer takes another number, and so another entry.  The check of an entry that
 * was half written when the CPU stopped is wrong, so a reader skips the entry.
 */
void epitaph_anchor_write(enum epitaph_anchor_reason reason)
{
	u64 seq = atomic64_inc_return(&last_seq) - 1;
	struct epitaph_anchor *a = anchors;
	struct epitaph_anchor now = {
		.seq = cpu_to_le64(seq),
		.reason = cpu_to_le32(reason),
	};

	if (epitaph_lost() || (is_coarse && seq))
		return;
	if (seq)
		a += 1 + (seq - 1) % (nr_anchors - nr_of_suspends - 1);
	read_anchor_clocks(&now);
	/* Ticks are lost, and the machine's clock, by which the kernel begins, has seconds. */
	if (is_coarse)
		now.width = cpu_to_le64(1000ULL * epitaph_clock_khz());
	seal_anchor(a, &now);
}

/* One CPU runs, with interrupts off. */
static void write_suspend(enum epitaph_anchor_reason reason)
{
	struct epitaph_anchor now = {
		.seq = cpu_to_le64(last_suspend_seq),
		.reason = cpu_to_le32(reason),
	};
	u64 i = nr_anchors - nr_of_suspends + last_suspend_seq++ % nr_of_suspends;

	if (epitaph_lost())
		return;
	read_anchor_clocks(&now);
	seal_anchor(&anchors[i], &now);
	if (reason == EPITAPH_ANCHOR_SUSPEND)
		suspended_at = le64_to_cpu(now.clock);
	else if (le64_to_cpu(now.clock) < suspended_at)
		pr_warn("the " EPITAPH_ARCH_COUNTER_NAME " began anew at resume: times of events before it are not right\n");
}

/*
 * The kernel's words for what it does: of suspend to RAM (and hibernation) those of syscore, of
 * suspend to idle those of its timekeeping.
 */
static void on_suspend_resume(void *unused, const char *action, int value, bool begins)
{
	if (begins ? !strcmp(action, "syscore_suspend") || !strcmp(action, "timekeeping_freeze") :
		     !strcmp(action, "syscore_resume") || !strcmp(action, "timekeeping_freeze"))
		write_suspend(begins ? EPITAPH_ANCHOR_SUSPEND : EPITAPH_ANCHOR_RESUME);
}

static void tick(struct timer_list *t)
{
	epitaph_anchor_write(EPITAPH_ANCHOR_PERIODIC);
	if (clock_is_unstable() && !is_unstable_said) {
		is_unstable_said = true;
		pr_warn("the kernel found the " EPITAPH_ARCH_COUNTER_NAME " unstable: times of different CPUs may differ; load the recorder again, and it takes a clock that is good\n");
	}
	mod_timer(t, jiffies + INTERVAL);
}

void epitaph_anchors_find(void)
{
	size_t size;

	anchors = epitaph_section(EPITAPH_SEC_CLOCK, &size);
	nr_anchors = size / sizeof(*anchors);
	nr_of_suspends = nr_anchors / 3;
	is_unstable_said = false;
	atomic64_set(&last_seq, 0);
	last_suspend_seq = 0;
	is_coarse = epitaph_is_early();
	epitaph_anchor_write(EPITAPH_ANCHOR_LOAD);
}

void epitaph_anchors_are_good(bool anew)
{
	is_coarse = false;
	if (anew)
		atomic64_set(&last_seq, 0);
	epitaph_anchor_write(anew ? EPITAPH_ANCHOR_LOAD : EPITAPH_ANCHOR_PERIODIC);
}

void epitaph_anchors_start(void)
{
	epitaph_anchors_find();
	timer_setup(&timer, tick, 0);
	mod_timer(&timer, jiffies + INTERVAL);
	sees_suspends = !register_trace_suspend_resume(on_suspend_resume, NULL);
	if (!sees_suspends)
		pr_info("suspends are not seen: times before one will not be right\n");
}

/* What the kernel that hibernated wrote behind its image: our numbers are older than that. */
static void erase_later_anchors(void)
{
	u32 i, of_suspends = nr_anchors - nr_of_suspends;

	for (i = 0; i < nr_anchors; i++) {
		u64 next = i < of_suspends ? atomic64_read(&last_seq) : last_suspend_seq;

		if (le64_to_cpu(anchors[i].seq) >= next)
			memset(&anchors[i], 0, sizeof(anchors[i]));
	}
}

void epitaph_anchors_pause(void)
{
	timer_delete_sync(&timer);
}

void epitaph_anchors_go_on(void)
{
	erase_later_anchors();
	tick(&timer);
}

void epitaph_anchors_stop(void)
{
	if (sees_suspends) {
		unregister_trace_suspend_resume(on_suspend_resume, NULL);
		tracepoint_synchronize_unregister();
	}
	timer_delete_sync(&timer);
}
