// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include <epitaph/ring_fast.h>

#include "ring_rig.h"

struct rig rig = { .every = 1, .rng = 88172645463325252ULL };

struct rig_label rig_labels[] = {
	{ .name = "reserve:A" }, { .name = "reserve:C" },
	{ .name = "reserve:D" }, { .name = "reserve:E" },
	{ .name = "reserve:F" }, { .name = "payload" },
	{ .name = "commit:A" }, { .name = "commit:B" },
	{ .name = "commit:C" }, { .name = "commit:D" },
	{ .name = "switch:claim" }, { .name = "switch:A" },
	{ .name = "switch:zeroed" }, { .name = "switch:filled" },
	{ .name = "switch:B" }, { .name = "switch:C" },
	{ .name = "switch:D" }, { .name = "switch:E" },
	{ .name = "switch:F" },
	{ .name = "end:A" }, { .name = "end:read" }, { .name = "end:B" },
	{ .name = "count:A" }, { .name = "count:B" },
};

const u32 rig_nr_labels = sizeof(rig_labels) / sizeof(*rig_labels);

static const struct rig_kind *const random_kinds[] = {
	&(struct rig_kind){ "empty", EPITAPH_ID_FIRST, 0, true, 0 },
	&(struct rig_kind){ "u32", EPITAPH_ID_FIRST + 1, 4, false, 1 },
	&(struct rig_kind){ "u64", EPITAPH_ID_FIRST + 2, 8, false, 0 },
	&(struct rig_kind){ "u64", EPITAPH_ID_FIRST + 2, 8, false, 3 },
	&(struct rig_kind){ "text", 501, 13, true, 0 },
	&(struct rig_kind){ "far id", 600, 20, false, 0 },
	&(struct rig_kind){ "pid", EPITAPH_ID_PID, 4, false, 0 },
	&(struct rig_kind){ "56 bytes", EPITAPH_ID_FIRST + 14, 56, false, 0 },
	&(struct rig_kind){ "large", 601, 380, true, 0 },
	&(struct rig_kind){ "late", EPITAPH_ID_FIRST + 2, 8, false, 1 << 20 },
	&(struct rig_kind){ "nearly late", EPITAPH_ID_FIRST + 2, 8, false,
			    (1 << 20) - (1 << 9) - 3 },
	&(struct rig_kind){ "too large", 602, 1 << 20, true, 0 },
	&(struct rig_kind){ "very late", 700, 24, true, 5ULL << 33 },
};

u32 rig_random(u32 below)
{
	rig.rng ^= rig.rng << 13;
	rig.rng ^= rig.rng >> 7;
	rig.rng ^= rig.rng << 17;
	return (u32)(rig.rng >> 32) % below;
}

/* Each look at the clock is later than the one before. */
u64 epitaph_clock(void)
{
	if (!rig.oracle)
		return 0;
	rig.oracle->clock++;
	return oracle_clock(rig.oracle);
}

static void count_label(const char *label, u32 level)
{
	u32 i;

	for (i = 0; i < rig_nr_labels; i++) {
		if (!strcmp(rig_labels[i].name, label)) {
			rig_labels[i].compared[level]++;
			return;
		}
	}
	rig.unknown++;
}

static void interrupt_at_random(void)
{
	u32 n = rig_random(200);
	u32 count = n ? n < 190 ? 1 : rig_random(60) : 900;
	u32 i;

	/* Deep, bursts are many: only the first levels get long ones. */
	if (rig.oracle->depth > 2 && count > 3)
		count = 3;
	if (rig_random(40) == 0)
		rig.oracle->ring.pid++;
	for (i = 0; i < count; i++)
		rig_write(random_kinds[rig_random(sizeof(random_kinds) /
						  sizeof(*random_kinds))], 1);
}

static void interrupt(void)
{
	u32 level = rig.oracle->depth - 1;
	const struct rig_shot *shot = &rig.plan[level];

	if (level >= EPITAPH_LEVELS)
		return;
	if (rig.random) {
		if (level + 1 < EPITAPH_LEVELS && !rig_random(rig.random))
			interrupt_at_random();
		return;
	}
	if (shot->count && rig.passed[level]++ == shot->at) {
		rig.passed[level + 1] = 0;
		rig_write(shot->kind, shot->count);
	} else if (!shot->count) {
		rig.passed[level]++;
	}
}

