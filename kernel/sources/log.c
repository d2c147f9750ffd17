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

/* A record has at most 1 KiB, and each of its lines gets a prefix. */
#define RECORD_MAX	2048

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

/* At least @least bytes, and whole lines. Returns how long the rest is. */
static size_t drop_oldest(char *text, size_t len, size_t least)
{
	char *end = memchr(text + least, '\n', len - least);
	size_t rest = end ? text + len - (end + 1) : 0;

	if (end)
		memmove(text, end + 1, rest);
	return rest;
}

/* Line by line: kmsg_dump_get_buffer() prints each twice, to know how much fits. */
static void take_newest_lines(struct epitaph_log *log, size_t room, u64 end)
{
	struct kmsg_dump_iter iter = EPITAPH_DUMP_ITER;
	char *text = (char *)(log + 1);
	size_t size, len = 0;
	bool is_cut = false;

	kmsg_dump_rewind(&iter);
	end = min_t(u64, iter.next_seq, end);
	while (iter.cur_seq < end) {
		if (len + RECORD_MAX > room) {
			len = drop_oldest(text, len, max_t(size_t, room / 16, RECORD_MAX));
			is_cut = true;
		}
		if (!kmsg_dump_get_line(&iter, true, text + len, room - len, &size) || iter.cur_seq > end)
			break;
		if (!len && iter.cur_seq > 1)
			is_cut = true;
		len += size;
	}
	log->size = cpu_to_le32(len);
	log->is_cut = cpu_to_le32(is_cut);
}

void epitaph_log_take(u64 end)
{
	struct epitaph_log *log;
	size_t room;

	if (is_taken || epitaph_lost())
		return;
	is_taken = true;
	log = epitaph_section(EPITAPH_SEC_LOG, &room);
	room -= sizeof(*log);
	take_newest_lines(log, room, end);
	read_log_clocks(log);
	vouch(log);
}
