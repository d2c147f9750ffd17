/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generations that a region holds: what earlier boots left, and where the
 * next one goes.  docs/generations.md has the rules.  generation.c and place.c
 * build in user space as well, where they are given damaged images.
 *
 * Nothing here is believed before its check holds, and every offset is tested
 * against the memory that is there: firmware may have written to it.
 */
#ifndef _EPITAPH_GENERATION_H
#define _EPITAPH_GENERATION_H

#include <epitaph/format.h>
#include <epitaph/plat.h>

#define EPITAPH_MAX_GENS	16	/* of a region as we divide it up */
#define EPITAPH_MAX_FOUND	64	/* that it may hold, divided up anyhow */

/* Can all pages of the range be read?  Bit n of @bad: page n of the region cannot; NULL: all can. */
bool epitaph_is_readable(const u8 *bad, u64 off, u64 size);

/**
 * epitaph_is_header() - is there a header, or the copy of one?
 * @base: the region
 * @size: of it
 * @off: of a page in it
 * @bad: pages that must not be touched
 * @budget: bytes of tables that may still be checked; counts down
 */
bool epitaph_is_header(const void *base, u64 size, u64 off, const u8 *bad, u64 *budget);

/**
 * struct epitaph_gen - one generation, as found
 * @off: in the region
 * @size: bytes, those that are in the region: it may have been larger
 * @number: from 1; 0: a writer that did not count
 * @salt: seed of its checks
 * @table: its header, or the copy, whichever holds
 * @bad: pages of the region that must not be touched, or NULL
 * @from_copy: the header at its start is damaged
 * @crashed: it has a crash stamp
 * @ended: it went down in order, and has none
 * @taken: by enum epitaph_taken_how
 */
struct epitaph_gen {
	u64	off;
	u64	size;
	u64	number;
	u64	salt;
	const struct epitaph_header *table;
	const u8 *bad;
	bool	from_copy;
	bool	crashed;
	bool	ended;
	bool	taken[EPITAPH_NR_TAKEN];
};

/**
 * struct epitaph_gens - all of them, by number
 * @gen: @nr of them, the oldest first
 * @nr: none is possible
 * @bad: pages of the region that must not be touched, or NULL
 */
struct epitaph_gens {
	struct epitaph_gen gen[EPITAPH_MAX_FOUND];
	unsigned int nr;
	const u8 *bad;
};

/**
 * epitaph_gens_find() - look at every page of a region
 * @gens: filled in
 * @base: the region
 * @size: of it
 * @bad: pages that must not be touched, as of epitaph_is_readable(); valid as long as @gens
 *
 * Two that overlap cannot both be whole: the one with the larger number stays.
 */
void epitaph_gens_find(struct epitaph_gens *gens, const void *base, u64 size, const u8 *bad);

/**
 * epitaph_gens_drop() - forget those that overlap a range
 * @gens: the others move up
 * @off: in the region
 * @size: bytes
 */
void epitaph_gens_drop(struct epitaph_gens *gens, u64 off, u64 size);

/* Do they share a byte? */
static inline bool epitaph_gen_overlaps(const struct epitaph_gen *gen, u64 off, u64 size)
{
	return gen->off < off + size && off < gen->off + gen->size;
}

/* The generation is not harvested, and did not end in order. */
bool epitaph_gen_is_evidence(const struct epitaph_gen *gen);

/**
 * struct epitaph_place - where the next generation goes
 * @index: its slot
 * @is_free: there is no generation in it
 * @number: its number
 * @lost_number, @lost_gens: for its header
 * @loses: nr_loses numbers of generations that are overwritten now, unharvested
 */
struct epitaph_place {
	u32	index;
	bool	is_free;
	u64	number;
	u64	lost_number;
	u32	lost_gens;
	u64	loses[EPITAPH_MAX_FOUND];
	unsigned int nr_loses;
};

/**
 * epitaph_gens_place() - choose what may be overwritten
 * @place: filled in
 * @gens: as found
 * @gen_size: of the next one
 * @nr_gens: slots; slot i begins at i * @gen_size
 *
 * Return: 0, or -EIO: each slot has a page that cannot be read.
 */
int epitaph_gens_place(struct epitaph_place *place, const struct epitaph_gens *gens,
		       u64 gen_size, u32 nr_gens);

/* Of @size bytes, in words: the bytes of those that are not zero. */
u64 epitaph_count_nonzero(const void *base, u64 size);

/**
 * epitaph_gen_section() - the first section of a type
 * @gen: found in the region at @base
 * @type: enum epitaph_section_type
 * @size: its bytes, set on return
 *
 * Return: NULL if it has none, or none that lies within it and can be read.
 */
const void *epitaph_gen_section(const struct epitaph_gen *gen, const void *base,
				u32 type, u64 *size);

/**
 * epitaph_gen_entry() - an entry of the first section of a type
 * @gen: found in the region at @base
 * @type: of a section that is an array
 * @i: from 0
 * @known: bytes of an entry that the caller knows; a later format may have more
 *
 * Return: @known bytes and more, aligned to 8; NULL if there are none;
 *	epitaph_gen_unreadable, which is zeroes, if a page of it cannot be read.
 */
const void *epitaph_gen_entry(const struct epitaph_gen *gen, const void *base,
			      u32 type, u64 i, u32 known);
extern const u8 epitaph_gen_unreadable[EPITAPH_PAGE];

/* The next section of @type behind entry *@i of the table, from 0; *@i is set. */
const struct epitaph_section *epitaph_gen_next(const struct epitaph_gen *gen,
					       u32 type, u32 *i);

/**
 * epitaph_first_and_last() - the entry of number @seq of @n that keep both
 * @seq: from 1
 * @n: at least 2
 */
static inline u64 epitaph_first_and_last(u64 seq, u64 n)
{
	u64 half = n / 2;

	return seq <= half ? seq - 1 : half + (seq - 1 - half) % (n - half);
}

#endif /* _EPITAPH_GENERATION_H */
