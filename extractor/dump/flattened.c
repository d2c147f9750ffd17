// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flattened dumps: makedumpfile -F, which writes to where it cannot seek.
 *
 *   0        4096
 *   +--------+--------------+------+--------------+------+--   --+---------+
 *   | header | offset, size | data | offset, size | data |  ...  | -1, -1  |
 *   +--------+--------------+------+--------------+------+--   --+---------+
 *
 * Each piece is a write to the dump; where two write to the same place the later
 * one counts.  Nothing is rearranged, only where the pieces are is kept.
 * Numbers are big-endian, whatever the machine.
 */
#include <stdlib.h>

#include "extent.h"
#include "dump_impl.h"

#define FLAT_HEADER	4096
#define PIECE_HEADER	16
#define FLAT_TYPE	1
#define FLAT_VERSION	1
#define MAX_PIECES	(3U << 20)	/* of 64 KiB as makedumpfile writes them: 192 GiB */
#define MAX_OFFSET	((u64)INT64_MAX)

/**
 * struct flat - where the bytes of the dump are
 * @pieces: by offset in the dump, which is in @paddr; not overlapping
 * @size: of the dump
 * @is_whole: the end mark is there
 */
struct flat {
	struct extents pieces;
	u64 size;
	bool is_whole;
};

struct flat_piece {
	u64 off;
	u64 size;
};

static bool is_end(const struct flat_piece *p)
{
	return p->off == ~0ULL && p->size == ~0ULL;
}

/* Return: 1; 0 if the file ends before, or is damaged, which is noted; -ERR_IO. */
static int read_flat_piece(struct dump *in, u64 at, struct flat_piece *p, struct err *err)
{
	u8 buf[PIECE_HEADER];
	struct bytes b = bytes_of(buf, sizeof(buf), ORDER_BIG);
	ssize_t n = file_read(in, at, buf, sizeof(buf), err);

	if (n < 0)
		return n;
	if (n < PIECE_HEADER) {
		dump_note_damage(in, "the flattened dump ends at byte %llu without its end mark",
				 in->file_size);
		return 0;
	}
	p->off = bytes_u64(&b, 0);
	p->size = bytes_u64(&b, 8);
	if (is_end(p) || (p->off <= MAX_OFFSET && p->size && p->size <= MAX_OFFSET - p->off))
		return 1;
	dump_note_damage(in, "the flattened dump is damaged at byte %llu: a piece of %llu bytes at %llu; what is behind is not read",
			 at, p->size, p->off);
	return 0;
}

static int find_flat_pieces(struct dump *in, struct flat *flat, struct err *err)
{
	u64 at = FLAT_HEADER, there;

	while (flat->pieces.nr < MAX_PIECES) {
		struct flat_piece p = { 0 };
		int ret = read_flat_piece(in, at, &p, err);

		if (ret <= 0)
			return ret;
		flat->is_whole = is_end(&p);
		if (flat->is_whole)
			return 0;
		there = min_u64(p.size, in->file_size - (at + PIECE_HEADER));
		if (!extents_add(&flat->pieces, p.off, there, at + PIECE_HEADER))
			return err_sys(err, "no memory for %zu pieces", flat->pieces.nr);
		if (p.off + there > flat->size)
			flat->size = p.off + there;
		if (!add_fits(at, PIECE_HEADER + p.size, &at))
			at = ~0ULL;
	}
	dump_note_damage(in, "a flattened dump of more than %u pieces, of which those are read; rearrange it first: makedumpfile -R DUMP < FILE",
			 MAX_PIECES);
	return 0;
}

static int check_flat_header(struct dump *in, struct err *err)
{
	u8 buf[32];
	struct bytes b = bytes_of(buf, sizeof(buf), ORDER_BIG);
	ssize_t n = file_read(in, 0, buf, sizeof(buf), err);

	if (n < 0)
		return n;
	if (n < (ssize_t)sizeof(buf))
		return dump_short_header(in, n, sizeof(buf), err);
	if (bytes_u64(&b, 16) != FLAT_TYPE || bytes_u64(&b, 24) != FLAT_VERSION)
		dump_note_damage(in, "a flattened dump of type %llu, version %llu; read as type %u, version %u",
				 bytes_u64(&b, 16),
				 bytes_u64(&b, 24), FLAT_TYPE, FLAT_VERSION);
	return 0;
}

int flat_open(struct dump *in, struct err *err)
{
	struct flat *flat;
	int ret = check_flat_header(in, err);

	if (ret)
		return ret;
	flat = calloc(1, sizeof(*flat));
	if (!flat)
		return err_sys(err, "no memory");
	ret = find_flat_pieces(in, flat, err);
	if (!ret && !extents_sort_last(&flat->pieces))
		ret = err_sys(err, "no memory for %zu pieces", flat->pieces.nr);
	if (!ret && !flat->size)
		ret = err_set(err, ERR_CORRUPT, FLAT_HEADER, "is a flattened dump with nothing in it%s%s",
			      in->nr_damage ? ": " : "", in->nr_damage ? in->damage[0] : "");
	if (ret) {
		flat_close(flat);
		return ret;
	}
	in->flat = flat;
	in->file_size = flat->size;
	return 0;
}

void flat_close(struct flat *flat)
{
	if (flat)
		extents_free(&flat->pieces);
	free(flat);
}

bool flat_find(const struct flat *flat, u64 off, u64 *at, u64 *len)
{
	size_t i = extents_find(&flat->pieces, off);
	u64 room = extents_room(&flat->pieces, i, off);

	if (room) {
		*at = flat->pieces.e[i].off + (off - flat->pieces.e[i].paddr);
		*len = room;
		return true;
	}
	*len = (i < flat->pieces.nr ? flat->pieces.e[i].paddr : flat->size) - off;
	return false;
}

bool flat_is_whole(const struct flat *flat)
{
	return flat->is_whole;
}
