// SPDX-License-Identifier: GPL-2.0-only
/*
 * How far the clocks of the CPUs differ, measured against one of them: when the recorder is loaded,
 * when a CPU has come online, after a suspend, and once a minute.  docs/clocks.md says what it costs.
 *
 * A run takes some microseconds, with interrupts off, on two CPUs; NMIs go on, and make a run worse.
 * The limits are for CPUs that do not answer, and for virtual ones that do not run.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/suspend.h>
#include <linux/workqueue.h>
#include <epitaph/token.h>
#include "core/lost.h"
#include "recorder.h"

#define INTERVAL	(60 * HZ)
#define SOON		HZ	/* a CPU that did not answer is tried again, then after twice as long */
#define ANSWER_US	1000	/* for a CPU to come; interrupts are on */
#define RUN_US		100	/* interrupts are off */
#define NR_RUNS		3	/* good ones, for one measurement */
#define MAX_RUNS	10

/**
 * struct skew_of_cpu - what was written of one CPU
 * @nr: entries so far
 * @begun: what its clock began to differ by, @nr_kept entries ago: 1 or 2
 * @last: what was found last; of the reference 0, until it comes online again
 * @is_known: @last is of the clock that it has since it came online
 * @lacks: it did not answer
 * @token: passed on with it; one that it writes to late is not that of another CPU
 */
struct skew_of_cpu {
	u64 nr;
	struct epitaph_token_offset begun, last;
	u32 nr_kept;
	bool is_known;
	bool lacks;
	struct epitaph_token token;
};

/**
 * struct pair_run - a run with another CPU
 * @csd: calls it
 * @limit: ticks
 * @run: number of this run, and the other CPU above it, in one word
 * @came: the same of the last run that the other CPU came for
 */
static struct pair_run {
	call_single_data_t csd;
	u64 limit;
	u64 run;
	u64 came;
} pair;

static DEFINE_MUTEX(skew_lock);	/* of all here */
static struct epitaph_skew *entries;
static struct skew_of_cpu *cpus;
static u32 reference;
static enum cpuhp_state online_state;
static bool is_paused;
static unsigned long soon;	/* of the work: in how many jiffies it comes for CPUs that lack; 0: for all */

static void measure_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(periodic_work, measure_all);

static u64 ticks_of_us(u64 us)
{
	return us * epitaph_clock_khz() / 1000;
}

/*
 * On the other CPU, in its interrupt.  It may come when that run is over, and even when the next one
 * with another CPU has begun.
 */
static void answer(void *unused)
{
	/* call:B pairs with call:A */
	u64 run = smp_load_acquire(&pair.run);

	if (run >> 32 != raw_smp_processor_id())
		return;
	/* come:A */
	smp_store_release(&pair.came, run);
	epitaph_token_run(&cpus[raw_smp_processor_id()].token, run, 1, pair.limit);
}

static bool has_come(u64 run)
{
	u64 begun = epitaph_clock_ordered(), limit = ticks_of_us(ANSWER_US);

	/* come:B pairs with come:A */
	while (smp_load_acquire(&pair.came) != run) {
		if (epitaph_clock_ordered() - begun > limit)
			return false;
		cpu_relax();
	}
	return true;
}

/* How far the clock of @other is ahead of this CPU's.  Preemption is off. */
static bool run_with(unsigned int other, struct epitaph_token_offset *offset)
{
	struct epitaph_token *token = &cpus[other].token;
	u32 number = pair.run + 1;
	u64 run = (u64)other << 32 | number;
	unsigned long flags;

	epitaph_token_lay(token, number);
	/* call:A */
	smp_store_release(&pair.run, run);
	if (smp_call_function_single_async(other, &pair.csd) || !has_come(run))
		return false;
	local_irq_save(flags);
	epitaph_token_run(token, number, 0, pair.limit);
	local_irq_restore(flags);
	return epitaph_token_offset(token, number, offset);
}

/* A thread that is bound to a CPU may lose that: @here goes offline. */
static bool run_from(unsigned int here, unsigned int other, struct epitaph_token_offset *offset)
{
	bool good;

	good = get_cpu() == here && cpu_online(other) && run_with(other, offset);
	put_cpu();
	return good;
}

