// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pieces of memory in the region, one behind the other.  The check of a piece is stored last; a check
 * of 0 ends them.  So when the CPU stops between any two stores, the pieces before are there.
 */
#include <epitaph/check.h>
#include "kept_pieces.h"

void epitaph_kept_begin(struct epitaph_kept_pieces *pieces)
{
	struct epitaph_kept *first = (void *)pieces->base;

	pieces->used = 0;
	pieces->nr = 0;
	crash_point("begin");
	WRITE_ONCE(first->check, 0);
	/* No piece of the death before ends in bytes of this one. */
	smp_wmb();
	crash_point("forget");
	plat_zero(pieces->base, pieces->size);
	/* The sequence ends where a piece was not begun. */
	smp_wmb();
	crash_point("empty");
}

bool epitaph_kept_has(const struct epitaph_kept_pieces *pieces, u64 addr)
{
	u32 i;

	for (i = 0; i < pieces->nr; i++)
		if (addr >= pieces->from[i] && addr < pieces->to[i])
			return true;
	return false;
}

/* Go on to the first byte from @addr on, before @end, that is not kept.  Return: where the next that is kept begins. */
static u64 skip_kept(const struct epitaph_kept_pieces *pieces, u64 *addr, u64 end)
{
	u64 stop = end;
	bool is_moved;
	u32 i;

	do {
		is_moved = false;
		for (i = 0; i < pieces->nr; i++) {
			if (*addr >= pieces->from[i] && *addr < pieces->to[i]) {
				*addr = pieces->to[i];
				is_moved = true;
			}
		}
	} while (is_moved && *addr < end);
	for (i = 0; i < pieces->nr; i++)
		if (pieces->from[i] > *addr && pieces->from[i] < stop)
			stop = pieces->from[i];
	return stop;
}

/* @size: bytes that are read.  Return: the bytes that the piece takes; 0: it would be empty. */
static size_t write_piece(struct epitaph_kept_pieces *pieces, enum epitaph_kept_what what, u64 addr, size_t size,
			  const char *name)
{
	struct epitaph_kept *to = (void *)(pieces->base + pieces->used);
	size_t n = size ? epitaph_kept_read(to + 1, addr, size) : 0;
	size_t len = strlen(name);
	u64 check;

	/* What was read in part may be where the next piece would have its check. */
	memset((u8 *)(to + 1) + n, 0, size - n);
	if (size && !n)
		return 0;
	crash_point("bytes");
	to->addr = cpu_to_le64(addr);
	to->size = cpu_to_le32(n);
	to->what = cpu_to_le32(what);
	to->clock = cpu_to_le64(pieces->clock);
	to->cpu = cpu_to_le32(pieces->cpu);
	to->pid = cpu_to_le32(pieces->pid);
	/* A name that does not fit whole is none. */
	if (len < sizeof(to->name))
		memcpy(to->name, name, len);
	check = epitaph_check(pieces->salt, to, offsetof(struct epitaph_kept, check));
	check = epitaph_check(check, to + 1, n);
	crash_point("head");
	/* All of it before the check that vouches for it. */
	smp_wmb();
	WRITE_ONCE(to->check, cpu_to_le64(check));
	crash_point("check");
	if (n) {
		pieces->from[pieces->nr] = addr;
		pieces->to[pieces->nr++] = addr + n;
	}
	return (sizeof(*to) + n + EPITAPH_KEPT_ALIGN - 1) / EPITAPH_KEPT_ALIGN * EPITAPH_KEPT_ALIGN;
}

bool epitaph_kept_add(struct epitaph_kept_pieces *pieces, enum epitaph_kept_what what, u64 addr, size_t size,
		      const char *name)
{
	u64 end = addr + size, stop;
	size_t room;

	if (end < addr)
		return true;
	do {
		stop = size ? skip_kept(pieces, &addr, end) : end;
		if (size && addr >= end)
			return true;
		if (pieces->size - pieces->used < sizeof(struct epitaph_kept) || pieces->nr == EPITAPH_MOST_KEPT)
			return false;
		room = pieces->size - pieces->used - sizeof(struct epitaph_kept);
		if (stop - addr > room)
			return false;
		pieces->used += write_piece(pieces, what, addr, stop - addr, name);
		name = "";
		addr = stop;
	} while (addr < end);
	return true;
}
