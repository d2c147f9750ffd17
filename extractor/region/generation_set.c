// SPDX-License-Identifier: GPL-2.0-or-later
/* All generations of a dump, each at the address in its own header. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/checksum.h"
#include "locate.h"
#include "generation.h"

#define MAX_EXAMINED	1024	/* pages with the magic whose headers are read */
#define MAX_ADDED	64	/* channels of a generation, as the recorder has it */
#define MAX_REPAIRS	256	/* of them, those that parity may bring back */
#define MAX_CONTENT	256	/* rings, or channels of them, of all generations */

/*
 * A generation with one or more good headers.
 * @copy_only: the header at its start is damaged
 * @repaired_only: it and its copy are: the parity brings it back
 * @lives: no newer generation overwrote it
 */
struct candidate {
	u64 base;
	struct epitaph_header hdr;
	bool copy_only;
	bool repaired_only;
	bool lives;
};

/*
 * Content of a generation, where a page may begin as its writer likes: a header there is none.
 * @begin, @size: where it lies; in rings of @ring_size
 * @unit: bytes of a sub-buffer, whose header has to hold; 0: pages that programs write by themselves
 * @salt: seed of that check
 */
struct content {
	u64 begin;
	u64 size;
	u64 ring_size;
	u64 salt;
	u32 unit;
};

/*
 * The headers on all pages of the region.
 * @start, @phys_addr: where it lies in the dump, and where it was recorded
 * @content: of the generations found so far
 * @bad: headers that cannot be used
 */
struct census {
	struct dump *in;
	u64 start;
	u64 phys_addr;
	u64 end;
	struct candidate *found;
	u32 nr;
	struct content content[MAX_CONTENT];
	u32 nr_content;
	struct {
		u64 addr;
		char why[160];
	} bad[MAX_GENERATIONS];
	u32 nr_bad;
	u32 nr_examined;
	u32 nr_repairs;
};

static u64 candidate_end(const struct candidate *c)
{
	return c->base + c->hdr.gen_size;
}

/* By number. Generations of format 1.0 have no number and compare by their time. */
static bool header_is_older(const struct epitaph_header *a, const struct epitaph_header *b)
{
	if (a->number != b->number)
		return a->number < b->number;
	return a->start_real_ns < b->start_real_ns;
}

/* Rings beyond its own memory are a claim on another generation's. */
static void take_content(struct census *census, const struct find_header *found, u64 begin, u64 nr,
			 u64 ring_size, u32 unit)
{
	u64 size = nr * ring_size;

	if (census->nr_content == MAX_CONTENT || !ring_size || size / ring_size != nr ||
	    begin > found->hdr.gen_size || size > found->hdr.gen_size - begin)
		return;
	census->content[census->nr_content++] = (struct content){
		.begin = found->base + begin, .size = size, .ring_size = ring_size,
		.salt = found->hdr.salt, .unit = unit,
	};
}

static void take_added_content(struct census *census, const struct find_header *found, u64 at)
{
	struct epitaph_added added;
	u32 off = offsetof(struct epitaph_added, check), unit;

	if (dump_read(census->in, at, &added, sizeof(added), NULL) != (ssize_t)sizeof(added) ||
	    !checksum_ok(checksum(found->hdr.salt, &added, off), le64toh(added.check)))
		return;
	unit = le32toh(added.mode) == EPITAPH_RINGS ? 0 : le32toh(added.unit);
	if (!unit || unit > EPITAPH_PAGE)
		take_content(census, found, le64toh(added.off), le32toh(added.nr_rings),
			     le64toh(added.ring_size), unit);
}

/* What the generation has of it: programs' rings, and those with sub-buffers of more than a page. */
static void find_content(struct census *census, const struct find_header *found)
{
	const struct epitaph_header *h = &found->hdr;
	u32 nr = (h->table_size - h->header_size) / h->section_size, i;
	u64 at;

	for (i = 0; i < nr && i < h->nr_sections; i++) {
		struct epitaph_section sec;

		memcpy(&sec, found->table + h->header_size + i * h->section_size, sizeof(sec));
		if (le32toh(sec.type) == EPITAPH_SEC_RING && le32toh(sec.unit) > EPITAPH_PAGE)
			take_content(census, found, le64toh(sec.off), 1, le64toh(sec.size), le32toh(sec.unit));
		if (le32toh(sec.type) != EPITAPH_SEC_ADDED || le32toh(sec.unit) < sizeof(struct epitaph_added))
			continue;
		for (at = 0; at < MAX_ADDED && (at + 1) * le32toh(sec.unit) <= le64toh(sec.size); at++)
			take_added_content(census, found, found->base + le64toh(sec.off) + at * le32toh(sec.unit));
	}
}