/* The narrowest of some runs.  The caller is bound to @here. */
static bool measure_from(unsigned int here, unsigned int other, struct epitaph_token_offset *offset)
{
	struct epitaph_token_offset run;
	unsigned int i, nr = 0;

	for (i = 0; i < MAX_RUNS && nr < NR_RUNS; i++) {
		if (!run_from(here, other, &run)) {
			usleep_range(100, 1000);
			continue;
		}
		/* A clock that goes another way within milliseconds: what was last counts. */
		if (!nr++ || !epitaph_token_narrow(offset, &run))
			*offset = run;
	}
	return nr;
}

static s64 middle(const struct epitaph_token_offset *offset)
{
	return offset->least + (s64)(((u64)offset->most - (u64)offset->least) / 2);
}

static u64 half_width(const struct epitaph_token_offset *offset)
{
	return ((u64)offset->most - (u64)offset->least + 1) / 2;
}

static bool do_overlap(const struct epitaph_token_offset *a, const struct epitaph_token_offset *b)
{
	return a->least <= b->most && b->least <= a->most;
}

/*
 * While a clock keeps its distance there are two entries: where that began, and the last one, which
 * is written over.  If the machine stops in between, its check is wrong and the first one is left.
 */
static void write_skew(unsigned int cpu, u64 clock, const struct epitaph_token_offset *found,
		       enum epitaph_skew_reason reason)
{
	struct skew_of_cpu *of = &cpus[cpu];
	struct epitaph_skew now = {
		.clock = cpu_to_le64(clock),
		.offset = cpu_to_le64(middle(found)), .bound = cpu_to_le64(half_width(found)),
		.cpu = cpu_to_le32(cpu), .reference = cpu_to_le32(reference),
		.reason = cpu_to_le32(reason), .nr_passes = cpu_to_le32(EPITAPH_TOKEN_PASSES),
	};

	if (of->nr && do_overlap(&of->begun, found)) {
		of->nr += of->nr_kept == 1;
		of->nr_kept = 2;
	} else {
		of->nr++;
		of->nr_kept = 1;
		of->begun = *found;
	}
	of->last = *found;
	of->is_known = true;
	now.seq = cpu_to_le64(of->nr);
	now.check = cpu_to_le64(epitaph_check(epitaph_region.salt, &now,
				offsetof(struct epitaph_skew, check)));
	entries[cpu * EPITAPH_SKEWS_OF_CPU + (of->nr - 1) % EPITAPH_SKEWS_OF_CPU] = now;
}

/* The reference, or while that is not there another one whose clock is known, but not @but. */
static unsigned int known_online_cpu(unsigned int but)
{
	unsigned int cpu;

	if (cpu_online(reference) && cpus[reference].is_known && reference != but)
		return reference;
	for_each_online_cpu(cpu)
		if (cpu != but && cpus[cpu].is_known)
			return cpu;
	return nr_cpu_ids;
}

/* @found was against @of. */
static void add_known(struct epitaph_token_offset *found, unsigned int of)
{
	found->least += cpus[of].last.least;
	found->most += cpus[of].last.most;
}

struct measuring {
	enum epitaph_skew_reason reason;
	bool only_lacking;
	bool all;
};

/* From this CPU, whose clock is known. */
static void measure_others(unsigned int here, struct measuring *m)
{
	struct epitaph_token_offset found;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (cpu == here || (m->only_lacking && !cpus[cpu].lacks))
			continue;
		cpus[cpu].lacks = !measure_from(here, cpu, &found);
		if (cpus[cpu].lacks) {
			m->all = false;
			continue;
		}
		add_known(&found, here);
		write_skew(cpu, epitaph_clock() - middle(&cpus[here].last), &found, m->reason);
	}
}

static long measure_here(void *arg)
{
	measure_others(raw_smp_processor_id(), arg);
	return 0;
}

/* On the CPU that all are measured against.  False: one did not answer. */
static bool measure(enum epitaph_skew_reason reason, bool only_lacking)
{
	struct measuring m = { .reason = reason, .only_lacking = only_lacking, .all = true };
	unsigned int from;

	cpus_read_lock();
	mutex_lock(&skew_lock);
	from = known_online_cpu(nr_cpu_ids);
	if (!is_paused && !epitaph_lost() && from < nr_cpu_ids)
		work_on_cpu(from, measure_here, &m);
	mutex_unlock(&skew_lock);
	cpus_read_unlock();
	return m.all;
}

