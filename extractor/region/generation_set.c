// SPDX-License-Identifier: GPL-2.0-or-later
/* All generations of an input: each where its own header says. */
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "locate.h"
#include "generation.h"

#define MAX_LOOKS	1024	/* pages with the magic that are looked into */

/*
 * A good header, or more of one generation.
 * @copy_only: the one at its start is not among them
 */
struct candidate {
	u64 base;
	struct epitaph_header hdr;
	bool copy_only;
	bool lives;
};

/*
 * What a look at every page of the region has met.
 * @bad: where headers are that cannot be used, and why
 */
struct census {
	struct dump *in;
	u64 end;
	struct candidate *found;
	u32 nr;
	struct {
		u64 addr;
		char why[160];
	} bad[MAX_GENERATIONS];
	u32 nr_bad;
	u32 nr_looks;
};

static u64 end_of(const struct candidate *c)
{
	return c->base + c->hdr.gen_size;
}

/* Number first; generations of 1.0 have none, and go by their time. */
static bool is_older(const struct epitaph_header *a, const struct epitaph_header *b)
{
	if (a->number != b->number)
		return a->number < b->number;
	return a->start_real_ns < b->start_real_ns;
}

static void take_good(struct census *census, const struct find_header *found)
{
	struct candidate *c;

	for (c = census->found; c < census->found + census->nr; c++)
		if (c->base == found->base && !memcmp(&c->hdr.salt, &found->hdr.salt, 8)) {
			c->copy_only &= found->is_copy;
			return;
		}
	if (census->nr == MAX_GENERATIONS)
		return;
	*c = (struct candidate){ .base = found->base, .hdr = found->hdr,
				 .copy_only = found->is_copy };
	census->nr++;
}

static void take_bad(struct census *census, const struct find_header *found, u64 addr)
{
	if (census->nr_bad == MAX_GENERATIONS)
		return;
	census->bad[census->nr_bad].addr = addr;
	strcpy(census->bad[census->nr_bad++].why, found->why);
}

static void look(struct census *census, u64 addr)
{
	struct find_header found;

	if (!find_magic_at(census->in, addr) || census->nr_looks++ >= MAX_LOOKS)
		return;
	if (find_header_at(&found, census->in, addr) == FIND_GOOD)
		take_good(census, &found);
	else if (found.verdict != FIND_NOTHING)
		take_bad(census, &found, addr);
	find_header_free(&found);
}

static void look_at_pages(struct census *census, u64 start)
{
	u64 addr = start - start % EPITAPH_PAGE, next, len, page;

	while (addr < census->end && dump_next_data(census->in, addr, &next, &len)) {
		for (page = next; page - next < len && page < census->end; page += EPITAPH_PAGE)
			look(census, page);
		if (page <= addr)
			break;
		addr = page;
	}
}

static bool overlap(const struct candidate *a, const struct candidate *b)
{
	return a->base < end_of(b) && b->base < end_of(a);
}

/* Two that overlap cannot both be whole: the newer one was written last. */
static u32 drop_overwritten(struct census *census)
{
	u32 nr = 0, i, k;

	for (i = 0; i < census->nr; i++)
		census->found[i].lives = true;
	for (i = 0; i < census->nr; i++)
		for (k = 0; k < census->nr; k++)
			if (k != i && overlap(&census->found[i], &census->found[k]) &&
			    is_older(&census->found[i].hdr, &census->found[k].hdr))
				census->found[i].lives = false;
	/* Twins, neither of them older: the first. */
	for (i = 0; i < census->nr; i++)
		for (k = 0; k < i; k++)
			if (census->found[k].lives && overlap(&census->found[i], &census->found[k]))
				census->found[i].lives = false;
	for (i = 0; i < census->nr; i++)
		nr += !census->found[i].lives;
	return nr;
}

static int by_age(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (is_older(&x->hdr, &y->hdr))
		return -1;
	if (is_older(&y->hdr, &x->hdr))
		return 1;
	return x->base < y->base ? -1 : x->base > y->base;
}

static int take_all(struct generation_set *generations, struct census *census, struct err *err)
{
	u32 i;
	int ret;

	qsort(census->found, census->nr, sizeof(*census->found), by_age);
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

/* Headers that belong to no generation that is told. */
static void note_bad_headers(struct generation_set *generations, const struct census *census)
{
	u32 i, k;

	for (i = 0; i < census->nr_bad; i++) {
		bool inside = false;

		for (k = 0; k < census->nr; k++)
			inside |= census->found[k].lives &&
				  census->bad[i].addr >= census->found[k].base &&
				  census->bad[i].addr < end_of(&census->found[k]);
		if (!inside)
			damage_notes_add(&generation_set_newest(generations)->notes, NOTE_NOWHERE,
					 "a header at 0x%llx cannot be used: %s",
					 census->bad[i].addr, census->bad[i].why);
	}
}

static bool is_zero(const u8 *page, size_t size)
{
	return !page[0] && !memcmp(page, page + 1, size - 1);
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
		n += got > 0 && !is_zero(page, got);
		addr = next + EPITAPH_PAGE;
	}
	return n;
}