static bool lies_in(const struct census *census, const struct content *c, u64 addr)
{
	u32 off = offsetof(struct epitaph_sub, check);
	u64 at = addr - c->begin, start;
	struct epitaph_sub sub;

	if (at >= c->size || !c->unit)
		return at < c->size;
	at %= c->ring_size;
	start = at - at % c->unit;
	return dump_read(census->in, addr - at + start, &sub, sizeof(sub), NULL) == (ssize_t)sizeof(sub) &&
	       sub.check && checksum_ok(checksum(c->salt ^ start, &sub, off), le64toh(sub.check));
}

static bool is_content(const struct census *census, u64 addr)
{
	u32 i;

	for (i = 0; i < census->nr_content; i++)
		if (lies_in(census, &census->content[i], addr))
			return true;
	return false;
}

static void add_candidate(struct census *census, const struct find_header *found)
{
	struct candidate *c;

	for (c = census->found; c < census->found + census->nr; c++)
		if (c->base == found->base && !memcmp(&c->hdr.salt, &found->hdr.salt, 8)) {
			c->copy_only &= found->is_copy || found->is_repaired;
			c->copy_only |= c->repaired_only && found->is_copy;
			c->repaired_only &= found->is_repaired;
			return;
		}
	if (census->nr == MAX_GENERATIONS)
		return;
	*c = (struct candidate){ .base = found->base, .hdr = found->hdr,
				 .copy_only = found->is_copy, .repaired_only = found->is_repaired };
	census->nr++;
	find_content(census, found);
}

/* In the content of one that was found behind it: its first header is damaged. */
static void drop_planted(struct census *census)
{
	struct candidate *c = census->found;
	u32 i, nr = 0;

	for (i = 0; i < census->nr; i++)
		if (!is_content(census, c[i].base + (c[i].copy_only ? c[i].hdr.copy_off : 0)))
			c[nr++] = c[i];
	/* Without any, what is there was not written by a recorder; it is read as what it claims to be. */
	census->nr = nr ? nr : census->nr;
}

/* Does the header of the generation at @base say that it is of the region whose first header was found? */
static bool is_of_region(const struct census *census, const struct epitaph_header *h, u64 base)
{
	return h->phys_addr == census->phys_addr && base == census->start + (u64)h->gen_index * h->gen_size;
}

/* Reads the header on each page that begins with the magic; behind @known only those of the region count. */
static void examine_pages(struct census *census, u64 from, u64 known)
{
	u64 addr = from - from % EPITAPH_PAGE, next, len, page;
	struct find_header found;

	while (addr < census->end && dump_next_data(census->in, addr, &next, &len)) {
		for (page = next; page - next < len && page < census->end; page += EPITAPH_PAGE) {
			if (!find_magic_at(census->in, page) || is_content(census, page) ||
			    census->nr_examined++ >= MAX_EXAMINED)
				continue;
			find_header_at(&found, census->in, page);
			if (found.verdict != FIND_GOOD && census->nr_repairs++ < MAX_REPAIRS) {
				find_header_free(&found);
				find_header_repaired(&found, census->in, page);
			}
			if (found.verdict == FIND_GOOD) {
				if (page < known || is_of_region(census, &found.hdr, found.base))
					add_candidate(census, &found);
			} else if (found.verdict != FIND_NOTHING && page < known &&
				   census->nr_bad < MAX_GENERATIONS) {
				census->bad[census->nr_bad].addr = page;
				strcpy(census->bad[census->nr_bad++].why, found.why);
			}
			find_header_free(&found);
		}
		if (page <= addr)
			break;
		addr = page;
	}
}

static bool candidates_overlap(const struct candidate *a, const struct candidate *b)
{
	return a->base < candidate_end(b) && b->base < candidate_end(a);
}

