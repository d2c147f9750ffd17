// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_records.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "mce/decode.h"
#include "mce_from_log.h"

#define SOURCE(s)	(1U << (s))
#define DYING		(SOURCE(EPITAPH_MCE_PRINTED) | SOURCE(EPITAPH_MCE_CRASH))

int mces_add(struct mces *mces, const struct mce *mce, struct err *err)
{
	struct mce *list;

	if (mces->nr >= MCES_MAX)
		return 0;
	if (!(mces->nr & (mces->nr - 1))) {
		list = realloc(mces->list, (mces->nr ? 2 * mces->nr : 1) * sizeof(*list));
		if (!list)
			return err_sys(err, "memory for %u machine checks", mces->nr);
		mces->list = list;
	}
	mces->list[mces->nr++] = *mce;
	return 0;
}

void mces_free(struct mces *mces)
{
	free(mces->list);
	memset(mces, 0, sizeof(*mces));
}

static struct mce mce_from_raw(const struct epitaph_mce *raw, const struct clock *clock)
{
	u32 source = le32toh(raw->source);
	struct mce mce = {
		.seq = le64toh(raw->seq), .real_ns = le64toh(raw->real_ns),
		.mono_ns = clock_mono(clock, clock_on_reference(clock, le32toh(raw->recorded_by), le64toh(raw->clock))),
		.status = le64toh(raw->status), .addr = le64toh(raw->addr),
		.misc = le64toh(raw->misc), .synd = le64toh(raw->synd),
		.ipid = le64toh(raw->ipid), .mcgstatus = le64toh(raw->mcgstatus),
		.mcgcap = le64toh(raw->mcgcap), .tsc = le64toh(raw->tsc),
		.time = le64toh(raw->time), .ip = le64toh(raw->ip),
		.ppin = le64toh(raw->ppin), .synd1 = le64toh(raw->synd1),
		.synd2 = le64toh(raw->synd2),
		.sources = SOURCE(source <= EPITAPH_MCE_LOAD ? source : MCE_UNKNOWN_SOURCE),
		.recorded_by = le32toh(raw->recorded_by), .cpu = le32toh(raw->cpu),
		.bank = le32toh(raw->bank), .cpuid = le32toh(raw->cpuid),
		.apicid = le32toh(raw->apicid), .socket = le32toh(raw->socket),
		.microcode = le32toh(raw->microcode), .kflags = le32toh(raw->kflags),
		.pid = raw->comm[0] ? le32toh(raw->pid) : -1LL,
		.cs = raw->cs, .vendor = raw->vendor,
		.inject_flags = raw->inject_flags, .severity = raw->severity,
	};

	memcpy(mce.comm, raw->comm, sizeof(raw->comm));
	return mce;
}

/* The entry of number @seq in a section of @n, half of which keeps the first, half the last. */
static u64 mce_entry_index(u64 seq, u64 n)
{
	u64 half = n / 2;

	return seq <= half ? seq - 1 : half + (seq - 1 - half) % (n - half);
}

static int take_mce_record(struct mces *mces, struct generation *generation,
			   const struct section *sec, u64 i, u64 n, const struct clock *clock,
			   struct err *err)
{
	struct epitaph_mce raw;
	struct mce mce;
	int good = section_entry(generation, sec, i, &raw, sizeof(raw));

	if (good == 0)
		return 0;
	if (good == -2) {
		damage_notes_add(&generation->notes, sec->off + i * sec->unit,
				 "the entry %llu of machine checks is not in the file", i);
		mces->unreadable++;
		return 0;
	}
	/* A zero check: the CPU stopped while it wrote the entry. */
	if (good == -1 && !raw.check) {
		mces->unfinished++;
		return 0;
	}
	mce = mce_from_raw(&raw, clock);
	if (good == -1 || !mce.seq || mce_entry_index(mce.seq, n) != i) {
		damage_notes_add(&generation->notes, sec->off + i * sec->unit,
				 good == -1 ? "the entry %llu of machine checks is damaged" :
				       "the entry %llu of machine checks is not where its number belongs",
				 i);
		mces->unreadable++;
		return 0;
	}
	if (mce.seq > mces->recorded)
		mces->recorded = mce.seq;
	return mces_add(mces, &mce, err);
}

