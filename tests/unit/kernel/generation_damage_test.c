// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Regions with one to three generations, damaged as firmware and bad memory
 * would: what is whole is found, what is not is no generation, nothing is
 * thought to be taken that is not, and what is found is not overwritten but by
 * the rules.
 *
 * build: tests/lib/gens_image.c kernel/core/generation.c kernel/core/layout.c kernel/core/place.c kernel/core/ring.c
 */
#include "gens_image.h"

#include <epitaph/layout.h>

#include "tap.h"

#ifdef __SANITIZE_ADDRESS__
#define NR_IMAGES	10000
#else
#define NR_IMAGES	100000
#endif

#define NR_ORIGINALS	40
#define MAX_SLOTS	4
#define MAX_FLIPS	64
#define MAX_RUN		(1 << 20)

/* A region, as it was when the machine stopped. */
struct original {
	struct gens_image image;
	struct boot boot[MAX_SLOTS];
	u32 nr;
	u32 nr_slots;
	u64 slot_size;
	u32 lost_gens;
};

static struct original originals[NR_ORIGINALS];
static struct gens_image image;		/* the damaged one: as large as the largest */
static struct epitaph_gens gens;	/* what was found in it */

static struct {
	u64 images, whole, from_copy, gone, placed, lost;
} seen;

static void make_boot(struct original *from, u32 slot, u64 number)
{
	struct boot *boot = &from->boot[from->nr++];

	memset(boot, 0, sizeof(*boot));
	boot->off = slot * from->slot_size;
	boot->size = from->slot_size;
	boot->number = number;
	boot->crashed = gens_random(2);
	boot->ended = !boot->crashed && gens_random(2);
	boot->taken[EPITAPH_TAKEN_HARVEST] = !gens_random(3);
	boot->taken[EPITAPH_TAKEN_PSTORE] = !gens_random(4);
	gens_image_record(&from->image, boot, 1 + gens_random(2), 0, from->lost_gens);
}

static void make_original(struct original *from)
{
	u32 slots[MAX_SLOTS] = { 0, 1, 2, 3 };
	u32 i, k, nr;

	from->nr_slots = 1 + gens_random(MAX_SLOTS);
	from->slot_size = epitaph_layout_min(2) + gens_random(4) * EPITAPH_PAGE;
	from->lost_gens = gens_random(3);
	gens_image_new(&from->image, from->nr_slots * from->slot_size);
	nr = 1 + gens_random(from->nr_slots < 3 ? from->nr_slots : 3);
	for (i = 0; i < nr; i++) {
		k = i + gens_random(from->nr_slots - i);
		make_boot(from, slots[k], 3 + 2 * i);
		slots[k] = slots[i];
	}
}

/* ---- Damage */

static void flip(u64 at)
{
	image.data[at] ^= 1 << gens_random(8);
}

static void overwrite(u64 at, u64 len)
{
	u32 how = gens_random(3);
	u64 i;

	if (len > image.size - at)
		len = image.size - at;
	if (how < 2)
		memset(image.data + at, how ? 0xff : 0, len);
	else
		for (i = 0; i < len; i += 4)
			memcpy(image.data + at + i, &(u32){ gens_random(~0U) },
			       len - i < 4 ? len - i : 4);
}

/* A byte of a header, of a copy, or of a section that decides. */
static u64 sore_place(const struct original *from)
{
	const struct boot *boot = &from->boot[gens_random(from->nr)];
	u64 off = gens_random(boot->table_size + 8192);

	if (gens_random(3) == 0)
		off = boot->size - boot->table_size + off % boot->table_size;
	return boot->off + off;
}

static u64 any_place(const struct original *from)
{
	return gens_random(2) ? sore_place(from) : gens_random(image.size);
}

static void hit_both_headers(const struct original *from)
{
	const struct boot *boot = &from->boot[gens_random(from->nr)];

	flip(boot->off + gens_random(boot->table_size));
	flip(boot->off + boot->size - boot->table_size + gens_random(boot->table_size));
}

static void damage(const struct original *from)
{
	u32 i, n;

	switch (gens_random(8)) {
	case 0:
		hit_both_headers(from);
		break;
	case 1:
		flip(any_place(from));
		break;
	case 2: case 3:
		for (i = 0, n = 1 + gens_random(MAX_FLIPS); i < n; i++)
			flip(any_place(from));
		break;
	default:
		for (i = 0, n = 1 + gens_random(3); i < n; i++)
			overwrite(any_place(from) / 64 * 64,
				  64ULL << gens_random(gens_random(4) ? 8 : 15));
	}
}

/* ---- What must hold then */

