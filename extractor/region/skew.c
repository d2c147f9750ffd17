// SPDX-License-Identifier: GPL-2.0-or-later
#include "skew.h"

#include <endian.h>
#include <stdlib.h>

#define SKEW_MAX_ENTRIES	(1U << 19)

/* More is damage, and sums of some of it fit. */
#define SKEW_MAX_TICKS	(1ULL << 61)

typedef __int128 s128;

static u64 distance(s64 offset)
{
	return offset < 0 ? -(u64)offset : (u64)offset;
}

static bool is_possible(const struct skew_entry *e, const struct generation *generation)
{
	return e->seq && e->cpu < generation->hdr.nr_cpus && distance(e->offset) <= SKEW_MAX_TICKS &&
	       e->bound <= SKEW_MAX_TICKS && e->clock <= SKEW_MAX_TICKS &&
	       (e->offset >= 0 || e->clock >= distance(e->offset));
}

static void take_skew_entry(struct skew *skew, struct generation *generation,
			    const struct section *sec, u64 i)
{
	struct skew_entry *e = &skew->entries[skew->nr];
	struct epitaph_skew raw;
	int good = section_entry(generation, sec, i, &raw, sizeof(raw));

	if (good != 1 && good != -1)
		return;
	*e = (struct skew_entry){
		.cpu = le32toh(raw.cpu), .reason = le32toh(raw.reason), .seq = le64toh(raw.seq),
		.clock = le64toh(raw.clock), .offset = le64toh(raw.offset), .bound = le64toh(raw.bound),
	};
	e->at = e->clock + e->offset;
	if (good == 1 && is_possible(e, generation)) {
		skew->reference = le32toh(raw.reference);
		if (distance(e->offset) + e->bound > skew->most)
			skew->most = distance(e->offset) + e->bound;
		skew->nr++;
	} else {
		damage_notes_add(&generation->notes, sec->off + i * sec->unit,
				 "measurement %llu of the CPUs' clocks is damaged", i);
	}
}

static int compare_skew_entry(const void *a, const void *b)
{
	const struct skew_entry *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Leaves each number once, and of a CPU's clock that began anew what came then. */
static void index_cpus(struct skew *skew)
{
	u32 i;

	for (i = 0; i < skew->nr; i++) {
		const struct skew_entry *e = &skew->entries[i], *last;
		struct skew_of_cpu *cpu = &skew->cpus[e->cpu];

		if (!cpu->nr) {
			*cpu = (struct skew_of_cpu){ .first = i, .nr = 1, .lost_older = e->seq > 1 };
			continue;
		}
		last = e - 1;
		/* Of both clocks: the corrected times never go back. */
		if (e->at > last->at && e->clock > last->clock) {
			cpu->nr++;
			continue;
		}
		*cpu = (struct skew_of_cpu){ .first = i, .nr = 1, .lost_older = true, .began_anew = true };
	}
}

int skew_read(struct skew **ret, struct generation *generation, u64 unknown, struct err *err)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_SKEW);
	u64 n = section_entries(sec, sizeof(struct epitaph_skew)), i;
	struct skew *skew;

	*ret = NULL;
	if (!n)
		return 0;
	if (n > SKEW_MAX_ENTRIES)
		n = SKEW_MAX_ENTRIES;
	skew = calloc(1, sizeof(*skew));
	if (skew)
		skew->entries = calloc(n, sizeof(*skew->entries));
	if (!skew || !skew->entries) {
		free(skew);
		return err_sys(err, "memory for %llu measurements of clocks", n);
	}
	skew->unknown = unknown;
	skew->reference = NO_CPU;
	for (i = 0; i < n; i++)
		take_skew_entry(skew, generation, sec, i);
	*ret = skew;
	if (!skew->nr)
		return 0;
	qsort(skew->entries, skew->nr, sizeof(*skew->entries), compare_skew_entry);
	/* An entry has a CPU below that of the header, and there are not more of them than CPUs. */
	skew->nr_cpus = skew->entries[skew->nr - 1].cpu + 1;
	skew->cpus = skew->nr_cpus <= SKEW_MAX_ENTRIES ? calloc(skew->nr_cpus, sizeof(*skew->cpus)) : NULL;
	if (!skew->cpus) {
		n = skew->nr_cpus;
		*ret = NULL;
		skew_free(skew);
		return err_sys(err, "memory for the clocks of %llu CPUs", n);
	}
	index_cpus(skew);
	return 0;
}

