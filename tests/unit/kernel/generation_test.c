// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What docs/generations.md promises: what is recognised after a reset, whole or
 * damaged, and where the next generation goes.
 *
 * build: tests/lib/gens_image.c kernel/core/generation.c kernel/core/layout.c kernel/core/place.c kernel/core/ring.c
 */
#include "gens_image.h"

#include <epitaph/layout.h>
#include <sys/mman.h>
#include <time.h>

#include "tap.h"

#define MAX_SLOTS	4
#define MAX_BOOTS	2000	/* of a crash loop */

static u64 gen_size;		/* the smallest for two CPUs */

static struct boot boot_at(u32 slot, u64 number)
{
	return (struct boot){ .off = slot * gen_size, .size = gen_size, .number = number };
}

static struct epitaph_gens find(const struct gens_image *image)
{
	struct epitaph_gens gens;

	epitaph_gens_find(&gens, image->data, image->size, NULL);
	return gens;
}

/* A region of two slots, recorded into by one boot. */
static struct gens_image one_boot(struct boot *boot)
{
	struct gens_image image;

	gens_image_new(&image, 2 * gen_size);
	gens_image_record(&image, boot, 2, 0, 0);
	return image;
}

static void generation__nothing_is_found_in_zeroes_nor_in_noise(void)
{
	struct gens_image image;
	u64 i;

	gens_image_new(&image, 2 * gen_size);
	CHECK(!find(&image).nr, "%u", find(&image).nr);
	for (i = 0; i < image.size; i++)
		image.data[i] = gens_random(256);
	CHECK(!find(&image).nr, "%u", find(&image).nr);
	gens_image_free(&image);
}

static void generation__either_header_is_enough(void)
{
	struct boot boot = boot_at(1, 7);
	struct gens_image image = one_boot(&boot);
	u8 *header = image.data + boot.off;
	u8 *copy = header + boot.size - boot.table_size;
	struct epitaph_gens gens = find(&image);

	CHECK(gens.nr == 1 && gens.gen[0].number == 7 && !gens.gen[0].from_copy &&
	      gens.gen[0].off == boot.off && gens.gen[0].size == boot.size &&
	      gens.gen[0].salt == boot.salt, "%u", gens.nr);
	copy[100] ^= 1;
	gens = find(&image);
	CHECK(gens.nr == 1 && !gens.gen[0].from_copy, "%u", gens.nr);
	copy[100] ^= 1;
	header[boot.table_size - 1] ^= 1;
	gens = find(&image);
	CHECK(gens.nr == 1 && gens.gen[0].from_copy && gens.gen[0].off == boot.off, "%u", gens.nr);
	copy[200] ^= 1;
	CHECK(!find(&image).nr, "%u", find(&image).nr);
	gens_image_free(&image);
}

static void generation__of_many_cpus_is_found_too(void)
{
	struct boot boot = { .number = 1, .size = epitaph_layout_min(256) };
	struct gens_image image;
	struct epitaph_gens gens;

	gens_image_new(&image, boot.size);
	gens_image_record(&image, &boot, 256, 0, 0);
	CHECK(boot.table_size > 4 * EPITAPH_PAGE, "%llu", (unsigned long long)boot.table_size);
	image.data[boot.table_size - 4096] ^= 1;
	gens = find(&image);
	CHECK(gens.nr == 1 && gens.gen[0].from_copy, "%u", gens.nr);
	gens_image_free(&image);
}

static void generation__state_is_what_was_written_last(void)
{
	u32 i;

	for (i = 0; i < 400; i++) {
		struct boot boot = boot_at(0, 1);
		struct gens_image image;
		struct epitaph_gens gens;

		boot.ended = gens_random(2);
		boot.crashed = gens_random(2);
		boot.taken[0] = gens_random(2);
		boot.taken[1] = gens_random(2);
		image = one_boot(&boot);
		gens = find(&image);
		if (!CHECK(gens.nr == 1, "%u", gens.nr))
			return;
		CHECK(gens.gen[0].crashed == boot.crashed, "%d", boot.crashed);
		CHECK(gens.gen[0].ended == (boot.ended && !boot.crashed), "%d", boot.ended);
		CHECK(gens.gen[0].taken[0] == boot.taken[0], "%d", boot.taken[0]);
		CHECK(gens.gen[0].taken[1] == boot.taken[1], "%d", boot.taken[1]);
		gens_image_free(&image);
	}
}

