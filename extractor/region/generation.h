/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A generation, found in an input: its header in host order, its sections.
 *
 * Nothing of it is believed before its check holds, and no number of it decides
 * how much memory is taken.
 */
#ifndef EPITAPH_REGION_GENERATION_H
#define EPITAPH_REGION_GENERATION_H

#include <epitaph/format.h>

#include "base/damage_notes.h"
#include "base/byte_source.h"
#include "dump/dump.h"

#define REGION_MAX_TABLE	(4U << 20)	/* bytes of header and section table */
#define REGION_MAX_GENS		64
#define REGION_MAX_SIZE		(1ULL << 40)

struct section {
	u32 type;
	u32 cpu;
	u32 channel;
	u32 unit;
	u32 index;
	u64 off;
	u64 size;
	u64 check;
};

/**
 * struct region - one generation
 * @in: the caller's
 * @base: its byte 0 in @in
 * @hdr: in host order; texts are the file's and may lack their terminator
 * @from_copy: the header at its start is damaged
 * @sections: nr_sections of them, those that lie within the generation
 * @notes: what is wrong
 */
struct region {
	struct input *in;
	u64 base;
	struct epitaph_header hdr;
	bool from_copy;
	struct section *sections;
	u32 nr_sections;
	struct notes notes;
};

/**
 * region_open() - read header and section table of one generation
 * @region: zeroed; region_close() is needed afterwards in any case
 * @addr: of a good header in @in, the first one or the copy
 */
int region_open(struct region *region, struct input *in, u64 addr, struct err *err);

void region_close(struct region *region);

/**
 * struct regions - the generations of one input
 * @gen: the oldest first
 * @nr: at least 1
 * @start: where the region begins in the input, all generations
 * @size: of it
 * @alone: without the others of its region, as a harvest saves one and pstore
 *	shows them; @start and @size are those of the newest
 * @nr_overwritten: generations whose header is there, and their place in part
 *	another's by now
 */
struct regions {
	struct region gen[REGION_MAX_GENS];
	u32 nr;
	u64 start;
	u64 size;
	bool alone;
	u32 nr_overwritten;
};

/**
 * region_find() - look for generations
 * @in: remains the caller's, and must live as long as @ret
 *
 * Every page of the region is looked at, because it may have been divided up
 * in another way once.
 *
 * Return: 0; -ERR_NOT_OURS: none; -ERR_CORRUPT: there is one, and it cannot be
 *	read: the message says what was found where; -ERR_IO.
 */
int region_find(struct regions **ret, struct input *in, struct err *err);

void regions_free(struct regions *regions);

/* The one that began last. */
struct region *regions_newest(struct regions *regions);

/* The one of a number from 1, or NULL. */
struct region *regions_number(struct regions *regions, u64 number);

/* The first section of @type, or NULL. */
const struct section *region_section(const struct region *region, u32 type);

#define SECTION_MAX_ENTRIES	(1U << 20)	/* more are not looked at */

/* Number of entries of an array section whose entries have at least @size bytes. */
u64 section_entries(const struct section *sec, size_t size);

/**
 * section_entry() - read one entry of an array section and check it
 * @buf: @size bytes, the struct of format.h, whose check is the last 8
 *
 * Return: 1: good; 0: all zero; -1: damaged; -2: not in the file.
 */
int section_entry(const struct region *region, const struct section *sec, u64 i,
		  void *buf, size_t size);

/**
 * section_damaged() - how many entries of an array section are damaged
 * @size: of an entry's struct, as in section_entry()
 * @ret_off: where the first one lies in the generation; as it was if there is none
 */
u64 section_damaged(const struct region *region, const struct section *sec, size_t size,
		    u64 *ret_off);

/* region_read() - bytes of the generation; as input_read() */
ssize_t region_read(const struct region *region, u64 off, void *buf, size_t size,
		    struct err *err);

/* One section as a source; @rs must live as long as it. */
struct region_source {
	const struct region *region;
	const struct section *sec;
};

struct source region_source(struct region_source *rs);

#endif
