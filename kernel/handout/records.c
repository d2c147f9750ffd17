// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pstore gives to keep.  docs/pstore.md says what is there when the CPU
 * stops in between.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <epitaph/generation.h>
#include <epitaph/layout.h>
#include <epitaph/records.h>
#include "core/lost.h"
#include "recorder.h"

static atomic64_t last_seq;

static struct epitaph_record *place_of(u64 seq)
{
	size_t size;
	u8 *places = epitaph_section(EPITAPH_SEC_RECORDS, &size);
	u64 n = size / EPITAPH_RECORD_SIZE;

	return (void *)(places + epitaph_first_and_last(seq, n) * EPITAPH_RECORD_SIZE);
}

static bool has_places(void)
{
	size_t size;

	epitaph_section(EPITAPH_SEC_RECORDS, &size);
	return size >= 2 * EPITAPH_RECORD_SIZE;
}

static u64 check_of(const struct epitaph_record *record, const void *bytes, size_t size)
{
	u64 seed = epitaph_check(epitaph_region.salt, record,
				 offsetof(struct epitaph_record, check));

	return epitaph_check(seed, bytes, size);
}

/* The old check goes first, the new one comes last. */
static void write_record(struct epitaph_record *to, struct epitaph_record *now,
			 const void *bytes, size_t size)
{
	WRITE_ONCE(to->check, 0);
	smp_wmb();
	memcpy(to + 1, bytes, size);
	memcpy(to, now, offsetof(struct epitaph_record, check));
	smp_wmb();
	WRITE_ONCE(to->check, cpu_to_le64(check_of(now, bytes, size)));
}

s64 epitaph_record_store(const struct epitaph_record *what, const void *bytes, size_t size)
{
	struct epitaph_record now = *what;
	u64 seq;

	if (size > EPITAPH_RECORD_ROOM)
		return -E2BIG;
	if (epitaph_lost())
		return -EIO;
	if (!has_places())
		return -ENOSPC;
	seq = atomic64_inc_return(&last_seq);
	now.seq = cpu_to_le64(seq);
	now.real_ns = cpu_to_le64(ktime_get_real_fast_ns());
	now.size = cpu_to_le32(size);
	write_record(place_of(seq), &now, bytes, size);
	return seq;
}
EXPORT_SYMBOL_GPL(epitaph_record_store);