static void generation__of_a_later_minor_version_is_found(void)
{
	struct boot boot = boot_at(0, 5);
	struct gens_image image = one_boot(&boot);
	struct epitaph_header *header = (void *)image.data;

	header->minor = cpu_to_le16(EPITAPH_MINOR + 1);
	gens_image_sign(header);
	CHECK(find(&image).nr == 1 && !find(&image).gen[0].from_copy, "minor");
	gens_image_free(&image);
}

/* As after a downgrade: which of two may be overwritten depends on it. */
static void generation__of_a_format_to_come_ended_as_it_says(void)
{
	u32 i;

	for (i = 0; i < 16; i++) {
		struct boot boot = boot_at(0, 1);
		struct gens_image image;
		struct epitaph_header *header;
		struct epitaph_gens gens;

		boot.ended = i & 1;
		boot.crashed = i & 2;
		boot.taken[0] = i & 4;
		boot.taken[1] = i & 8;
		image = one_boot(&boot);
		header = (void *)image.data;
		header->incompat |= cpu_to_le64(1ULL << 63);
		gens_image_sign(header);
		gens = find(&image);
		CHECK(gens.nr == 1 && gens.gen[0].crashed == boot.crashed, "%u", i);
		CHECK(gens.gen[0].ended == (boot.ended && !boot.crashed), "%u", i);
		CHECK(gens.gen[0].taken[0] == boot.taken[0] && gens.gen[0].taken[1] == boot.taken[1], "%u", i);
		CHECK(epitaph_gen_is_evidence(&gens.gen[0]) == !(boot.taken[0] || boot.taken[1] || gens.gen[0].ended),
		      "%u", i);
		gens_image_free(&image);
	}
}

static void generation__of_two_that_overlap_the_later_one_stays(void)
{
	struct boot old = { .number = 3, .size = 3 * gen_size };
	struct boot young = boot_at(1, 4);
	struct gens_image image;
	struct epitaph_gens gens;

	gens_image_new(&image, 3 * gen_size);
	gens_image_record(&image, &old, 2, 0, 0);
	gens_image_record(&image, &young, 2, 0, 0);
	gens = find(&image);
	CHECK(gens.nr == 1 && gens.gen[0].number == 4, "%u", gens.nr);
	gens_image_free(&image);
}

static void generation__that_the_region_cuts_off_is_still_evidence(void)
{
	struct boot boot = { .number = 8, .size = 2 * gen_size, .crashed = true };
	struct gens_image image;
	struct epitaph_place place;
	struct epitaph_gens gens;

	gens_image_new(&image, 2 * gen_size);
	gens_image_record(&image, &boot, 2, 0, 0);
	epitaph_gens_find(&gens, image.data, gen_size, NULL);
	CHECK(gens.nr == 1 && gens.gen[0].number == 8 && gens.gen[0].size == gen_size &&
	      gens.gen[0].crashed, "%u", gens.nr);
	epitaph_gens_place(&place, &gens, gen_size, 1);
	CHECK(!place.is_free && place.number == 9 && place.nr_loses == 1 &&
	      place.loses[0] == 8 && place.lost_gens == 1, "%u", place.nr_loses);
	gens_image_free(&image);
}

/* ---- Programs have pages of the region to themselves. */

/* Their slots, in the pool of @boot.  Return: where they begin in the region. */
static u64 give_slots(const struct gens_image *image, const struct boot *boot, u32 nr)
{
	struct epitaph_added *added;
	struct epitaph_layout plan;

	epitaph_layout_plan(&plan, boot->size, 2, EPITAPH_POOL_DEFAULT);
	CHECK(plan.size[EPITAPH_SEC_POOL] >= EPITAPH_PAGE + nr * EPITAPH_SLOT_SIZE, "%llu",
	      (unsigned long long)plan.size[EPITAPH_SEC_POOL]);
	added = (void *)(image->data + boot->off + plan.off[EPITAPH_SEC_ADDED]) + sizeof(*added);
	*added = (struct epitaph_added){
		.mode = cpu_to_le32(EPITAPH_RINGS), .nr_rings = cpu_to_le32(nr),
		.ring_size = cpu_to_le64(EPITAPH_SLOT_SIZE),
		.off = cpu_to_le64(plan.off[EPITAPH_SEC_POOL] + EPITAPH_PAGE),
	};
	added->check = cpu_to_le64(epitaph_check(boot->salt, added, offsetof(struct epitaph_added, check)));
	return boot->off + le64_to_cpu(added->off);
}