static bool is_same(const struct original *from, u64 off, u64 size)
{
	return !memcmp(image.data + off, from->image.data + off, size);
}

static const struct epitaph_gen *found(const struct boot *boot)
{
	u32 i;

	for (i = 0; i < gens.nr; i++)
		if (gens.gen[i].off == boot->off && gens.gen[i].salt == boot->salt)
			return &gens.gen[i];
	return NULL;
}

/* A damaged stamp or note is none; nothing else becomes one. */
static void check_state(const struct original *from, const struct boot *boot,
			const struct epitaph_gen *gen)
{
	bool is_whole = is_same(from, boot->off + boot->table_size, boot->size / 2);
	u32 how;

	CHECK(boot->crashed >= gen->crashed, "crashed");
	CHECK(boot->crashed == gen->crashed || !is_whole, "crash stamp overlooked");
	CHECK(boot->ended == gen->ended || !is_whole, "end");
	for (how = 0; how < EPITAPH_NR_TAKEN; how++) {
		CHECK(boot->taken[how] >= gen->taken[how], "taken %u", how);
		CHECK(boot->taken[how] == gen->taken[how] || !is_whole, "note overlooked");
	}
}

static u32 check_boot(const struct original *from, const struct boot *boot)
{
	bool header = is_same(from, boot->off, boot->table_size);
	bool copy = is_same(from, boot->off + boot->size - boot->table_size,
			    boot->table_size);
	const struct epitaph_gen *gen = found(boot);

	CHECK(!!gen == (header || copy), "number %llu: header %d, copy %d, found %d",
	      (unsigned long long)boot->number, header, copy, !!gen);
	seen.whole += header;
	seen.from_copy += !header && copy;
	seen.gone += !header && !copy;
	if (!gen)
		return 0;
	CHECK(gen->size == boot->size && gen->number == boot->number &&
	      gen->from_copy == !header, "number %llu", (unsigned long long)boot->number);
	check_state(from, boot, gen);
	return 1;
}

static void check_found(const struct original *from)
{
	u32 i, n = 0;

	for (i = 0; i < from->nr; i++)
		n += check_boot(from, &from->boot[i]);
	CHECK(gens.nr == n, "%u found, %u were there", gens.nr, n);
}

static bool overlap(const struct epitaph_gen *gen, u64 off, u64 size)
{
	return gen->off < off + size && off < gen->off + gen->size;
}

/* Evidence that a slot would cost; @first alone: whether it is the oldest one. */
static u32 cost(u64 off, u64 size, bool first)
{
	u32 i, n = 0;

	for (i = 0; i < gens.nr; i++) {
		if (!epitaph_gen_is_evidence(&gens.gen[i]))
			continue;
		n += overlap(&gens.gen[i], off, size);
		if (first)
			break;
	}
	return n;
}

static bool can_avoid(u64 size, u32 nr_slots, bool first)
{
	u32 i;

	for (i = 0; i < nr_slots; i++)
		if (!cost(i * size, size, first))
			return true;
	return false;
}

static void check_place(const struct original *from, const struct epitaph_place *place,
			u64 size, u32 nr_slots)
{
	u64 off = place->index * size;
	u32 i, n = 0;

	CHECK(place->index < nr_slots, "%u", place->index);
	CHECK(!can_avoid(size, nr_slots, false) || !cost(off, size, false), "evidence");
	CHECK(!can_avoid(size, nr_slots, true) || !cost(off, size, true), "first evidence");
	CHECK(place->nr_loses == cost(off, size, false), "%u", place->nr_loses);
	for (i = 0; i < gens.nr; i++) {
		CHECK(gens.gen[i].number < place->number, "number %llu",
		      (unsigned long long)place->number);
		if (overlap(&gens.gen[i], off, size) && epitaph_gen_is_evidence(&gens.gen[i]))
			CHECK(place->loses[n++] == gens.gen[i].number, "not named");
	}
	CHECK(place->lost_gens == (gens.nr ? from->lost_gens : 0) + place->nr_loses, "%u",
	      place->lost_gens);
	CHECK(!place->nr_loses || place->lost_number == place->loses[place->nr_loses - 1], "last");
	seen.lost += place->nr_loses;
}