void skew_free(struct skew *skew)
{
	if (!skew)
		return;
	free(skew->entries);
	free(skew->cpus);
	free(skew);
}

static const struct skew_of_cpu *skew_cpu(const struct skew *skew, u32 cpu)
{
	return skew && cpu < skew->nr_cpus && skew->cpus[cpu].nr ? &skew->cpus[cpu] : NULL;
}

/* Of the CPU, the last entry at or before @value of its clock; NULL: all are later. */
static const struct skew_entry *entry_before(const struct skew *skew, const struct skew_of_cpu *of, u64 value)
{
	const struct skew_entry *e = skew->entries + of->first;
	u32 lo = 0, hi = of->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (e[mid].at <= value)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &e[lo - 1] : NULL;
}

static bool is_last(const struct skew *skew, const struct skew_of_cpu *of, const struct skew_entry *e)
{
	return e == skew->entries + of->first + of->nr - 1;
}

u64 skew_correct(const struct skew *skew, u32 cpu, u64 value)
{
	const struct skew_of_cpu *of = skew_cpu(skew, cpu);
	const struct skew_entry *e;
	s128 offset, time;

	if (!of)
		return value;
	e = entry_before(skew, of, value);
	offset = e ? e->offset : skew->entries[of->first].offset;
	if (e && !is_last(skew, of, e))
		offset += ((s128)e[1].offset - e->offset) * (value - e->at) / (e[1].at - e->at);
	time = (s128)value - offset;
	return time < 0 ? 0 : time > (s128)~0ULL ? ~0ULL : (u64)time;
}

/* What @b adds to the bound, because the clock went away since @a. */
static u64 gone_since(const struct skew_entry *a, const struct skew_entry *b)
{
	u64 gone = distance(b->offset - a->offset);

	return gone > a->bound + b->bound ? gone : 0;
}

static u64 wider_bound(const struct skew_entry *a, const struct skew_entry *b)
{
	return a->bound > b->bound ? a->bound : b->bound;
}

/* Before the first entry. The reference had none before it went offline, and differed by nothing. */
static u64 first_bound(const struct skew *skew, const struct skew_entry *first)
{
	return first->bound + (first->cpu == skew->reference ? distance(first->offset) : 0);
}

bool skew_is_measured(const struct skew *skew, u32 cpu)
{
	return !skew || cpu == skew->reference || skew_cpu(skew, cpu);
}

u64 skew_bound(const struct skew *skew, u32 cpu, u64 value)
{
	const struct skew_of_cpu *of = skew_cpu(skew, cpu);
	const struct skew_entry *e;
	u64 bound;

	if (!of && cpu == NO_CPU)
		return skew_most(skew);
	if (!of)
		return skew_is_measured(skew, cpu) ? 0 : skew->unknown;
	e = entry_before(skew, of, value);
	if (!e)
		bound = of->lost_older ? skew->unknown : first_bound(skew, &skew->entries[of->first]);
	else if (!is_last(skew, of, e))
		bound = wider_bound(e, e + 1) + gone_since(e, e + 1);
	else if (of->nr > 1 && e->reason == EPITAPH_SKEW_PERIODIC)
		bound = e->bound + gone_since(e - 1, e);
	else
		bound = e->bound;
	return of->began_anew && bound < skew->unknown ? skew->unknown : bound;
}

u64 skew_bound_now(const struct skew *skew)
{
	u64 most = 0;
	u32 cpu;

	for (cpu = 0; skew && cpu < skew->nr_cpus; cpu++) {
		u64 bound = skew->cpus[cpu].nr ? skew_bound(skew, cpu, ~0ULL) : 0;

		if (bound > most)
			most = bound;
	}
	return most;
}

u64 skew_on_cpu(const struct skew *skew, u32 cpu, u64 time)
{
	u64 most = skew_most(skew), lo, hi;

	if (!skew_cpu(skew, cpu))
		return time;
	lo = time > most ? time - most : 0;
	hi = time > ~0ULL - most ? ~0ULL : time + most;
	while (lo < hi) {
		u64 mid = hi - (hi - lo) / 2;

		if (skew_correct(skew, cpu, mid) <= time)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

const struct skew_entry *skew_found(const struct skew *skew, u32 cpu)
{
	const struct skew_of_cpu *of = skew_cpu(skew, cpu);
	u32 i;

	for (i = of ? of->nr : 0; i > 0; i--) {
		const struct skew_entry *e = &skew->entries[of->first + i - 1];

		if (distance(e->offset) > e->bound)
			return e;
	}
	return NULL;
}
