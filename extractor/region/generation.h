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

#define GENERATION_MAX_TABLE	(4U << 20)	/* bytes of header and section table */
#define MAX_GENERATIONS		64
#define GENERATION_MAX_SIZE		(1ULL << 40)

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
 * struct generation - one generation
 * @in: the caller's
 * @base: its byte 0 in @in
 * @hdr: in host order; texts are the file's and may lack their terminator
 * @from_copy: the header at its start is damaged
 * @sections: nr_sections of them, those that lie within the generation
 * @notes: what is wrong
 */
struct generation {
	struct dump *in;
	u64 base;
	struct epitaph_header hdr;
	bool from_copy;
	struct section *sections;
	u32 nr_sections;
	struct damage_notes notes;
};

/**
 * generation_open() - read header and section table of one generation
 * @generation: zeroed; generation_close() is needed afterwards in any case
 * @addr: of a good header in @in, the first one or the copy
 */
int generation_open(struct generation *generation, struct dump *in, u64 addr, struct err *err);

void generation_close(struct generation *generation);

/**
 * struct generation_set - the generations of one input
 * @gen: the oldest first
 * @nr: at least 1
 * @start: where the region begins in the input, all generations
 * @size: of it
 * @alone: without the others of its region, as a harvest saves one and pstore
 *	shows them; @start and @size are those of the newest
 * @nr_overwritten: generations whose header is there, and their place in part
 *	another's by now
 */
struct generation_set {
	struct generation gen[MAX_GENERATIONS];
	u32 nr;
	u64 start;
	u64 size;
	bool alone;
	u32 nr_overwritten;
};

/**
 * generation_set_find() - look for generations
 * @in: remains the caller's, and must live as long as @ret
 *
 * Every page of the region is looked at, because it may have been divided up
 * in another way once.
 *
 * Return: 0; -ERR_NOT_OURS: none; -ERR_CORRUPT: there is one, and it cannot be
 *	read: the message says what was found where; -ERR_IO.
 */
int generation_set_find(struct generation_set **ret, struct dump *in, struct err *err);

void generation_set_free(struct generation_set *generations);

/* The one that began last. */
struct generation *generation_set_newest(struct generation_set *generations);

/* The one of a number from 1, or NULL. */
struct generation *generation_set_number(struct generation_set *generations, u64 number);

/* The first section of @type, or NULL. */
const struct section *generation_section(const struct generation *generation, u32 type);

#define SECTION_MAX_ENTRIES	(1U << 20)	/* more are not looked at */

/* Number of entries of an array section whose entries have at least @size bytes. */
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
 * section_damaged() - how many entries of an array section are damaged
 * @size: of an entry's struct, as in section_entry()
 * @ret_off: where the first one lies in the generation; as it was if there is none
 */
u64 section_damaged(const struct generation *generation, const struct section *sec, size_t size,
		    u64 *ret_off);

/* generation_read() - bytes of the generation; as dump_read() */
ssize_t generation_read(const struct generation *generation, u64 off, void *buf, size_t size,
			struct err *err);

/* One section as a source; @rs must live as long as it. */
struct generation_source {
	const struct generation *generation;
	const struct section *sec;
};

struct source generation_source(struct generation_source *rs);

#endif
