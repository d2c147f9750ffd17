// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last branches of each CPU: read when it faults and when it dies, and stored when it dies.
 *
 * What is read goes into memory of the CPU's own first: the text with its names takes far longer than
 * the registers, and an oops may be survived.
 */
#include <linux/atomic.h>
#include <linux/cpuhotplug.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/sysfs.h>
#include "arch/branches.h"
#include "core/lost.h"
#include "branches.h"
#include "recorder.h"

#define OF_THE_OOPS_NS	(10 * 1000 * 1000)	/* from a fault to its oops, at most */
#define PRINTS_FOR_NS	(10ULL * 1000 * 1000 * 1000)	/* the kernel between the two, at most */

static bool branches;
module_param(branches, bool, 0444);
MODULE_PARM_DESC(branches, "have the CPUs keep their last branches, and store them when the kernel dies (default: no)");

/* What was read once. */
struct reading {
	const struct task_struct *task;
	u64 clock;
	u32 nr;
	u32 state;
	struct epitaph_branch branch[EPITAPH_NR_BRANCHES];
};

/**
 * struct cpu_branches - of a CPU
 * @is_on: it keeps them, for us
 * @is_busy: another one has its registers
 * @is_reading: @last is being written
 * @is_over: it keeps no more, for good
 * @is_saved: they are in the region
 * @last: read last
 * @of_oops: held
 * @oopses_soon: held in this task, whose oops_enter() is still to come
 */
struct cpu_branches {
	bool is_on;
	bool is_busy;
	bool is_reading;
	bool is_over;
	bool is_saved;
	struct reading last;
	struct reading of_oops;
	const struct task_struct *oopses_soon;
};

static u32 kind;
static const char *why_not = "not asked for: branches=1";
static struct cpu_branches __percpu *cpus;
static enum cpuhp_state hotplug;
static atomic_t nr_busy, nr_on;

static const char *kind_name(void)
{
	static const char *const names[] = {
		[EPITAPH_BRANCHES_INTEL] = "Intel LBR",
		[EPITAPH_BRANCHES_ARCH] = "Intel architectural LBR",
		[EPITAPH_BRANCHES_AMD] = "AMD LBR v2",
		[EPITAPH_BRANCHES_BRBE] = "Arm BRBE",
	};

	return kind < ARRAY_SIZE(names) && names[kind] ? names[kind] : "";
}

void epitaph_branches_find(void)
{
	if (branches)
		why_not = epitaph_arch_branches_find(&kind);
	if (branches && why_not)
		pr_info("no last branches: %s\n", why_not);
	epitaph_layout_want_branches(!why_not);
}

static void read_now(struct cpu_branches *mine, bool is_frozen)
{
	mine->last.task = NULL;
	barrier();
	mine->last.clock = epitaph_clock();
	mine->last.state = is_frozen ? EPITAPH_BRANCHES_READ : EPITAPH_BRANCHES_TAKEN;
	mine->last.nr = is_frozen ? epitaph_arch_branches_read(mine->last.branch) : 0;
	barrier();
	mine->last.task = current;
}

/* A fault within reading one, or an NMI, leaves it alone. */
static void take(void)
{
	struct cpu_branches *mine;
	int err;

	preempt_disable_notrace();
	mine = this_cpu_ptr(cpus);
	if (mine->is_on && !mine->is_over && !mine->is_reading) {
		WRITE_ONCE(mine->is_reading, true);
		barrier();
		err = epitaph_arch_branches_freeze();
		read_now(mine, !err);
		if (!err)
			epitaph_arch_branches_go_on();
		barrier();
		WRITE_ONCE(mine->is_reading, false);
	}
	preempt_enable_notrace();
}

void epitaph_branches_end(void)
{
	struct cpu_branches *mine;
	bool is_frozen;

	if (!READ_ONCE(cpus))
		return;
	preempt_disable_notrace();
	mine = this_cpu_ptr(cpus);
	if (mine->is_on && !mine->is_over) {
		/* Who was reading is what this interrupted, and never comes back; he may have frozen it. */
		is_frozen = !epitaph_arch_branches_freeze() || mine->is_reading;
		mine->is_over = true;
		read_now(mine, is_frozen);
	}
	preempt_enable_notrace();
}

static void hold_last(struct cpu_branches *mine)
{
	/* One that no hook saw, as a double fault: this is as early as it gets. */
	if (mine->last.task != current || epitaph_ns_since(mine->last.clock) > OF_THE_OOPS_NS)
		take();
	mine->of_oops = mine->last;
}

void epitaph_branches_hold(bool oopses)
{
	struct cpu_branches *mine;

	if (!READ_ONCE(cpus))
		return;
	preempt_disable_notrace();
	mine = this_cpu_ptr(cpus);
	if (!oopses || mine->oopses_soon != current ||
	    epitaph_ns_since(mine->of_oops.clock) > PRINTS_FOR_NS)
		hold_last(mine);
	mine->oopses_soon = oopses ? NULL : current;
	preempt_enable_notrace();
}

