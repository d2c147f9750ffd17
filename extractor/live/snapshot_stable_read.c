// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads tables while they change: bytes that two reads have in common are stable. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_impl.h"

#define PIECE	65536
#define TRIES	64

static bool read_table_piece(const struct snapshot *s, u64 off, u8 *to, u64 size)
{
	ssize_t n = generation_read(s->recording->generation, off, to, size, s->err);

	if (n >= 0 && (u64)n < size)
		err_set(s->err, ERR_CORRUPT, off, "it ends at byte %llu, %llu are wanted", off + n,
			off + size);
	return n == (ssize_t)size;
}

/* @again: a buffer of @size bytes */
static int copy_stable_piece(const struct snapshot *s, u64 off, u64 size, u32 unit, u8 *again)
{
	u8 *copy = s->image + off;
	u64 at, n;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		if (i > TRIES / 2)
			poll(NULL, 0, 1);
		if (!read_table_piece(s, off, copy, size) || !read_table_piece(s, off, again, size))
			return -(int)s->err->code;
		if (!memcmp(copy, again, size))
			return 0;
	}
	/* Leave out the entries that differ. */
	for (at = 0; at < size; at += n) {
		n = unit ? unit : 8;
		if (n > size - at)
			n = size - at;
		if (!memcmp(copy + at, again + at, n))
			continue;
		memset(copy + at, 0, n);
		s->counts->unsteady++;
	}
	return 0;
}

int snapshot_steady(const struct snapshot *s, u64 off, u64 size, u32 unit)
{
	u64 piece = !unit ? PIECE : unit < PIECE ? PIECE - PIECE % unit : unit, at, n;
	u8 *again = malloc(piece);
	int ret = again ? 0 : err_sys(s->err, "%llu bytes of memory", piece);

	for (at = 0; at < size && !ret; at += n) {
		n = size - at < piece ? size - at : piece;
		ret = copy_stable_piece(s, off + at, n, unit, again);
	}
	free(again);
	return ret;
}