/* As a program can write it: newer than all others, over all of the region, and not worth a thing. */
static void plant_header(const struct gens_image *image, u64 off, bool as_copy)
{
	struct epitaph_header *header = (void *)(image->data + off);
	u64 before = as_copy ? off : 0, behind = image->size * 4;

	memset(header, 0, EPITAPH_PAGE);
	header->magic = cpu_to_le64(~EPITAPH_MAGIC_INVERTED);
	header->major = cpu_to_le16(EPITAPH_MAJOR);
	header->header_size = cpu_to_le32(sizeof(*header));
	header->section_size = cpu_to_le32(sizeof(struct epitaph_section));
	header->table_size = cpu_to_le32(EPITAPH_PAGE);
	header->number = cpu_to_le64(~0ULL - 1);
	header->gen_size = cpu_to_le64(as_copy ? before + EPITAPH_PAGE : behind);
	header->copy_off = cpu_to_le64(le64_to_cpu(header->gen_size) - EPITAPH_PAGE);
	header->self_off = cpu_to_le64(before);
	gens_image_sign(header);
}

/* More pages than generations are remembered: those planted must not push out the true one. */
#define NR_SLOTS	(EPITAPH_MAX_FOUND * EPITAPH_PAGE / EPITAPH_SLOT_SIZE + 1)

static void generation__of_a_program_is_none(void)
{
	u64 size = 64 * gen_size;
	u32 damaged, as_copy;

	for (damaged = 0; damaged < 2; damaged++)
		for (as_copy = 0; as_copy < 2; as_copy++) {
			struct boot first = { .size = size, .number = 1, .crashed = true };
			struct boot second = { .off = size, .size = size, .number = 2, .crashed = true };
			struct epitaph_place place;
			struct gens_image image;
			struct epitaph_gens gens;
			u64 slots, page;

			gens_image_new(&image, 2 * size);
			gens_image_record(&image, &first, 2, 0, 0);
			gens_image_record(&image, &second, 2, 0, 0);
			slots = give_slots(&image, &first, NR_SLOTS);
			for (page = 0; page < NR_SLOTS * EPITAPH_SLOT_SIZE; page += EPITAPH_PAGE)
				plant_header(&image, slots + page, as_copy);
			image.data[100] ^= damaged;
			gens = find(&image);
			CHECK(gens.nr == 2 && gens.gen[0].number == 1 && gens.gen[0].crashed &&
			      gens.gen[0].from_copy == damaged && gens.gen[1].number == 2,
			      "%u, %u: %u found", damaged, as_copy, gens.nr);
			epitaph_gens_place(&place, &gens, size, 2);
			CHECK(place.number == 3 && place.index == 1, "number %llu in slot %u",
			      (unsigned long long)place.number, place.index);
			/* Elsewhere it is one: where programs do not come. */
			plant_header(&image, slots + NR_SLOTS * EPITAPH_SLOT_SIZE, as_copy);
			gens = find(&image);
			CHECK(gens.nr && gens.gen[gens.nr - 1].number == ~0ULL - 1, "%u", gens.nr);
			gens_image_free(&image);
		}
}

/* What a program plants says that another generation's memory is a program's. */
static void generation__of_a_program_claims_no_other(void)
{
	u64 size = 64 * gen_size, slots;
	struct boot first = { .size = size, .number = 1, .crashed = true };
	struct boot second = { .off = size, .size = size, .number = 2, .crashed = true };
	struct epitaph_section section = { .type = cpu_to_le32(EPITAPH_SEC_ADDED) };
	struct epitaph_added claim = {
		.mode = cpu_to_le32(EPITAPH_RINGS), .nr_rings = cpu_to_le32(1),
		.ring_size = cpu_to_le64(size), .off = cpu_to_le64(size),
	};
	struct epitaph_header *header;
	struct gens_image image;
	struct epitaph_gens gens;

	gens_image_new(&image, 2 * size);
	gens_image_record(&image, &first, 2, 0, 0);
	gens_image_record(&image, &second, 2, 0, 0);
	slots = give_slots(&image, &first, NR_SLOTS);
	plant_header(&image, slots, true);
	header = (void *)(image.data + slots);
	claim.check = cpu_to_le64(epitaph_check(0, &claim, offsetof(struct epitaph_added, check)));
	section.unit = cpu_to_le32(sizeof(claim));
	section.size = cpu_to_le64(sizeof(claim));
	section.off = cpu_to_le64(slots + EPITAPH_PAGE / 2);
	header->nr_sections = cpu_to_le32(1);
	memcpy(header + 1, &section, sizeof(section));
	memcpy(image.data + slots + EPITAPH_PAGE / 2, &claim, sizeof(claim));
	gens_image_sign(header);
	image.data[100] ^= 1;
	gens = find(&image);
	CHECK(gens.nr == 2 && gens.gen[0].number == 1 && gens.gen[1].number == 2, "%u found", gens.nr);
	gens_image_free(&image);
}