/* The next boot records: nothing else may change. */
static void check_next_boot(const struct epitaph_place *place, u64 size)
{
	struct boot boot = { .off = place->index * size, .size = size,
			     .number = place->number };
	struct epitaph_gens before = gens;
	static u8 *copy;
	u32 i;

	if (!copy)
		copy = malloc(image.size * 2);
	memcpy(copy, image.data, image.size);
	gens_image_record(&image, &boot, 1, place->lost_number, place->lost_gens);
	CHECK(!memcmp(copy, image.data, boot.off), "before the slot");
	CHECK(!memcmp(copy + boot.off + size, image.data + boot.off + size,
		      image.size - boot.off - size), "behind the slot");
	epitaph_gens_drop(&before, boot.off, boot.size);
	epitaph_gens_find(&gens, image.data, image.size, NULL);
	CHECK(gens.nr == before.nr + 1 && found(&boot), "%u, %u", gens.nr, before.nr);
	for (i = 0; i < before.nr; i++)
		CHECK(!memcmp(&gens.gen[i], &before.gen[i], sizeof(gens.gen[i])), "%u", i);
	seen.placed++;
}

static void look(const struct original *from, bool boot_again)
{
	struct epitaph_place place;
	u32 nr_slots = from->nr_slots;
	u64 size = from->slot_size;

	epitaph_gens_find(&gens, image.data, image.size, NULL);
	check_found(from);
	if (gens_random(8) == 0) {
		nr_slots = 1 + gens_random(MAX_SLOTS);
		size = image.size / nr_slots / EPITAPH_PAGE * EPITAPH_PAGE;
	}
	epitaph_gens_place(&place, &gens, size, nr_slots);
	check_place(from, &place, size, nr_slots);
	if (boot_again && size >= epitaph_layout_min(1))
		check_next_boot(&place, size);
}

/* The guard page behind it stays where the region ends. */
static void load(const struct original *from)
{
	if (image.data)
		gens_image_free(&image);
	gens_image_new(&image, from->image.size);
	memcpy(image.data, from->image.data, image.size);
}

static void damage__what_is_whole_is_found_and_kept(void)
{
	u32 o, i;

	for (o = 0; o < NR_ORIGINALS; o++) {
		const struct original *from = &originals[o];

		load(from);
		look(from, true);
		for (i = 0; i < NR_IMAGES / NR_ORIGINALS; i++) {
			memcpy(image.data, from->image.data, image.size);
			damage(from);
			look(from, i % 8 == 0);
			seen.images++;
		}
	}
	CHECK(seen.from_copy > NR_IMAGES / 100 && seen.gone > NR_IMAGES / 100, "%llu, %llu",
	      (unsigned long long)seen.from_copy, (unsigned long long)seen.gone);
	printf("# %llu images: %llu headers whole, %llu known by their copy, %llu gone; %llu booted again\n",
	       (unsigned long long)seen.images, (unsigned long long)seen.whole,
	       (unsigned long long)seen.from_copy, (unsigned long long)seen.gone,
	       (unsigned long long)seen.placed);
}

/* An attacker who can compute checksums: only that no byte outside is touched is checked. */
static void damage__a_signed_lie_stays_in_bounds(void)
{
	u32 o, i, k;

	for (o = 0; o < NR_ORIGINALS; o++) {
		load(&originals[o]);
		for (i = 0; i < NR_IMAGES / NR_ORIGINALS / 4; i++) {
			const struct boot *boot = &originals[o].boot[gens_random(originals[o].nr)];
			u64 at = boot->off + (gens_random(2) ? boot->size - boot->table_size : 0);
			struct epitaph_header *header = (void *)(image.data + at);
			struct epitaph_place place;

			memcpy(header, originals[o].image.data + at, boot->table_size);
			for (k = 1 + gens_random(4); k--;)
				overwrite(at + 16 + 8 * gens_random(gens_random(2) ? 12 : 180),
					  gens_random(4) ? 4 : 8);
			if (le32_to_cpu(header->table_size) > boot->table_size)
				header->table_size = cpu_to_le32(boot->table_size);
			gens_image_sign(header);
			epitaph_gens_find(&gens, image.data, image.size, NULL);
			epitaph_gens_place(&place, &gens, originals[o].slot_size,
					   originals[o].nr_slots);
			CHECK(place.index < originals[o].nr_slots, "%u", place.index);
		}
	}
}

int main(void)
{
	const char *given = getenv("SEED");
	u32 seed = given ? strtoul(given, NULL, 0) : 20261121;
	u32 i;

	printf("# seed %u\n", seed);
	gens_seed(seed);
	for (i = 0; i < NR_ORIGINALS; i++)
		make_original(&originals[i]);
	TAP_RUN(damage__what_is_whole_is_found_and_kept);
	TAP_RUN(damage__a_signed_lie_stays_in_bounds);
	for (i = 0; i < NR_ORIGINALS; i++)
		gens_image_free(&originals[i].image);
	return tap_done();
}