static void measure_all(struct work_struct *work)
{
	bool all = measure(EPITAPH_SKEW_PERIODIC, soon);

	soon = all || 2 * soon > INTERVAL ? 0 : soon ? 2 * soon : SOON;
	queue_delayed_work(system_power_efficient_wq, &periodic_work, soon ? soon : INTERVAL);
}

/* All of them soon: one did not answer. */
static void measure_soon(void)
{
	mod_delayed_work(system_power_efficient_wq, &periodic_work, SOON);
}

/* Runs on @cpu, in a thread that is bound to it. */
static int on_cpu_online(unsigned int cpu)
{
	struct epitaph_token_offset found;
	unsigned int other;

	mutex_lock(&skew_lock);
	other = known_online_cpu(cpu);
	/* Nothing says what its clock did, and without it no other one would be measured again. */
	if (cpu == reference && other == nr_cpu_ids)
		cpus[cpu].is_known = true;
	if (is_paused || epitaph_lost() || other == nr_cpu_ids) {
		mutex_unlock(&skew_lock);
		return 0;
	}
	if (measure_from(cpu, other, &found)) {
		found = (struct epitaph_token_offset){ -found.most, -found.least };
		add_known(&found, other);
		write_skew(cpu, epitaph_clock() - middle(&found), &found, EPITAPH_SKEW_ONLINE);
	} else {
		measure_soon();
	}
	mutex_unlock(&skew_lock);
	return 0;
}

/* Its clock may be another one when it comes back. */
static int on_cpu_offline(unsigned int cpu)
{
	mutex_lock(&skew_lock);
	cpus[cpu].is_known = false;
	mutex_unlock(&skew_lock);
	return 0;
}

static int on_skew_pm(struct notifier_block *self, unsigned long event, void *unused)
{
	if (event == PM_POST_SUSPEND && !measure(EPITAPH_SKEW_RESUME, false))
		measure_soon();
	return NOTIFY_DONE;
}

static struct notifier_block pm_block = { .notifier_call = on_skew_pm };

void epitaph_skew_start(void)
{
	size_t size;
	int state;

	/* It differs between CPUs by up to a tick, at each moment by another time. */
	if (epitaph_clock_id() == EPITAPH_CLOCK_LOCAL)
		return;
	cpus = kcalloc(nr_cpu_ids, sizeof(*cpus), GFP_KERNEL);
	if (!cpus) {
		pr_warn("no memory to measure how far the clocks of the CPUs differ\n");
		return;
	}
	entries = epitaph_section(EPITAPH_SEC_SKEW, &size);
	pair.csd.func = answer;
	pair.limit = ticks_of_us(RUN_US);
	is_paused = false;
	soon = 0;
	reference = cpumask_first(cpu_online_mask);
	cpus[reference].is_known = true;
	/* Before the first measurement: no CPU comes online between the two. */
	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "epitaph:online", on_cpu_online,
					  on_cpu_offline);
	online_state = state > 0 ? state : CPUHP_INVALID;
	register_pm_notifier(&pm_block);
	queue_delayed_work(system_power_efficient_wq, &periodic_work,
			   measure(EPITAPH_SKEW_LOAD, false) ? INTERVAL : SOON);
}

void epitaph_skew_pause(bool pause)
{
	if (!cpus)
		return;
	mutex_lock(&skew_lock);
	is_paused = pause;
	mutex_unlock(&skew_lock);
	if (!pause && !measure(EPITAPH_SKEW_RESUME, false))
		measure_soon();
}

static void come(void *unused)
{
}

void epitaph_skew_stop(void)
{
	if (!cpus)
		return;
	unregister_pm_notifier(&pm_block);
	if (online_state != CPUHP_INVALID)
		cpuhp_remove_state_nocalls(online_state);
	cancel_delayed_work_sync(&periodic_work);
	/* An interrupt that comes late runs code of the module.  Now each has come, and then it is over. */
	on_each_cpu(come, NULL, 1);
	synchronize_rcu();
	kfree(cpus);
	cpus = NULL;
}