/* ---- What is in a sub-buffer of more than a page, at the beginning of a page, is an event's. */

#define LARGE_SUB	(2 * EPITAPH_PAGE)

/* Each sub-buffer of the ring at @off gets one event, which has a header where its second page begins. */
static void plant_in_ring(const struct gens_image *image, const struct boot *boot, u64 off, u64 size, bool as_copy)
{
	struct epitaph_counters counters;
	struct epitaph_ring ring = {
		.data = image->data + boot->off + off, .size = size, .sub_size = LARGE_SUB,
		.salt = boot->salt, .counters = &counters,
	};
	u32 bytes = LARGE_SUB - sizeof(struct epitaph_sub) - 4 * sizeof(u32);
	struct epitaph_rec rec;
	u64 at;

	if (epitaph_ring_init(&ring))
		abort();
	for (at = 0; at < size; at += LARGE_SUB) {
		if (!epitaph_ring_reserve(&ring, &rec, 16, bytes, true))
			abort();
		plant_header(image, boot->off + off + at + EPITAPH_PAGE, as_copy);
		epitaph_ring_commit(&rec);
	}
}

/* Rings of two CPUs in the pool of @boot, as those of an added channel.  Return: where they begin in it. */
static u64 add_channel(const struct gens_image *image, const struct boot *boot, u64 ring_size)
{
	struct epitaph_layout plan;
	struct epitaph_added *added;
	u64 off;

	epitaph_layout_plan(&plan, boot->size, 2, EPITAPH_POOL_DEFAULT);
	off = plan.off[EPITAPH_SEC_POOL];
	off += (uintptr_t)(image->data + boot->off + off) % LARGE_SUB;
	CHECK(plan.size[EPITAPH_SEC_POOL] >= EPITAPH_PAGE + 2 * ring_size, "%llu",
	      (unsigned long long)plan.size[EPITAPH_SEC_POOL]);
	added = (void *)(image->data + boot->off + plan.off[EPITAPH_SEC_ADDED]) + sizeof(*added);
	*added = (struct epitaph_added){
		.mode = cpu_to_le32(EPITAPH_OVERWRITE), .nr_rings = cpu_to_le32(2),
		.ring_size = cpu_to_le64(ring_size), .unit = cpu_to_le32(LARGE_SUB), .off = cpu_to_le64(off),
	};
	added->check = cpu_to_le64(epitaph_check(boot->salt, added, offsetof(struct epitaph_added, check)));
	return off;
}

/* Damaged: the first header of the generation, so that its copy is found behind what was planted. */
static void check_event_is_none(bool is_added, bool is_damaged, bool as_copy)
{
	u64 size = 64 * gen_size, ring_size = EPITAPH_MIN_SUBS * LARGE_SUB, off;
	struct boot first = { .size = size, .number = 1, .crashed = true };
	struct boot second = { .size = size, .number = 2, .crashed = true };
	struct epitaph_layout plan;
	struct gens_image image;
	struct epitaph_gens gens;

	gens_image_new(&image, 2 * size + EPITAPH_PAGE);
	epitaph_layout_plan(&plan, size, 2, EPITAPH_POOL_DEFAULT);
	off = plan.rings[EPITAPH_CHANNEL_USER].off;
	if (!is_added)
		ring_size = plan.rings[EPITAPH_CHANNEL_USER].size;
	/* A ring is aligned to its sub-buffers. */
	first.off = (uintptr_t)(image.data + off) % LARGE_SUB;
	second.off = first.off + size;
	gens_image_record(&image, &first, 2, 0, 0);
	gens_image_record(&image, &second, 2, 0, 0);
	if (is_added) {
		off = add_channel(&image, &first, ring_size);
		plant_in_ring(&image, &first, off + ring_size, ring_size, as_copy);
	}
	plant_in_ring(&image, &first, off, ring_size, as_copy);
	image.data[first.off + 100] ^= is_damaged;
	gens = find(&image);
	CHECK(gens.nr == 2 && gens.gen[0].number == 1 && gens.gen[0].crashed &&
	      gens.gen[0].from_copy == is_damaged && gens.gen[1].number == 2,
	      "%u, %u, %u: %u found", is_added, is_damaged, as_copy, gens.nr);
	/* A later generation begins in the middle of what was a ring: its place was cleared before. */
	memset(image.data + first.off + off + ring_size - LARGE_SUB, 0, EPITAPH_PAGE);
	gens = find(&image);
	CHECK(gens.nr && gens.gen[gens.nr - 1].number == ~0ULL - 1, "%u, %u, %u: %u found",
	      is_added, is_damaged, as_copy, gens.nr);
	gens_image_free(&image);
}

