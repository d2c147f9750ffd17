// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables that change while they are read: twice the same is steady. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_impl.h"

#define PIECE	65536
#define TRIES	64

static u64 piece_of(u32 unit)
{
	if (unit >= PIECE)
		return unit;
	return unit ? PIECE - PIECE % unit : PIECE;
}

/* What differs is left out, entry by entry. */
static u32 drop_unsteady(u8 *a, const u8 *b, u64 size, u32 unit)
{
	u32 nr = 0;
	u64 off;

	for (off = 0; off < size; off += unit) {
		u64 n = size - off < unit ? size - off : unit;

		if (!memcmp(a + off, b + off, n))
			continue;
		memset(a + off, 0, n);
		nr++;
	}
	return nr;
}

static bool read_piece(const struct snapshot *s, u64 off, u8 *to, u64 size)
{
	ssize_t n = generation_read(s->recording->generation, off, to, size, s->err);

	if (n >= 0 && (u64)n < size)
		err_set(s->err, ERR_CORRUPT, off, "it ends at byte %llu, %llu are wanted", off + n,
			off + size);
	return n == (ssize_t)size;
}

/* @b: as large */
static int copy_piece(const struct snapshot *s, u64 off, u64 size, u32 unit, u8 *b)
{
	u8 *a = s->image + off;
	bool same = false;
	u32 i;

	for (i = 0; i < TRIES && !same; i++) {
		if (i > TRIES / 2)
			poll(NULL, 0, 1);
		if (!read_piece(s, off, a, size) || !read_piece(s, off, b, size))
			return -(int)s->err->code;
		same = !memcmp(a, b, size);
	}
	if (!same)
		s->counts->unsteady += drop_unsteady(a, b, size, unit ? unit : 8);
	return 0;
}

int snapshot_steady(const struct snapshot *s, u64 off, u64 size, u32 unit)
{
	u64 piece = piece_of(unit), at, n;
	u8 *again = malloc(piece);
	int ret = again ? 0 : err_sys(s->err, "%llu bytes of memory", piece);

	for (at = 0; at < size && !ret; at += n) {
		n = size - at < piece ? size - at : piece;
		ret = copy_piece(s, off + at, n, unit, again);
	}
	free(again);
	return ret;
}