void crash_point(const char *label)
{
	if (!rig.oracle || !rig.oracle->depth)
		return;
	if (!oracle_step(rig.oracle, label))
		rig.unknown++;
	if (rig.every && rig.labels++ % rig.every == 0) {
		count_label(label, rig.oracle->depth - 1);
		oracle_compare(rig.oracle);
	}
	/* At commit:D the level is given back: what comes then is no interrupt. */
	if (strcmp(label, "commit:D"))
		interrupt();
}

static void store_payload(u8 *to, u32 bytes, u32 seed)
{
	u32 i;

	crash_point("payload");
	for (i = 0; i < bytes; i++) {
		to[i] = oracle_byte(seed, i);
		if (i == bytes / 2)
			crash_point("payload");
	}
	crash_point("payload");
}

static bool write_any(const struct rig_kind *kind, u32 seed)
{
	struct epitaph_rec rec;
	void *to = epitaph_ring_reserve(&rig.oracle->ring, &rec, kind->id,
					kind->bytes, kind->varies);

	if (!to)
		return false;
	store_payload(to, kind->bytes, seed);
	epitaph_ring_commit(&rec);
	return true;
}

/* As a probe does whose event has two words, always. */
static bool write_short(const struct rig_kind *kind, u32 seed)
{
	struct epitaph_ring *ring = &rig.oracle->ring;
	struct epitaph_fast fast;

	if (!epitaph_fast_claim(ring, &fast, 3))
		return write_any(kind, seed);
	store_payload((u8 *)(fast.w + 1), 8, seed);
	epitaph_fast_commit(ring, &fast, kind->id << EPITAPH_ID_SHIFT, 3);
	return true;
}

/* As a probe does whose event has a text. */
static bool write_long(const struct rig_kind *kind, u32 seed)
{
	struct epitaph_ring *ring = &rig.oracle->ring;
	u32 words = 2 + epitaph_ring_words(kind->bytes);
	struct epitaph_fast fast;

	if (words > EPITAPH_FAST_WORDS || !epitaph_fast_claim(ring, &fast, words))
		return write_any(kind, seed);
	epitaph_fast_long(&fast, kind->id, words);
	store_payload((u8 *)(fast.w + 2), kind->bytes, seed);
	epitaph_fast_commit(ring, &fast, EPITAPH_ID_LONG << EPITAPH_ID_SHIFT, words);
	return true;
}

/* What may go the fast path does so three times of four. */
static bool write_as(const struct rig_kind *kind, u32 seed)
{
	if (seed % 4 == 0)
		return write_any(kind, seed);
	if (kind->bytes == 8 && !kind->varies)
		return write_short(kind, seed);
	return kind->varies ? write_long(kind, seed) : write_any(kind, seed);
}

static void write_one(const struct rig_kind *kind)
{
	struct oracle *o = rig.oracle;
	u32 seed = rig_random(0x7fffffff);

	o->clock += kind->gap << o->ring.shift;
	oracle_begin(o, kind->id, kind->bytes, seed);
	if (!write_as(kind, seed))
		rig.dropped++;
	oracle_end(o);
}

u32 rig_write(const struct rig_kind *kind, u32 count)
{
	u32 level = rig.oracle->depth;
	u32 from = rig.passed[level];

	while (count--)
		write_one(kind);
	return rig.passed[level] - from;
}

void rig_calm(void)
{
	memset(rig.plan, 0, sizeof(rig.plan));
	memset(rig.passed, 0, sizeof(rig.passed));
	rig.random = 0;
	rig.every = 1;
}

void rig_fill(u32 words, u32 slack)
{
	struct rig_kind filler = { "filler", EPITAPH_ID_FIRST, 0, true, 0 };
	struct oracle *o = rig.oracle;
	u32 left;

	for (;;) {
		left = (o->ring.sub_size - o->head_off) / 4 - 1;
		if (left == words + slack)
			return;
		/* A long event has two words before its payload. */
		if (left >= words + slack + 2)
			filler.bytes = 4 * (left - words - slack - 2);
		rig_write(&filler, 1);
	}
}