static void generation__of_an_event_is_none(void)
{
	u32 i;

	for (i = 0; i < 8; i++)
		check_event_is_none(i & 4, i & 2, i & 1);
}

/* ---- Where the next one goes.  Slots have one byte; states by a letter. */

static struct epitaph_header losses;	/* of every generation here: none lost */

/*
 * "3h 1c": slot 0 has number 3, harvested, slot 1 has number 1, crashed.
 * e: ended, p: erased from pstore, r: reset, -: free.
 */
static struct epitaph_gens gens_of(const char *text)
{
	struct epitaph_gens gens = { .nr = 0 };
	u32 slot, i;

	for (slot = 0; *text; slot++, text += strcspn(text, " "), text += strspn(text, " ")) {
		struct epitaph_gen gen = { .off = slot, .size = 1, .table = &losses };
		char state;

		if (*text == '-')
			continue;
		gen.number = text[0] - '0';
		state = text[1];
		gen.crashed = state == 'c';
		gen.ended = state == 'e';
		gen.taken[EPITAPH_TAKEN_HARVEST] = state == 'h';
		gen.taken[EPITAPH_TAKEN_PSTORE] = state == 'p';
		for (i = gens.nr++; i && gens.gen[i - 1].number > gen.number; i--)
			gens.gen[i] = gens.gen[i - 1];
		gens.gen[i] = gen;
	}
	return gens;
}

static void place_is(const char *text, u32 nr_gens, u32 index, u64 lost)
{
	struct epitaph_gens gens = gens_of(text);
	struct epitaph_place place;

	epitaph_gens_place(&place, &gens, 1, nr_gens);
	CHECK(place.index == index, "%s: slot %u", text, place.index);
	CHECK(place.lost_gens == !!lost && place.nr_loses == !!lost &&
	      place.lost_number == lost && (!lost || place.loses[0] == lost),
	      "%s: %u lost, last %llu", text, place.lost_gens,
	      (unsigned long long)place.lost_number);
	CHECK(place.is_free == !!strchr(text, '-'), "%s", text);
}

/* A page of bad memory: who touches it dies. */
static u8 *bad_page(const struct gens_image *image, u64 off)
{
	static u8 bad[4096];

	memset(bad, 0, sizeof(bad));
	bad[off / EPITAPH_PAGE / 8] |= 1 << off / EPITAPH_PAGE % 8;
	mprotect(image->data + off / EPITAPH_PAGE * EPITAPH_PAGE, EPITAPH_PAGE, PROT_NONE);
	return bad;
}

/* Wherever it is, the generation in the other slot is as it was, and no slot with it is chosen. */
static void bad_page__is_not_touched_and_the_rest_is_found(void)
{
	struct epitaph_layout plan;
	u64 off, found = 0;

	epitaph_layout_plan(&plan, gen_size, 2, EPITAPH_POOL_DEFAULT);
	for (off = 0; off < 2 * gen_size; off += EPITAPH_PAGE) {
		struct boot first = boot_at(0, 1), second = boot_at(1, 2);
		struct epitaph_place place;
		struct gens_image image;
		struct epitaph_gens gens;
		bool in_second = off >= gen_size;
		u32 other;

		first.crashed = second.crashed = true;
		gens_image_new(&image, 2 * gen_size);
		gens_image_record(&image, &first, 2, 0, 0);
		gens_image_record(&image, &second, 2, 0, 0);
		epitaph_gens_find(&gens, image.data, image.size, bad_page(&image, off));
		/* A header has a copy, so one page takes no generation away. */
		if (!CHECK(gens.nr == 2, "page at %llu: %u found", (unsigned long long)off, gens.nr))
			return;
		found += gens.gen[in_second].crashed;
		other = !in_second;
		CHECK(gens.gen[other].crashed && !gens.gen[other].from_copy, "%llu",
		      (unsigned long long)off);
		CHECK(!epitaph_gens_place(&place, &gens, gen_size, 2) && place.index == other,
		      "page at %llu: slot %u", (unsigned long long)off, place.index);
		gens_image_free(&image);
	}
	/* Each generation lost its stamp to one page, at most two. */
	CHECK(found >= 2 * gen_size / EPITAPH_PAGE - 4 && found < 2 * gen_size / EPITAPH_PAGE,
	      "%llu", (unsigned long long)found);
}

