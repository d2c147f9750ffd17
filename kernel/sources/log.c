// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel had logged before it was recorded, taken from its own log.
 *
 * The times in it are of local_clock(), which trace_clock() is for modules.  One
 * pair of that and CLOCK_MONOTONIC, read at the same instant, converts all of
 * them.  The two drift apart by what NTP corrects: at most 500 ns for each ms
 * between the line and the load.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kmsg_dump.h>
#include <linux/ktime.h>
#include <linux/trace_clock.h>
#include "compat.h"
#include "log.h"
#include "core/lost.h"
#include "recorder.h"

static bool is_taken;
static u64 taken_at;	/* by our clock */

void epitaph_log_start(void)
{
	is_taken = false;
}

static void read_log_clocks(struct epitaph_log *log)
{
	unsigned long flags;
	u64 before, after, mono;

	local_irq_save(flags);
	taken_at = epitaph_clock();
	before = trace_clock();
	mono = ktime_get_mono_fast_ns();
	after = trace_clock();
	local_irq_restore(flags);
	log->log_ns = cpu_to_le64(before + (after - before) / 2);
	log->mono_ns = cpu_to_le64(mono);
}

/* The check last: half a log is none. */
static void vouch(struct epitaph_log *log)
{
	u64 check = epitaph_check(epitaph_region.salt, log, offsetof(struct epitaph_log, check));

	check = epitaph_check(check, log + 1, le32_to_cpu(log->size));
	smp_wmb();
	WRITE_ONCE(log->check, cpu_to_le64(check));
}

/* Half of it is none for a moment. */
void epitaph_log_relate(void)
{
	size_t room;
	struct epitaph_log *log = epitaph_section(EPITAPH_SEC_LOG, &room);
	u64 ns;

	if (!is_taken || epitaph_lost())
		return;
	ns = epitaph_ns_since(taken_at);
	WRITE_ONCE(log->check, 0);
	smp_wmb();
	log->mono_ns = cpu_to_le64(ktime_get_mono_fast_ns() - ns);
	vouch(log);
}

void epitaph_log_take(u64 end)
{
	struct kmsg_dump_iter iter = EPITAPH_DUMP_ITER;
	struct epitaph_log *log;
	size_t room, len = 0;

	if (is_taken || epitaph_lost())
		return;
	is_taken = true;
	log = epitaph_section(EPITAPH_SEC_LOG, &room);
	kmsg_dump_rewind(&iter);
	iter.next_seq = min_t(u64, iter.next_seq, end);
	kmsg_dump_get_buffer(&iter, true, (char *)(log + 1), room - sizeof(*log), &len);
	log->size = cpu_to_le32(len);
	/* It begins with what the iterator says is next, going backwards. */
	log->is_cut = cpu_to_le32(iter.next_seq > 0);
	read_log_clocks(log);
	vouch(log);
}