/* Generations that overlap cannot both be whole: the newer one was written last. */
static u32 drop_overwritten(struct census *census)
{
	struct candidate *c = census->found;
	u32 nr = 0, i, k;

	for (i = 0; i < census->nr; i++)
		c[i].lives = true;
	for (i = 0; i < census->nr; i++)
		for (k = 0; k < census->nr; k++)
			if (k != i && candidates_overlap(&c[i], &c[k]) &&
			    header_is_older(&c[i].hdr, &c[k].hdr))
				c[i].lives = false;
	/* Of two with the same age, the first one. */
	for (i = 0; i < census->nr; i++)
		for (k = 0; k < i; k++)
			if (c[k].lives && candidates_overlap(&c[i], &c[k]))
				c[i].lives = false;
	for (i = 0; i < census->nr; i++)
		nr += !c[i].lives;
	return nr;
}

static int compare_age(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (header_is_older(&x->hdr, &y->hdr))
		return -1;
	if (header_is_older(&y->hdr, &x->hdr))
		return 1;
	return x->base < y->base ? -1 : x->base > y->base;
}

static int open_candidates(struct generation_set *generations, struct census *census, struct err *err)
{
	u32 i;
	int ret;

	qsort(census->found, census->nr, sizeof(*census->found), compare_age);
	for (i = 0; i < census->nr; i++) {
		const struct candidate *c = &census->found[i];

		if (!c->lives)
			continue;
		ret = generation_open(&generations->gen[generations->nr++], census->in,
				      c->base + (c->copy_only ? c->hdr.copy_off : 0), err);
		if (ret)
			return ret;
	}
	return 0;
}

/* Notes the bad headers that lie in no generation of the set. */
static void note_bad_headers(struct generation_set *generations, const struct census *census)
{
	u32 i, k;

	for (i = 0; i < census->nr_bad; i++) {
		bool inside = false;

		for (k = 0; k < census->nr; k++)
			inside |= census->found[k].lives &&
				  census->bad[i].addr >= census->found[k].base &&
				  census->bad[i].addr < candidate_end(&census->found[k]);
		if (!inside)
			damage_notes_add(&generation_set_newest(generations)->notes, NOTE_NOWHERE,
					 "a header at 0x%llx cannot be used: %s",
					 census->bad[i].addr, census->bad[i].why);
	}
}

static u64 pages_in_use(struct dump *in, u64 start, u64 size)
{
	u64 addr = start, next, len, n = 0;
	u8 page[EPITAPH_PAGE];
	ssize_t got;

	while (addr < start + size && dump_next_data(in, addr, &next, &len)) {
		if (next >= start + size)
			break;
		got = dump_read(in, next, page, sizeof(page), NULL);
		n += got > 0 && !all_zero(page, got);
		addr = next + EPITAPH_PAGE;
	}
	return n;
}

static bool overlaps_no_generation(const struct generation_set *generations, u64 start, u64 size)
{
	u32 i;

	for (i = 0; i < generations->nr; i++)
		if (start < generations->gen[i].base + generations->gen[i].hdr.gen_size &&
		    generations->gen[i].base < start + size)
			return false;
	return true;
}

/* The number of the last generation of when the region was divided otherwise; 0: there is none. */
static u64 last_of_other_division(struct generation_set *generations)
{
	const struct epitaph_header *hdr = &generation_set_newest(generations)->hdr;
	u64 last = 0;
	u32 i;

	for (i = 0; i < generations->nr; i++) {
		const struct epitaph_header *other = &generations->gen[i].hdr;

		if ((other->nr_gens != hdr->nr_gens || other->gen_size != hdr->gen_size) && other->number > last)
			last = other->number;
	}
	return last;
}

/*
 * Notes a place of the region that has data and no readable generation. Generation n had n - 1
 * before it: a place that no boot has used is not damage, although new memory is not zero. Where the
 * region was divided otherwise, or smaller, no boot before has used the places that there are now.
 */