static void bad_page__of_entries_is_none_and_the_next_ones_are_there(void)
{
	struct boot boot = boot_at(0, 1);
	const struct epitaph_section *marks;
	struct gens_image image;
	struct epitaph_gens gens;
	const void *entry;
	u64 size, off;
	u32 i, unread = 0;

	boot.ended = true;
	gens_image_new(&image, 2 * gen_size);
	gens_image_record(&image, &boot, 2, 0, 0);
	gens = find(&image);
	i = 0;
	marks = epitaph_gen_next(&gens.gen[0], EPITAPH_SEC_MARKS, &i);
	off = le64_to_cpu(marks->off);
	epitaph_gens_find(&gens, image.data, image.size, bad_page(&image, off));
	CHECK(!epitaph_gen_section(&gens.gen[0], image.data, EPITAPH_SEC_MARKS, &size),
	      "a section with a bad page is none");
	for (i = 0; (entry = epitaph_gen_entry(&gens.gen[0], image.data, EPITAPH_SEC_MARKS, i,
					       sizeof(struct epitaph_mark))); i++)
		unread += entry == epitaph_gen_unreadable;
	CHECK(i == le64_to_cpu(marks->size) / sizeof(struct epitaph_mark), "%u", i);
	CHECK(unread && unread <= 1 + EPITAPH_PAGE / sizeof(struct epitaph_mark) && unread < i,
	      "%u of %u", unread, i);
	gens_image_free(&image);
}

static void bad_page__in_each_slot_leaves_no_place(void)
{
	static u8 bad[4096];
	struct epitaph_gens gens = { .bad = bad };
	struct epitaph_place place;

	bad[0] = 1;
	CHECK(!epitaph_gens_place(&place, &gens, 4 * EPITAPH_PAGE, 2) && place.index == 1, "%u",
	      place.index);
	bad[0] |= 1 << 4;
	CHECK(epitaph_gens_place(&place, &gens, 4 * EPITAPH_PAGE, 2) == -EIO, "%u", place.index);
}

static void place__least_worth_goes_first(void)
{
	place_is("-", 2, 0, 0);
	place_is("1c -", 2, 1, 0);
	place_is("- 1c", 2, 0, 0);
	place_is("1c 2h", 2, 1, 0);
	place_is("2p 1c", 2, 0, 0);
	place_is("2e 1c", 2, 0, 0);
	place_is("2e 1h 3p", 3, 1, 0);
	place_is("2e 3p 1c", 3, 1, 0);
	place_is("3h 2h 1h", 3, 2, 0);
	place_is("3e 4e 5c", 3, 0, 0);
}

static void place__the_first_crash_is_worth_most(void)
{
	place_is("1c 2c", 2, 1, 2);
	place_is("2c 1c", 2, 0, 2);
	place_is("1h 2c", 2, 0, 0);
	place_is("3c 2c 1c", 3, 1, 2);
	place_is("3c 2e 1c", 3, 1, 0);
	/* Evidence need not have a stamp: a reset leaves none. */
	place_is("1r 2c", 2, 1, 2);
	place_is("2r 1c", 2, 0, 2);
}

static void place__one_slot_overwrites_and_says_so(void)
{
	place_is("1c", 1, 0, 1);
	place_is("1h", 1, 0, 0);
	place_is("1e", 1, 0, 0);
}

