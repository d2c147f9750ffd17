/* SPDX-License-Identifier: GPL-2.0-only */
/* The section EPITAPH_SEC_MEMORY: pieces of memory, one behind the other, none twice. */
#ifndef EPITAPH_CRASH_KEPT_PIECES_H
#define EPITAPH_CRASH_KEPT_PIECES_H

#include <epitaph/format.h>
#include <epitaph/plat.h>

#define EPITAPH_MOST_KEPT	256	/* pieces with bytes */

/**
 * struct epitaph_kept_pieces - of one death
 * @base: the section
 * @size: of it
 * @used: up to here pieces lie
 * @salt: of the generation
 * @clock, @cpu, @pid: of the death
 * @from, @to: what is kept already, nr ranges of addresses
 */
struct epitaph_kept_pieces {
	u8	*base;
	size_t	size;
	size_t	used;
	u64	salt;
	u64	clock;
	u32	cpu;
	u32	pid;
	u32	nr;
	u64	from[EPITAPH_MOST_KEPT];
	u64	to[EPITAPH_MOST_KEPT];
};

/**
 * epitaph_kept_read() - memory that may not be there; kept_memory.c has it
 * @to: room for @size bytes
 *
 * Return: how many bytes from @addr on were read.
 */
size_t epitaph_kept_read(void *to, u64 addr, size_t size);

/**
 * epitaph_kept_begin() - nothing is kept, of a death that @pieces says
 *
 * A reader finds no piece from the first store on until the first one is whole.
 */
void epitaph_kept_begin(struct epitaph_kept_pieces *pieces);

/**
 * epitaph_kept_add() - keep @size bytes at @addr, but for those that are kept already
 * @name: of the function there, or ""
 *
 * Return: false: there is no more room.
 */
bool epitaph_kept_add(struct epitaph_kept_pieces *pieces, enum epitaph_kept_what what, u64 addr, size_t size,
		      const char *name);

/* Is the byte at @addr kept? */
bool epitaph_kept_has(const struct epitaph_kept_pieces *pieces, u64 addr);

#endif /* EPITAPH_CRASH_KEPT_PIECES_H */