static void note_missing_generations(struct generation_set *generations)
{
	struct generation *newest = generation_set_newest(generations);
	const struct epitaph_header *hdr = &newest->hdr;
	u64 expected = hdr->nr_gens, size = hdr->gen_size, pages, before = last_of_other_division(generations);
	u32 i, nr = 0;

	for (i = 0; i < generations->nr; i++)
		nr += !before || generations->gen[i].hdr.number > before;
	if (hdr->number && hdr->number - before < expected)
		expected = hdr->number - before;
	if (nr >= expected || generations->alone)
		return;
	for (i = 0; i < hdr->nr_gens && i < MAX_GENERATIONS && i * size < generations->size; i++) {
		u64 at = generations->start + i * size;

		if (!overlaps_no_generation(generations, at, size))
			continue;
		pages = pages_in_use(newest->in, at, size);
		if (!pages)
			continue;
		damage_notes_add(&newest->notes, NOTE_NOWHERE,
				 "%u of %llu generations can be read; at 0x%llx %llu of %llu pages hold something, and no header that can be used",
				 nr, expected, at, pages, size / EPITAPH_PAGE);
		return;
	}
}

/*
 * A cut in the newest generation is noted there, where it lacks something. One behind it takes
 * other generations away, and leaves nothing damaged. Cut to the first generation alone, a
 * file is what harvest saves, byte by byte.
 */
static void note_cut_region(struct generation_set *generations, struct dump *in)
{
	struct generation *newest = generation_set_newest(generations);
	u64 end = generations->start + generations->size;

	if (generations->alone || !dump_is_raw(in) || dump_end(in) >= end ||
	    dump_end(in) < newest->base + newest->hdr.gen_size)
		return;
	damage_notes_add(&newest->notes, NOTE_NOWHERE,
			 "the file ends at byte %llu of the region's %llu: it was cut, and earlier generations may have been behind it",
			 dump_end(in) - generations->start, generations->size);
}

/* A program can fill its memory with headers, whose dates are as it likes. */
static void note_other_regions(struct generation_set *generations)
{
	struct damage_notes *notes = &generation_set_newest(generations)->notes;
	const struct other_regions *others = &generations->others;

	if (others->is_unsure)
		damage_notes_add(notes, NOTE_NOWHERE,
				 "%u regions would do: only its date says that the one at 0x%llx is of this kernel, and a program can have written it; \"epitaph info\" names the others",
				 others->nr + 1, generations->start);
	if (others->nr_untried)
		damage_notes_add(notes, NOTE_NOWHERE,
				 "%u headers elsewhere in the dump, whose check does not hold, were not tried with their parity",
				 others->nr_untried);
}

/* Sets start and size of the region, from one generation of it. */
static void measure_region(struct generation_set *generations, struct dump *in,
			   const struct candidate *first)
{
	const struct epitaph_header *hdr = &first->hdr;
	u64 before = (u64)hdr->gen_index * hdr->gen_size;
	u64 all = header_region_size(hdr);

	if (dump_is_collection(in)) {
		/* Unrelated generations follow each other in a collection. */
		generations->alone = true;
		generations->size = dump_end(in);
		return;
	}
	generations->alone = first->base < before ||
			     (hdr->nr_gens > 1 && !hdr->gen_index && !first->base &&
			      dump_end(in) == hdr->gen_size);
	generations->start = generations->alone ? first->base : first->base - before;
	generations->size = generations->alone ? hdr->gen_size : all;
	if (!add_fits(generations->start, generations->size, &all))
		generations->size = 0 - generations->start - EPITAPH_PAGE;
}

/* Up to where the region may reach, if it was enlarged since the header that was found first. */
static u64 region_reach(const struct generation_set *generations, const struct dump *in)
{
	u64 end = dump_end(in), most;

	if (mul_fits(generations->size, REGION_MAX_LARGER, &most) && most < end - generations->start)
		end = generations->start + most;
	return end;
}

/* From @known on may be other memory, with headers that a program wrote: the region was larger once, and is smaller now. */
static void drop_others(struct census *census, u64 known)
{
	struct candidate *c = census->found;
	u32 nr = 0;

	for (u32 i = 0; i < census->nr; i++)
		if (c[i].base < known || is_of_region(census, &c[i].hdr, c[i].base))
			c[nr++] = c[i];
	census->nr = nr;
}

/*
 * Those of a region that was enlarged say that it is larger than the first header knows, and may lie
 * behind the end that this one knows: in a file that is nothing but a region all of it is looked at.
 */