static void place__a_region_divided_up_otherwise_keeps_what_it_can(void)
{
	struct epitaph_gens gens = gens_of("1c 2c 3h 4e");
	struct epitaph_place place;

	epitaph_gens_place(&place, &gens, 2, 2);
	CHECK(place.index == 1 && !place.nr_loses && place.number == 5, "%u", place.index);
	gens = gens_of("1c 2c 3c 4c");
	epitaph_gens_place(&place, &gens, 2, 2);
	CHECK(place.index == 1 && place.nr_loses == 2 && place.loses[0] == 3 &&
	      place.loses[1] == 4 && place.lost_gens == 2 && place.lost_number == 4,
	      "%u, %u", place.index, place.nr_loses);
	epitaph_gens_place(&place, &gens, 4, 1);
	CHECK(place.nr_loses == 4 && place.number == 5, "%u", place.nr_loses);
}

/* Of four, each slot of five has one or two: the last one alone has the fourth. */
static void place__a_slot_that_takes_less_evidence_goes_first(void)
{
	struct epitaph_gens gens = gens_of("1c 2c 3c 4c");
	struct epitaph_place place;
	u32 i;

	for (i = 0; i < gens.nr; i++) {
		gens.gen[i].off *= 5;
		gens.gen[i].size *= 5;
	}
	epitaph_gens_place(&place, &gens, 4, 5);
	CHECK(place.index == 4 && place.nr_loses == 1 && place.loses[0] == 4, "slot %u, %u lost", place.index,
	      place.nr_loses);
	gens.gen[1].taken[EPITAPH_TAKEN_HARVEST] = true;
	gens.gen[2].taken[EPITAPH_TAKEN_HARVEST] = true;
	epitaph_gens_place(&place, &gens, 4, 5);
	CHECK(place.index == 2 && !place.nr_loses, "slot %u, %u lost", place.index, place.nr_loses);
}

/* ---- A machine that boots again and again. */

struct history {
	bool was_evidence[MAX_BOOTS + 1];	/* by number */
	bool was_told_lost[MAX_BOOTS + 1];
	u64 first_loss;
	u32 nr_lost;
};

static bool is_there(const struct epitaph_gens *gens, u64 number)
{
	u32 i;

	for (i = 0; i < gens->nr; i++)
		if (gens->gen[i].number == number)
			return true;
	return false;
}

/* The oldest evidence that is there survives, if there are two slots. */
static void check_first(const struct epitaph_gens *gens, const struct epitaph_place *place,
			u32 nr_gens)
{
	u32 i;

	for (i = 0; i < gens->nr && !epitaph_gen_is_evidence(&gens->gen[i]); i++)
		;
	if (i < gens->nr && nr_gens > 1)
		CHECK(gens->gen[i].off != place->index * gen_size, "first evidence %llu",
		      (unsigned long long)gens->gen[i].number);
}

static void note_losses(struct history *history, const struct epitaph_place *place)
{
	u32 i;

	for (i = 0; i < place->nr_loses; i++) {
		CHECK(history->was_evidence[place->loses[i]], "%llu",
		      (unsigned long long)place->loses[i]);
		history->was_told_lost[place->loses[i]] = true;
	}
	history->nr_lost += place->nr_loses;
	CHECK(place->lost_gens == history->nr_lost, "%u, %u", place->lost_gens, history->nr_lost);
}

static void boot_once(struct gens_image *image, struct history *history, u32 nr_gens, u64 n)
{
	struct epitaph_gens gens = find(image);
	struct epitaph_place place;
	struct boot boot;

	epitaph_gens_place(&place, &gens, gen_size, nr_gens);
	CHECK(place.number == n, "%llu", (unsigned long long)place.number);
	check_first(&gens, &place, nr_gens);
	note_losses(history, &place);
	boot = boot_at(place.index, place.number);
	boot.crashed = !gens_random(3);
	boot.ended = !gens_random(3);
	boot.taken[EPITAPH_TAKEN_HARVEST] = !gens_random(4);
	gens_image_record(image, &boot, 1 + gens_random(2), place.lost_number, place.lost_gens);
	history->was_evidence[n] = !boot.taken[0] && (boot.crashed || !boot.ended);
}

