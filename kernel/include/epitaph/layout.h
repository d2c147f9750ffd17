/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the sections of a generation lie; builds in user space as well. */
#ifndef _EPITAPH_LAYOUT_H
#define _EPITAPH_LAYOUT_H

#include <epitaph/format.h>
#include <epitaph/plat.h>
#include <epitaph/ring.h>

#define EPITAPH_SUB_SIZE	4096

/* Sections that are there once; the rings come behind them. */
#define EPITAPH_NR_FIXED	10

/**
 * struct epitaph_layout - a plan
 * @nr_cpus: rings
 * @nr_sections: EPITAPH_NR_FIXED + nr_cpus
 * @table_size: header and section table
 * @rings_off: of the first ring
 * @ring_size: bytes of each
 * @off, @size, @unit: of the fixed sections, by type
 */
struct epitaph_layout {
	u32	nr_cpus;
	u32	nr_sections;
	u32	table_size;
	u64	rings_off;
	u64	ring_size;
	u64	off[EPITAPH_NR_FIXED + 1];
	u64	size[EPITAPH_NR_FIXED + 1];
	u32	unit[EPITAPH_NR_FIXED + 1];
};

/**
 * epitaph_layout_plan() - divide a generation up
 * @plan: filled in
 * @size: bytes of the generation
 * @nr_cpus: rings to make room for
 *
 * Return: 0, or -ENOSPC: epitaph_layout_min() says what would do.
 */
int epitaph_layout_plan(struct epitaph_layout *plan, u64 size, u32 nr_cpus);

/**
 * epitaph_layout_min() - the smallest generation for @nr_cpus
 * @nr_cpus: rings
 *
 * Return: bytes, a multiple of 4096.
 */
u64 epitaph_layout_min(u32 nr_cpus);

/**
 * epitaph_layout_write() - header, section table and the static sections
 * @plan: of this generation
 * @base: the generation, zeroed
 * @header: the fields that tell of the recorded kernel; sizes, offsets,
 *	counts and checks are filled in
 *
 * The header is written last, its magic at the very end: until then there is
 * no generation.
 */
void epitaph_layout_write(const struct epitaph_layout *plan, void *base,
			  struct epitaph_header *header);

#endif /* _EPITAPH_LAYOUT_H */