static bool is_free(const struct generation_set *generations, u64 start, u64 size)
{
	u32 i;

	for (i = 0; i < generations->nr; i++)
		if (start < generations->gen[i].base + generations->gen[i].hdr.gen_size &&
		    generations->gen[i].base < start + size)
			return false;
	return true;
}

/*
 * Generation number n had n - 1 before it, so that what no boot ever used is
 * not told as damage; memory is not zero when it is new.
 */
static void note_missing(struct generation_set *generations)
{
	struct generation *newest = generation_set_newest(generations);
	const struct epitaph_header *hdr = &newest->hdr;
	u64 should = hdr->nr_gens, size = hdr->gen_size, pages;
	u32 i;

	if (hdr->number && hdr->number < should)
		should = hdr->number;
	if (generations->nr >= should || generations->alone)
		return;
	for (i = 0; i < hdr->nr_gens && i < MAX_GENERATIONS && i * size < generations->size; i++) {
		u64 at = generations->start + i * size;

		if (!is_free(generations, at, size))
			continue;
		pages = pages_in_use(newest->in, at, size);
		if (!pages)
			continue;
		damage_notes_add(&newest->notes, NOTE_NOWHERE,
				 "%u of %llu generations can be read; at 0x%llx %llu of %llu pages hold something, and no header that can be used",
				 generations->nr, should, at, pages, size / EPITAPH_PAGE);
		return;
	}
}

/* Where the input ends, as far as it speaks of memory. */
static u64 end_of_input(struct dump *in)
{
	size_t n = dump_nr_segments(in);
	struct dump_segment last;

	if (!n)
		return 0;
	last = dump_segment(in, n - 1);
	return last.paddr + last.size;
}

/* All that is of the region: @first tells where it lies. */
static void measure_memory(struct generation_set *generations, struct dump *in,
			   const struct candidate *first)
{
	const struct epitaph_header *hdr = &first->hdr;
	u64 before = (u64)hdr->gen_index * hdr->gen_size;
	u64 all = (u64)hdr->nr_gens * hdr->gen_size;

	if (hdr->region_size > all && hdr->region_size <= GENERATION_MAX_SIZE)
		all = hdr->region_size;
	generations->alone = first->base < before ||
			 (hdr->nr_gens > 1 && !hdr->gen_index && !first->base &&
			  end_of_input(in) == hdr->gen_size);
	generations->start = generations->alone ? first->base : first->base - before;
	generations->size = generations->alone ? hdr->gen_size : all;
	if (!add_fits(generations->start, generations->size, &all))
		generations->size = 0 - generations->start - EPITAPH_PAGE;
}

/* Of a collection, generations lie behind each other that have nothing to do with it. */
static void measure(struct generation_set *generations, struct dump *in, const struct candidate *first)
{
	if (!dump_is_collection(in))
		return measure_memory(generations, in, first);
	generations->alone = true;
	generations->size = end_of_input(in);
}

/* What can be copied of a collection is a generation. */
static void settle(struct generation_set *generations, struct dump *in)
{
	if (!dump_is_collection(in))
		return;
	generations->start = generation_set_newest(generations)->base;
	generations->size = generation_set_newest(generations)->hdr.gen_size;
}

static int count(struct generation_set *generations, struct census *census,
		 const struct find_header *first, struct err *err)
{
	int ret;

	take_good(census, first);
	measure(generations, census->in, census->found);
	census->end = generations->start + generations->size;
	look_at_pages(census, generations->start);
	generations->nr_overwritten = drop_overwritten(census);
	ret = take_all(generations, census, err);
	if (ret)
		return ret;
	note_bad_headers(generations, census);
	if (census->nr_looks > MAX_LOOKS)
		damage_notes_add(&generation_set_newest(generations)->notes, NOTE_NOWHERE,
				 "%u pages look like headers; only %u were looked into",
				 census->nr_looks, MAX_LOOKS);
	note_missing(generations);
	settle(generations, census->in);
	return 0;
}

int generation_set_find(struct generation_set **ret_regions, struct dump *in, struct err *err)
{
	struct census census = { .in = in };
	struct find_header first;
	struct generation_set *generations;
	int ret = find_first(&first, in, err);

	if (ret)
		return ret;
	generations = calloc(1, sizeof(*generations));
	census.found = calloc(MAX_GENERATIONS, sizeof(*census.found));
	ret = generations && census.found ? count(generations, &census, &first, err) :
					err_sys(err, "memory");
	find_header_free(&first);
	free(census.found);
	if (ret) {
		generation_set_free(generations);
		return ret;
	}
	*ret_regions = generations;
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