static void loop__no_evidence_goes_without_a_word(void)
{
	u32 nr_gens;
	u64 n;

	for (nr_gens = 1; nr_gens <= MAX_SLOTS; nr_gens++) {
		struct history *history = calloc(1, sizeof(*history));
		struct gens_image image;
		struct epitaph_gens gens;

		gens_image_new(&image, nr_gens * gen_size);
		for (n = 1; n <= MAX_BOOTS / 4; n++)
			boot_once(&image, history, nr_gens, n);
		gens = find(&image);
		for (n = 1; n <= MAX_BOOTS / 4; n++)
			CHECK(history->was_told_lost[n] ==
			      (history->was_evidence[n] && !is_there(&gens, n)), "%llu",
			      (unsigned long long)n);
		CHECK(history->nr_lost, "%u", history->nr_lost);
		gens_image_free(&image);
		free(history);
	}
}

static void loop__of_crashes_keeps_the_first_and_the_last(void)
{
	struct gens_image image;
	struct epitaph_gens gens;
	u64 n;

	gens_image_new(&image, 3 * gen_size);
	for (n = 1; n <= 9; n++) {
		struct epitaph_place place;
		struct boot boot;

		gens = find(&image);
		epitaph_gens_place(&place, &gens, gen_size, 3);
		boot = boot_at(place.index, place.number);
		boot.crashed = true;
		gens_image_record(&image, &boot, 1, place.lost_number, place.lost_gens);
	}
	gens = find(&image);
	CHECK(gens.nr == 3 && gens.gen[0].number == 1 && gens.gen[1].number == 8 &&
	      gens.gen[2].number == 9, "%u", gens.nr);
	CHECK(le32_to_cpu(gens.gen[2].table->lost_gens) == 6 &&
	      le64_to_cpu(gens.gen[2].table->lost_number) == 7, "%u",
	      le32_to_cpu(gens.gen[2].table->lost_gens));
	gens_image_free(&image);
}

/* Each claims a table of 4 MiB: 16 GiB would be summed up for a region of 16 MiB. */
static void generation__headers_that_were_made_up_cost_little(void)
{
	struct boot boot = boot_at(0, 7);
	struct epitaph_header *header;
	struct epitaph_gens gens;
	struct gens_image image;
	clock_t began;
	u64 off;

	gens_image_new(&image, 16 << 20);
	gens_image_record(&image, &boot, 2, 0, 0);
	for (off = gen_size; off < image.size; off += EPITAPH_PAGE) {
		header = memcpy(image.data + off, image.data, sizeof(*header));
		header->table_size = cpu_to_le32(4 << 20);
		header->gen_size = cpu_to_le64(16 << 20);
		header->copy_off = cpu_to_le64(12 << 20);
		header->self_off = 0;
	}
	began = clock();
	gens = find(&image);
	CHECK(clock() - began < 2 * CLOCKS_PER_SEC, "%.1f s", (double)(clock() - began) / CLOCKS_PER_SEC);
	CHECK(gens.nr == 1 && gens.gen[0].number == 7, "%u", gens.nr);
	gens_image_free(&image);
}

int main(void)
{
	gens_seed(20261121);
	gen_size = epitaph_layout_min(2);
	TAP_RUN(generation__nothing_is_found_in_zeroes_nor_in_noise);
	TAP_RUN(generation__either_header_is_enough);
	TAP_RUN(generation__of_many_cpus_is_found_too);
	TAP_RUN(generation__state_is_what_was_written_last);
	TAP_RUN(generation__of_a_later_minor_version_is_found);
	TAP_RUN(generation__of_a_format_to_come_ended_as_it_says);
	TAP_RUN(generation__of_two_that_overlap_the_later_one_stays);
	TAP_RUN(generation__that_the_region_cuts_off_is_still_evidence);
	TAP_RUN(generation__headers_that_were_made_up_cost_little);
	TAP_RUN(generation__of_a_program_is_none);
	TAP_RUN(generation__of_a_program_claims_no_other);
	TAP_RUN(generation__of_an_event_is_none);
	TAP_RUN(bad_page__is_not_touched_and_the_rest_is_found);
	TAP_RUN(bad_page__of_entries_is_none_and_the_next_ones_are_there);
	TAP_RUN(bad_page__in_each_slot_leaves_no_place);
	TAP_RUN(place__least_worth_goes_first);
	TAP_RUN(place__the_first_crash_is_worth_most);
	TAP_RUN(place__one_slot_overwrites_and_says_so);
	TAP_RUN(place__a_region_divided_up_otherwise_keeps_what_it_can);
	TAP_RUN(place__a_slot_that_takes_less_evidence_goes_first);
	TAP_RUN(loop__no_evidence_goes_without_a_word);
	TAP_RUN(loop__of_crashes_keeps_the_first_and_the_last);
	return tap_done();
}