/*
 * Counts missing numbers. Each CPU may have been writing one entry when it stopped; every other
 * missing entry is lost.
 */
static void count_absent(struct mces *mces, struct generation *generation, u64 n)
{
	u64 there = mces->recorded;

	mces->after = n / 2;
	if (mces->recorded > n) {
		mces->evicted = mces->recorded - n;
		there = n;
	}
	mces->absent = there > mces->nr ? there - mces->nr : 0;
	if (mces->absent > generation->hdr.nr_cpus)
		damage_notes_add(&generation->notes, NOTE_NOWHERE,
				 "%llu of %llu machine checks are lost", mces->absent, there);
}

int mces_read(struct mces *mces, struct generation *generation, const struct clock *clock,
	      const struct klog *klog, struct err *err)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_MCE);
	u64 n = section_entries(sec, sizeof(struct epitaph_mce));
	u64 i;
	int ret = 0;

	mces->there = sec != NULL;
	if (n > MCES_MAX)
		damage_notes_add(&generation->notes, sec->off,
				 "there is room for %llu machine checks; only %u are read", n,
				 MCES_MAX);
	for (i = 0; i < n && n >= 2 && i < MCES_MAX && !ret; i++)
		ret = take_mce_record(mces, generation, sec, i, n, clock, err);
	if (!ret && n)
		count_absent(mces, generation, n);
	if (!ret)
		ret = mce_log_take(mces, klog, clock, err);
	if (!ret)
		mces_join(mces);
	return ret;
}

