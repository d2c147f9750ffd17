// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machine checks as they come, and where they go.
 *
 * One that is survived reaches the kernel's decode chain, in a task.  One that
 * is not never does: the kernel panics first.  Before that it prints what it
 * knows, and the printing function is hooked.  What it does not know are the
 * banks of other CPUs, so each CPU reads its own on the way down (crash.c).
 *
 * Writers are many and anywhere: each takes a number, and with it an entry.  An
 * entry whose writer was stopped has a check of 0.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/mce.h>
#include <epitaph/generation.h>
#include "arch/arch.h"
#include "core/lost.h"
#include "events/hook.h"
#include "compat.h"
#include "mce.h"
#include "recorder.h"

static struct epitaph_mce *entries;
static u64 nr_entries;
static atomic64_t last_seq;
static atomic64_t found[EPITAPH_MCE_LOAD + 1];	/* in registers, by source */

static void fill_recorder(struct epitaph_mce *now, u64 seq)
{
	now->seq = cpu_to_le64(seq);
	now->clock = cpu_to_le64(epitaph_clock());
	now->real_ns = cpu_to_le64(ktime_get_real_fast_ns());
	now->recorded_by = cpu_to_le32(raw_smp_processor_id());
	now->pid = cpu_to_le32(current->pid);
	memcpy(now->comm, current->comm, sizeof(now->comm));
}

static void put_mce(struct epitaph_mce *entry, const struct epitaph_mce *now)
{
	size_t size = offsetof(struct epitaph_mce, check);

	WRITE_ONCE(entry->check, 0);
	/* What was here is gone before anything else comes. */
	smp_wmb();
	memcpy(entry, now, size);
	/* All of it before the check that vouches for it. */
	smp_wmb();
	WRITE_ONCE(entry->check, cpu_to_le64(epitaph_check(epitaph_region.salt, now, size)));
}

static void record_mce(struct epitaph_mce *now)
{
	u64 seq = atomic64_inc_return(&last_seq);

	fill_recorder(now, seq);
	/* No image of a hibernation is made behind the question, and who loses a device waits for us. */
	preempt_disable_notrace();
	if (!epitaph_lost())
		put_mce(&entries[epitaph_first_and_last(seq, nr_entries)], now);
	preempt_enable_notrace();
}

static void record_kernels(enum epitaph_mce_source source, struct mce *m)
{
	struct epitaph_mce now = {
		.source = cpu_to_le32(source),
		.cpu = cpu_to_le32(m->extcpu),
		.bank = cpu_to_le32(m->bank),
		.status = cpu_to_le64(m->status),
		.addr = cpu_to_le64(m->addr),
		.misc = cpu_to_le64(m->misc),
		.synd = cpu_to_le64(m->synd),
		.ipid = cpu_to_le64(m->ipid),
		.mcgstatus = cpu_to_le64(m->mcgstatus),
		.mcgcap = cpu_to_le64(m->mcgcap),
		.tsc = cpu_to_le64(m->tsc),
		.time = cpu_to_le64(m->time),
		.ip = cpu_to_le64(m->ip),
		.ppin = cpu_to_le64(m->ppin),
		.synd1 = cpu_to_le64(epitaph_mce_synd(m, 1)),
		.synd2 = cpu_to_le64(epitaph_mce_synd(m, 2)),
		.cpuid = cpu_to_le32(m->cpuid),
		.apicid = cpu_to_le32(m->apicid),
		.socket = cpu_to_le32(m->socketid),
		.microcode = cpu_to_le32(m->microcode),
		.cs = m->cs,
		.vendor = m->cpuvendor,
		.inject_flags = m->inject_flags,
		.severity = m->severity,
		.kflags = cpu_to_le32(m->kflags),
	};

	record_mce(&now);
}

static int on_logged(struct notifier_block *self, unsigned long event, void *data)
{
	if (data)
		record_kernels(EPITAPH_MCE_LOGGED, data);
	return NOTIFY_DONE;
}

/* Runs before every notifier that may mark the error as handled. */
static struct notifier_block logged_block = {
	.notifier_call = on_logged,
	.priority = MCE_PRIO_HIGHEST,
};

/*
 * The kernel calls __print_mce() while it dies, with interrupts off.  It also calls it in a
 * task, for an error that no notifier of the decode chain handled: that one is recorded
 * already.
 */
static void on_print(struct pt_regs *regs)
{
	struct mce *m = (struct mce *)epitaph_arch_argument(regs, 0);

	if (m && irqs_disabled())
		record_kernels(EPITAPH_MCE_PRINTED, m);
}

static struct epitaph_hook print_hook = {
	.function = "__print_mce",
	.reached = on_print,
};

static bool is_same(const struct epitaph_mce *a, const struct epitaph_mce *b)
{
	return a->source == b->source && a->socket == b->socket && a->bank == b->bank &&
	       a->status == b->status && a->addr == b->addr && a->misc == b->misc;
}

static bool is_recorded(const struct epitaph_mce *now)
{
	u64 i;

	for (i = 0; i < nr_entries; i++)
		if (is_same(&entries[i], now))
			return true;
	return false;
}

/*
 * A bank that a socket's CPUs share is found by each of them.  When that has
 * taken a quarter of the room, only what is new may take more.
 */
static void record_register(struct epitaph_mce *now, enum epitaph_mce_source source)
{
	now->source = cpu_to_le32(source);
	if (atomic64_inc_return(&found[source]) <= nr_entries / 4 || !is_recorded(now))
		record_mce(now);
}

void epitaph_mce_read(enum epitaph_mce_source source)
{
	static DECLARE_BITMAP(crashed, NR_CPUS);
	u32 bank, banks;

	if (source == EPITAPH_MCE_CRASH && test_and_set_bit(raw_smp_processor_id(), crashed))
		return;
	banks = epitaph_mce_banks();
	for (bank = 0; bank < banks; bank++) {
		struct epitaph_mce now = { };

		if (epitaph_mce_bank(&now, bank))
			record_register(&now, source);
	}
}

static void read_at_load(void *unused)
{
	epitaph_mce_read(EPITAPH_MCE_LOAD);
}

static void find_section(void)
{
	size_t size;

	entries = epitaph_section(EPITAPH_SEC_MCE, &size);
	nr_entries = size / sizeof(*entries);
}

void epitaph_mce_start(void)
{
	u64 nr;
	int err;

	find_section();
	mce_register_decode_chain(&logged_block);
	err = epitaph_hook_set(&print_hook);
	if (err)
		pr_info("no hook on %s (%d): of a machine check that the kernel dies of, only the registers remain\n",
			print_hook.function, err);
	on_each_cpu(read_at_load, NULL, 1);
	nr = atomic64_read(&found[EPITAPH_MCE_LOAD]);
	if (nr)
		pr_warn("%llu machine checks were in the CPUs' registers when recording began\n",
			nr);
}

void epitaph_mce_stop(void)
{
	epitaph_hook_clear(&print_hook);
	mce_unregister_decode_chain(&logged_block);
}