/* A line that does not fit whole is not there, nor is any behind it. */
static bool write_end_of_branch(struct epitaph_branches *to, size_t *used, u64 addr, bool is_users)
{
	size_t room = sizeof(to->text) - *used;
	int n;

	if (!addr && is_users)
		n = snprintf(to->text + *used, room, "(user)\n");
	else if (addr >> 63)
		n = snprintf(to->text + *used, room, "%pS\n", (void *)(unsigned long)addr);
	else
		n = snprintf(to->text + *used, room, "%#llx\n", addr);
	if (n >= room) {
		to->text[*used] = '\0';
		return false;
	}
	*used += n;
	return true;
}

static void write_names(struct epitaph_branches *to, const struct reading *from)
{
	size_t used = 0;
	u32 i;

	for (i = 0; i < from->nr; i++) {
		const struct epitaph_branch *branch = &from->branch[i];
		/* Else the kernel itself had gone to 0. */
		bool is_users = branch->flags & EPITAPH_BRANCH_USER;

		if (!write_end_of_branch(to, &used, le64_to_cpu(branch->from), is_users) ||
		    !write_end_of_branch(to, &used, le64_to_cpu(branch->to), is_users))
			return;
	}
}

/* In place: the check comes last, and until then there is nothing. */
static void write_branches(struct epitaph_branches *to, unsigned int cpu, const struct reading *from)
{
	to->clock = cpu_to_le64(from->clock);
	to->cpu = cpu_to_le32(cpu);
	to->nr = cpu_to_le32(from->nr);
	to->kind = cpu_to_le32(kind);
	to->state = cpu_to_le32(from->state);
	memcpy(to->branch, from->branch, from->nr * sizeof(to->branch[0]));
	write_names(to, from);
	/* All of it before the check that vouches for it. */
	smp_wmb();
	WRITE_ONCE(to->check, cpu_to_le64(epitaph_check(epitaph_region.salt, to,
				offsetof(struct epitaph_branches, check))));
}

void epitaph_branches_save(bool of_oops)
{
	unsigned int cpu = raw_smp_processor_id();
	struct epitaph_branches *entries;
	struct cpu_branches *mine;
	size_t size;

	if (!READ_ONCE(cpus) || epitaph_lost())
		return;
	entries = epitaph_section(EPITAPH_SEC_BRANCHES, &size);
	mine = per_cpu_ptr(cpus, cpu);
	if (!mine->is_on || mine->is_saved || cpu >= size / sizeof(*entries))
		return;
	mine->is_saved = true;
	epitaph_branches_end();
	write_branches(&entries[cpu], cpu,
		    of_oops && mine->of_oops.task == current ? &mine->of_oops : &mine->last);
}

static int keep_on_cpu(unsigned int cpu)
{
	struct cpu_branches *mine = per_cpu_ptr(cpus, cpu);
	int err = epitaph_arch_branches_on();

	mine->is_busy = err == -EBUSY;
	if (mine->is_busy)
		atomic_inc(&nr_busy);
	if (err)
		return 0;
	atomic_inc(&nr_on);
	WRITE_ONCE(mine->is_on, true);
	return 0;
}

static int leave_cpu(unsigned int cpu)
{
	struct cpu_branches *mine = per_cpu_ptr(cpus, cpu);

	if (mine->is_busy)
		atomic_dec(&nr_busy);
	mine->is_busy = false;
	if (!mine->is_on)
		return 0;
	WRITE_ONCE(mine->is_on, false);
	barrier();
	epitaph_arch_branches_off();
	atomic_dec(&nr_on);
	return 0;
}

void epitaph_branches_start(void)
{
	int state;

	if (why_not)
		return;
	cpus = alloc_percpu(struct cpu_branches);
	if (!cpus) {
		why_not = "no memory";
		return;
	}
	epitaph_arch_branches_watch(take);
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "epitaph/branches:online", keep_on_cpu, leave_cpu);
	if (state < 0) {
		why_not = "the kernel does not say which CPUs come";
		pr_warn("no last branches: %s (%d)\n", why_not, state);
		return;
	}
	hotplug = state;
	if (atomic_read(&nr_busy))
		pr_info("last branches: on %d CPUs another one has the registers, as perf; they are left alone\n",
			atomic_read(&nr_busy));
	if (atomic_read(&nr_on))
		pr_info("last branches: %s, on %d CPUs\n", kind_name(), atomic_read(&nr_on));
	else if (!atomic_read(&nr_busy))
		pr_info("no last branches: the CPUs say that they have %s, but do not hold what is written there\n",
			kind_name());
}

void epitaph_branches_stop(void)
{
	struct cpu_branches __percpu *were = cpus;

	if (!were)
		return;
	epitaph_arch_branches_unwatch();
	if (hotplug)
		cpuhp_remove_state(hotplug);
	/* Hooks on the way down are off by now. */
	WRITE_ONCE(cpus, NULL);
	free_percpu(were);
}

ssize_t epitaph_branches_say(char *buf)
{
	if (why_not)
		return sysfs_emit(buf, "none: %s\n", why_not);
	return sysfs_emit(buf, "%s, on %d CPUs, %d left to another one\n", kind_name(), atomic_read(&nr_on),
			  atomic_read(&nr_busy));
}
