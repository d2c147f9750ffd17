/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stretches of physical memory and where in the file their bytes are. */
#ifndef EPITAPH_DUMP_EXTENT_H
#define EPITAPH_DUMP_EXTENT_H

#include "base/types.h"

struct extent {
	u64 paddr;
	u64 size;
	u64 off;		/* in the file */
};

/* Any number of them; all zero is none. */
struct extents {
	struct extent *e;
	size_t nr;
	size_t room;
};

void extents_free(struct extents *x);

/* Return: false without memory.  One of no bytes is not added. */
bool extents_add(struct extents *x, u64 paddr, u64 size, u64 off);

/*
 * By address, and without what an earlier one has cut off the start of each:
 * kexec-tools gives the kernel's memory twice.
 */
void extents_sort(struct extents *x);

/*
 * By address; where several have bytes, those of the largest @off stay, as of
 * several writes to a file the last.
 *
 * Return: false without memory.
 */
bool extents_sort_last(struct extents *x);

/* The first, of sorted ones, that ends behind @paddr; x->nr if none does. */
size_t extents_find(const struct extents *x, u64 paddr);

/* How much of extent @i lies from @paddr on; 0 if @paddr is not in it. */
u64 extents_room(const struct extents *x, size_t i, u64 paddr);

#endif