static int compare_mce_time(const void *a, const void *b)
{
	const struct mce *x = a, *y = b;

	if (x->mono_ns != y->mono_ns)
		return x->mono_ns < y->mono_ns ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* The kernel clears the low bits of the address that are invalid; a register has them. */
static bool same_address(const struct mce *a, const struct mce *b)
{
	u32 lsb = mce_addr_lsb(a) > mce_addr_lsb(b) ? mce_addr_lsb(a) : mce_addr_lsb(b);

	if (!(a->status & STATUS_ADDRV))
		return true;
	return !((mce_addr_bits(a) ^ mce_addr_bits(b)) >> lsb);
}

static bool same_registers(const struct mce *a, const struct mce *b)
{
	return a->vendor == b->vendor && a->bank == b->bank && a->status == b->status &&
	       same_address(a, b) &&
	       (!(a->status & STATUS_MISCV) || a->misc == b->misc);
}

/*
 * Do @a and the later @b report the same error? The kernel clears a bank after its report, so
 * that the bank then holds a new error. An error in a bank at the start of the recording stays
 * there until its report. Two reports from one source are two errors.
 */
static bool same_error(const struct mce *a, const struct mce *b)
{
	u32 sources = a->sources | b->sources;

	if (a->cpu != b->cpu || (a->sources & b->sources) || !same_registers(a, b) ||
	    sources & SOURCE(MCE_UNKNOWN_SOURCE))
		return false;
	/* Both are the same struct mce, which the kernel printed once. */
	if (sources & SOURCE(MCE_KERNEL_LOG))
		return (sources & SOURCE(EPITAPH_MCE_PRINTED)) && a->tsc == b->tsc && a->time == b->time;
	if (a->sources & SOURCE(EPITAPH_MCE_LOGGED))
		return (b->sources & SOURCE(EPITAPH_MCE_PRINTED)) && a->tsc == b->tsc &&
		       a->time == b->time;
	if (a->tsc && b->tsc && a->tsc != b->tsc)
		return false;
	if (a->sources & SOURCE(EPITAPH_MCE_LOAD))
		return true;
	if (b->sources & SOURCE(EPITAPH_MCE_LOGGED))
		return a->tsc == b->tsc && a->time == b->time;
	return (a->sources & DYING) && (b->sources & DYING);
}

#define FILL(field)	(a->field = a->field ? a->field : b->field)

/* The record of the kernel has more fields than a register. */
static void merge_mce(struct mce *a, const struct mce *b)
{
	a->sources |= b->sources;
	/* One of the two has all bits; the other has zeroes for invalid bits. */
	a->addr |= b->addr;
	FILL(misc), FILL(synd), FILL(ipid), FILL(mcgstatus), FILL(mcgcap);
	FILL(tsc), FILL(time), FILL(ip), FILL(ppin), FILL(synd1), FILL(synd2);
	FILL(cpuid), FILL(apicid), FILL(socket), FILL(microcode), FILL(cs);
	FILL(inject_flags), FILL(severity), FILL(kflags), FILL(seq);
}

/* Do two CPUs report one register of a shared bank? Then all their registers are the same. */
static bool is_shared(const struct mce *a, const struct mce *b)
{
	return a->cpu != b->cpu && b->sources == SOURCE(EPITAPH_MCE_CRASH) &&
	       (a->sources & DYING) && a->socket == b->socket && same_registers(a, b);
}

/* Reports of one error are at most this many entries apart: a machine has few banks. */
#define LOOK_BACK	4096

static void join_same_errors(struct mces *mces)
{
	u32 i, k, n = 0;

	for (i = 1; i < mces->nr; i++)
		for (k = i > LOOK_BACK ? i - LOOK_BACK : 0; k < i; k++) {
			struct mce *a = &mces->list[k], *b = &mces->list[i];

			if (!a->sources || !same_error(a, b))
				continue;
			/* The log's clock may be a little behind, and the log does not say who recorded it. */
			if (a->sources == SOURCE(MCE_KERNEL_LOG)) {
				struct mce log = *a;

				*a = *b;
				*b = log;
			}
			merge_mce(a, b);
			b->sources = 0;
			break;
		}
	for (i = 0; i < mces->nr; i++)
		if (mces->list[i].sources)
			mces->list[n++] = mces->list[i];
	mces->nr = n;
}

static void chain_shared_errors(struct mces *mces)
{
	u32 i, k, last;

	for (i = 1; i < mces->nr; i++)
		for (k = i > LOOK_BACK ? i - LOOK_BACK : 0; k < i; k++) {
			if (mces->list[k].is_same ||
			    !is_shared(&mces->list[k], &mces->list[i]))
				continue;
			for (last = k; mces->list[last].same; )
				last = mces->list[last].same;
			mces->list[last].same = i;
			mces->list[i].is_same = true;
			break;
		}
}

void mces_join(struct mces *mces)
{
	if (!mces->nr)
		return;
	qsort(mces->list, mces->nr, sizeof(*mces->list), compare_mce_time);
	join_same_errors(mces);
	/* One that took the place of the log's is a little later than that. */
	qsort(mces->list, mces->nr, sizeof(*mces->list), compare_mce_time);
	chain_shared_errors(mces);
}

u32 mces_count(const struct mces *mces)
{
	u32 i, n = 0;

	for (i = 0; i < mces->nr; i++)
		n += !mces->list[i].is_same;
	return n;
}

int mces_place(const struct mces *mces, struct aux_events *extras, struct err *err)
{
	u64 lost = mces->evicted;
	int ret = 0;
	u32 i;

	for (i = 0; i < mces->nr && !ret; i++) {
		const struct mce *mce = &mces->list[i];
		bool behind = lost && mce->seq > mces->after;

		if (mce->is_same)
			continue;
		ret = aux_events_add(extras, &(struct aux_event){
			.kind = AUX_EVENT_MCE, .name = "epitaph:machine_check",
			.cpu = mce->recorded_by, .pid = mce->pid,
			.comm = mce->pid < 0 ? NULL : mce->comm, .time = mce->mono_ns,
			.nr_lost = behind ? lost : 0, .data = mce,
		}, err);
		lost = behind ? 0 : lost;
	}
	return ret;
}