static void take_census(struct generation_set *generations, struct census *census)
{
	u64 known_size = generations->size, known = generations->start + known_size, reach = region_reach(generations, census->in), size;
	bool is_file = dump_is_raw(census->in) && generations->start != census->phys_addr;
	u32 i;

	census->end = is_file && !generations->alone && reach > known ? reach : known;
	examine_pages(census, generations->start, known);
	drop_planted(census);
	for (i = 0; i < census->nr && !generations->alone; i++) {
		const struct candidate *c = &census->found[i];

		size = header_region_size(&c->hdr);
		if (is_of_region(census, &c->hdr, c->base) && size > generations->size && size <= ~0ULL - generations->start)
			generations->size = size;
	}
	known = census->end;
	census->end = generations->start + generations->size < reach ? generations->start + generations->size : reach;
	if (census->end <= known)
		return;
	examine_pages(census, known, census->end);
	drop_others(census, generations->start + known_size);
	drop_planted(census);
}

/*
 * From here on, all bytes of the region are of one copy: a guest may write to the file meanwhile.
 * Of the first look remains where the region is.
 */
static int hold_region(struct generation_set *generations, struct census *census,
		       struct find_header *first, struct err *err)
{
	u64 start = generations->start, size = generations->size;
	u64 addr = first->base + (first->is_copy ? first->hdr.copy_off : 0);
	int ret = dump_hold(census->in, start, size, err);

	if (ret <= 0)
		return ret;
	find_header_free(first);
	if (find_header_at(first, census->in, addr) != FIND_GOOD) {
		find_header_free(first);
		find_header_repaired(first, census->in, addr);
	}
	census->nr = census->nr_content = 0;
	if (first->verdict == FIND_GOOD && addr >= start && addr - start < size) {
		add_candidate(census, first);
		measure_region(generations, census->in, census->found);
	}
	if (census->nr && generations->start == start && generations->size == size)
		return 0;
	return err_set(err, ERR_CORRUPT, addr,
		       "the header changed while it was read: the file is written to; try again");
}

int generation_set_find(struct generation_set **ret_generations, struct dump *in, struct err *err)
{
	struct census census = { .in = in };
	struct find_header first;
	struct generation_set *generations;
	struct generation *newest;
	struct other_regions others = { 0 };
	int ret = find_region(&first, &others, in, err);

	if (ret)
		return ret;
	generations = calloc(1, sizeof(*generations));
	census.found = calloc(MAX_GENERATIONS, sizeof(*census.found));
	if (!generations || !census.found) {
		ret = err_sys(err, "memory");
		goto out;
	}
	generations->others = others;
	add_candidate(&census, &first);
	measure_region(generations, in, census.found);
	ret = hold_region(generations, &census, &first, err);
	if (ret)
		goto out;
	census.start = generations->start;
	census.phys_addr = census.found->hdr.phys_addr;
	take_census(generations, &census);
	generations->nr_overwritten = drop_overwritten(&census);
	ret = open_candidates(generations, &census, err);
	if (ret)
		goto out;
	newest = generation_set_newest(generations);
	newest->is_newest = true;
	note_bad_headers(generations, &census);
	if (census.nr_examined > MAX_EXAMINED)
		damage_notes_add(&newest->notes, NOTE_NOWHERE,
				 "%u pages look like headers; only %u were looked into",
				 census.nr_examined, MAX_EXAMINED);
	note_missing_generations(generations);
	note_cut_region(generations, in);
	note_other_regions(generations);
	/* What a user can copy out of a collection is one generation. */
	if (dump_is_collection(in)) {
		generations->start = newest->base;
		generations->size = newest->hdr.gen_size;
	}
out:
	find_header_free(&first);
	free(census.found);
	if (ret) {
		generation_set_free(generations);
		return ret;
	}
	*ret_generations = generations;
	return 0;
}

void generation_set_free(struct generation_set *generations)
{
	u32 i;

	for (i = 0; generations && i < MAX_GENERATIONS; i++)
		generation_close(&generations->gen[i]);
	free(generations);
}

struct generation *generation_set_newest(struct generation_set *generations)
{
	return &generations->gen[generations->nr - 1];
}

struct generation *generation_set_number(struct generation_set *generations, u64 number)
{
	u32 i;

	for (i = generations->nr; number && i > 0; i--)
		if (generations->gen[i - 1].hdr.number == number)
			return &generations->gen[i - 1];
	return NULL;
}
