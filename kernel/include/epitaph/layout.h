/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the sections of a generation lie; builds in user space as well. */
#ifndef _EPITAPH_LAYOUT_H
#define _EPITAPH_LAYOUT_H

#include <epitaph/format.h>
#include <epitaph/plat.h>
#include <epitaph/ring.h>

#define EPITAPH_SUB_SIZE	4096
#define EPITAPH_RECORD_SIZE	8192	/* struct epitaph_record and its bytes */

/* Sections that are there once; the rings come behind them. */
#define EPITAPH_NR_FIXED	20
#define EPITAPH_NR_TYPES	(EPITAPH_SEC_MEMORY + 1)

#define EPITAPH_SKEWS_OF_CPU	8	/* entries of struct epitaph_skew */

#define EPITAPH_MAX_ADDED	64	/* channels, copies among them */
#define EPITAPH_POOL_DEFAULT	(~0ULL)	/* an eighth of what the main channel would have */

enum epitaph_channel_id {
	EPITAPH_CHANNEL_MAIN = 0,
	EPITAPH_CHANNEL_RAS = 1,	/* events of ras:*, so that others do not evict them */
	EPITAPH_NR_CHANNELS,		/* with a ring for each CPU */
	EPITAPH_CHANNEL_USER = EPITAPH_NR_CHANNELS,	/* marks; one ring for all CPUs */
	EPITAPH_NR_ALL_CHANNELS
};

/* From now on plans have an entry of EPITAPH_SEC_BRANCHES for each CPU, or none. */
void epitaph_layout_want_branches(bool want);

/* From now on plans have so many bytes of EPITAPH_SEC_MEMORY, or a 64th of the generation if that is less. */
void epitaph_layout_want_memory(u64 bytes);

/* As the region has it. */
const char *epitaph_channel_name(enum epitaph_channel_id channel);

/**
 * struct epitaph_rings_plan - the rings of one channel
 * @off: of the first; of %EPITAPH_CHANNEL_USER, see epitaph_layout_align()
 * @size: bytes of each
 * @sub_size: bytes of a sub-buffer
 */
struct epitaph_rings_plan {
	u64	off;
	u64	size;
	u32	sub_size;
};

/**
 * struct epitaph_layout - a plan
 * @nr_cpus: rings of each channel
 * @nr_sections: fixed ones and rings
 * @table_size: header and section table
 * @rings: by channel
 * @off, @size, @unit: of the fixed sections, by type
 */
struct epitaph_layout {
	u32	nr_cpus;
	u32	nr_sections;
	u32	table_size;
	struct epitaph_rings_plan rings[EPITAPH_NR_ALL_CHANNELS];
	u64	off[EPITAPH_NR_TYPES];
	u64	size[EPITAPH_NR_TYPES];
	u32	unit[EPITAPH_NR_TYPES];
};

/**
 * epitaph_layout_plan() - divide a generation up
 * @plan: filled in
 * @size: bytes of the generation
 * @nr_cpus: rings to make room for
 * @pool: bytes for channels that will be added, or %EPITAPH_POOL_DEFAULT
 *
 * Return: 0, or -ENOSPC: less than epitaph_layout_min(), or @pool is more than
 *	epitaph_layout_max_pool()
 */
int epitaph_layout_plan(struct epitaph_layout *plan, u64 size, u32 nr_cpus, u64 pool);

/**
 * epitaph_layout_align() - a ring whose sub-buffers are larger than a page
 * @plan: of this generation; changed
 * @base: where the generation will be
 *
 * A generation begins at any page; there is room to begin such a ring at the next one.
 */
void epitaph_layout_align(struct epitaph_layout *plan, const void *base);

/**
 * epitaph_layout_min() - the smallest generation for @nr_cpus, without a pool
 * @nr_cpus: rings
 *
 * Return: bytes, a multiple of 4096.
 */
u64 epitaph_layout_min(u32 nr_cpus);

/**
 * epitaph_layout_max_pool() - the largest pool
 * @size: bytes of the generation
 * @nr_cpus: rings
 *
 * Return: bytes, a multiple of 4096; 0 if @size is less than epitaph_layout_min().
 */
u64 epitaph_layout_max_pool(u64 size, u32 nr_cpus);

/**
 * epitaph_layout_clear() - make the room of a generation zero
 * @base: of the room
 * @size: of it, a multiple of 4096
 *
 * What begins as a header does goes first, so that no generation is found there
 * that is half gone.
 */
void epitaph_layout_clear(void *base, u64 size);

/**
 * epitaph_layout_write() - header, section table and the static sections
 * @plan: of this generation
 * @base: the generation, zeroed
 * @header: the fields that describe the recorded kernel; sizes, offsets,
 *	counts and checks are filled in
 *
 * The header is written last, its magic at the very end: until then there is
 * no generation.
 */
void epitaph_layout_write(const struct epitaph_layout *plan, void *base,
			  struct epitaph_header *header);

#endif /* _EPITAPH_LAYOUT_H */
