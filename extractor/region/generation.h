/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: region - what the recorder left in reserved memory
 *
 * A region has one generation for each boot. A generation has a header, a table of sections, and
 * sections: rings of events, formats, names, marks, records. This room reads them out of a dump
 * and verifies each check; it knows no text of an event. docs/format.md describes the bytes.
 *
 *	struct generation_set *set;
 *
 *	if (!generation_set_find(&set, dump, &err)) {
 *		struct generation *newest = generation_set_newest(set);
 *		...
 *		generation_set_free(set);
 *	}
 *
 * The dump remains the caller's and must outlive the set. The content is hostile: nothing is
 * used before its check holds, and no number from the dump sets the size of an allocation
 * without a limit. Damage is no error: it is noted in generation.notes. One thread at a time.
 */
#ifndef EPITAPH_REGION_GENERATION_H
#define EPITAPH_REGION_GENERATION_H

#include <epitaph/parity.h>

#include "base/damage_notes.h"
#include "base/byte_source.h"
#include "dump/dump.h"

#define GENERATION_MAX_TABLE	(4U << 20)	/* bytes of header and section table */
#define MAX_GENERATIONS		64
#define MAX_OTHER_REGIONS	7
#define GENERATION_MAX_SIZE		(1ULL << 40)

/*
 * One section of a generation. @unit: bytes of an entry. @off: in the generation. @from_dump: made
 * of the memory of a dump, not by the recorder.
 */
struct section {
	u32 type;
	bool from_dump;
	u32 cpu;
	u32 channel;
	u32 unit;
	u32 index;
	u64 off;
	u64 size;
	u64 check;
};

/**
 * struct generation - one generation
 * @in: the dump, owned by the caller
 * @base: address of the generation in @in
 * @hdr: the header in host byte order; texts may lack their terminator
 * @from_copy: @hdr is the copy, because the header at the start is damaged
 * @sections: the nr_sections sections that lie within the generation
 * @is_newest: of its region
 * @is_repaired: @hdr is damaged in memory; its parity brought it back
 * @parity: NULL: there is none
 * @notes: the damage that was found
 */
struct generation {
	struct dump *in;
	u64 base;
	struct epitaph_header hdr;
	bool from_copy;
	bool is_newest;
	bool is_repaired;
	struct parity *parity;
	struct section *sections;
	u32 nr_sections;
	struct damage_notes notes;
};

/**
 * generation_open() - read header and section table of one generation
 * @generation: zeroed; generation_close() is needed afterwards in any case
 * @addr: of a good header in @in, at the start of the generation or the copy
 */
int generation_open(struct generation *generation, struct dump *in, u64 addr, struct err *err);

void generation_close(struct generation *generation);

/**
 * struct other_regions - regions of the same machine by which a dump is not read
 * @region: the first of them, by address: where each begins, and when its newest generation did
 * @nr: how many there are
 * @is_unsure: nothing but a date says which of them is of the kernel that the dump is of
 * @nr_untried: headers with a wrong check that were not tried with their parity
 */
struct other_regions {
	struct {
		u64 addr;
		u64 start_real_ns;
	} region[MAX_OTHER_REGIONS];
	u32 nr;
	bool is_unsure;
	u32 nr_untried;
};

/**
 * struct generation_set - the generations of one dump
 * @gen: the oldest first
 * @nr: at least 1
 * @start: address of the region with all its generations
 * @size: of the region
 * @alone: generations without the rest of their region, as harvest and pstore give them;
 *	@start and @size are those of the newest
 * @nr_overwritten: generations that a newer one has partly overwritten
 * @others: of recorders before, at other addresses
 */
struct generation_set {
	struct generation gen[MAX_GENERATIONS];
	u32 nr;
	u64 start;
	u64 size;
	bool alone;
	u32 nr_overwritten;
	struct other_regions others;
};

/**
 * generation_set_find() - find all generations of a dump
 * @ret: free with generation_set_free()
 * @in: remains the caller's, and must live as long as @ret
 *
 * Examines every page of the region, which earlier boots may have divided differently.
 *
 * Return: 0; -ERR_NOT_OURS: no generation; -ERR_CORRUPT: a generation that cannot be read, see
 *	the message; -ERR_IO.
 */
int generation_set_find(struct generation_set **ret, struct dump *in, struct err *err);

void generation_set_free(struct generation_set *generations);

/* The generation that began last. */
struct generation *generation_set_newest(struct generation_set *generations);

/* The newest generation with @number, which counts from 1; or NULL. */
struct generation *generation_set_number(struct generation_set *generations, u64 number);

/* The first section of @type, or NULL. */
const struct section *generation_section(const struct generation *generation, u32 type);

/* Of a kernel without a recorder (excerpt.h): a table of events that has none, no ring, no channel. */
bool generation_has_no_recorder(const struct generation *generation);

#define SECTION_MAX_ENTRIES	(1U << 20)	/* further entries are ignored */

/* Number of entries of an array section; 0 if an entry has fewer than @size bytes. */
u64 section_entries(const struct section *sec, size_t size);

/**
 * section_entry() - read one entry of an array section and check it
 * @buf: @size bytes, the struct of format.h, whose check is the last 8
 *
 * Return: 1: good; 0: all zero; -1: damaged; -2: not in the file.
 */
int section_entry(const struct generation *generation, const struct section *sec, u64 i,
		  void *buf, size_t size);

/**
 * section_sized() - read the bytes behind a header, whose check covers both
 * @ret: the bytes, the caller's; NULL: they are damaged or not in the file
 * @off: of the header in the generation
 * @hdr: @hdr_size bytes, with the check in the last 8; corrected, if the check holds only then, or
 *	if it was unused
 * @size_at: where in @hdr the number of the bytes is, of 32 bits
 * @room: the most that is possible
 *
 * Return: 0, or -ERR_IO; damage is no error.
 */
int section_sized(u8 **ret, const struct generation *generation, u64 off, void *hdr, size_t hdr_size,
		  size_t size_at, u64 room, struct err *err);

/**
 * section_damaged() - count the damaged entries of an array section
 * @size: as in section_entry()
 * @ret_off: offset of the first damaged entry in the generation; unchanged if there is none
 */
u64 section_damaged(const struct generation *generation, const struct section *sec, size_t size,
		    u64 *ret_off);

/* Reads bytes of the generation, as dump_read(). */
ssize_t generation_read(const struct generation *generation, u64 off, void *buf, size_t size,
			struct err *err);

/**
 * generation_repair() - correct bytes by the parity of their pages
 * @buf: @size bytes from @off on, of generation_read(), with a check that does not hold
 *
 * The parity may be older than the page, and gives then what the page had before. So believe the
 * bytes only if their check holds now.
 *
 * Return: was anything changed?
 */
bool generation_repair(const struct generation *generation, u64 off, void *buf, size_t size);

/* Bits of a word that damage flips; words that differ as a whole have 32. Of half a word: a quarter. */
#define FLIPPED_MAX	16

/* Zeroes that generation_repair() gave were there if the check in memory was zero but for damage. */
static inline bool generation_was_unused(u64 check)
{
	return __builtin_popcountll(check) <= FLIPPED_MAX;
}

/* Counts the entry at @off, whose check holds since generation_repair(); each once. */
void generation_count_repaired(const struct generation *generation, u64 off);

u32 generation_nr_repaired(const struct generation *generation);

/* One section as a source, which uses @rs as long as it lives. */
struct generation_source {
	const struct generation *generation;
	const struct section *sec;
};

struct source generation_source(struct generation_source *rs);

#endif
