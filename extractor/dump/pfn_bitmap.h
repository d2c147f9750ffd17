/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bitmap in a file: a bit for each page of memory, up to gigabytes of them.
 *
 * Only a window of it is held.  A table of how many bits are set before each
 * chunk makes the rank of a page, its place among those dumped, a matter of
 * one chunk.
 */
#ifndef EPITAPH_DUMP_PFN_BITMAP_H
#define EPITAPH_DUMP_PFN_BITMAP_H

#include "dump_impl.h"

#define WINDOW_SIZE	4096
#define MAX_CHUNKS	4096

/* A part of the file that was read last. */
struct file_window {
	u64 off;		/* multiple of WINDOW_SIZE, from the base it is for */
	size_t len;		/* 0: nothing yet */
	u8 data[WINDOW_SIZE];
};

/**
 * struct pfn_bitmap - a bit for each page, the lowest of each byte first
 * @off: of the first byte in the file
 * @nr_bits: pages it speaks of
 * @chunk: bytes between two counts; multiple of WINDOW_SIZE
 * @nr_set: bits set in all
 * @before: bits set before each chunk
 * @last_pos: the byte that pfn_bitmap_rank() was asked for last
 * @last_before: bits set before it
 */
struct pfn_bitmap {
	u64 off;
	u64 nr_bits;
	u64 chunk;
	u64 nr_set;
	u64 before[MAX_CHUNKS + 1];
	u64 last_pos;
	u64 last_before;
	struct file_window window;
};

/* The byte at @pos from @base of the file, from the window where it can; NULL if not there. */
const u8 *window_get(struct dump *in, struct file_window *w, u64 base, u64 pos, size_t *len);

/*
 * Count the bits of a map that is zero but for @off and @nr_bits.  Bits that the
 * file does not have count as clear.
 */
void pfn_bitmap_count(struct dump *in, struct pfn_bitmap *map);

bool pfn_bitmap_test(struct dump *in, struct pfn_bitmap *map, u64 bit);

/* How many bits before @bit are set; all, if it is behind the last. */
u64 pfn_bitmap_rank(struct dump *in, struct pfn_bitmap *map, u64 bit);

/* The first bit from @bit on that is @set, or nr_bits. */
u64 pfn_bitmap_find(struct dump *in, struct pfn_bitmap *map, u64 bit, bool set);

/* How many bits are set from @bit on, at most @max. */
u64 pfn_bitmap_run(struct dump *in, struct pfn_bitmap *map, u64 bit, u64 max);

#endif
