// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * LiME images: stretches of memory one behind the other, each behind a header of 32 bytes that
 * says from where to where it lay.  Always little-endian.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "dump_impl.h"

#define LIME_HEADER	32	/* u32 magic, u32 version, u64 first and last byte, 8 unused */
#define LIME_MAGIC	0x4c694d45
#define LIME_VERSION	1
#define MAX_STRETCHES	(1U << 18)

/* One header, and its stretch as far as the file goes; *@off is behind it then. */
static int lime_read_stretch(struct dump *in, struct bytes *header, u64 *off, struct err *err)
{
	struct extents *stretches = in->container;
	u64 first = bytes_u64(header, 8), last = bytes_u64(header, 16), size;

	if (last < first || !add_fits(last - first, 1, &size) || !add_fits(first, size, &(u64){ 0 }))
		return err_set(err, ERR_CORRUPT, *off, "a LiME header has memory from %#llx to %#llx: expected an end behind the begin; take the image again",
			       first, last);
	*off += LIME_HEADER;
	if (!extents_add(stretches, first, min_u64(size, in->file_size - *off), *off))
		return err_sys(err, "no memory for %zu stretches", stretches->nr);
	if (!add_fits(*off, size, off))
		*off = ~0ULL;
	return 0;
}

static int lime_read_stretches(struct dump *in, struct err *err)
{
	u8 buf[LIME_HEADER];
	struct bytes header = bytes_of(buf, sizeof(buf), ORDER_LITTLE);
	u64 off = 0;
	u32 nr;
	int ret;

	for (nr = 0; off < in->file_size && nr < MAX_STRETCHES; nr++) {
		ssize_t n = file_read(in, off, buf, sizeof(buf), err);

		if (n < 0)
			return n;
		if (n < LIME_HEADER && !off)
			return dump_short_header(in, n, LIME_HEADER, err);
		if (n < LIME_HEADER) {
			dump_note_damage(in, "the file ends at byte %llu, within a LiME header",
					 off + n);
			dump_note_cut(in);
			return 0;
		}
		if (bytes_u32(&header, 0) != LIME_MAGIC) {
			dump_note_damage(in, "no LiME header at byte %llu: what lies behind is not read", off);
			return 0;
		}
		if (bytes_u32(&header, 4) != LIME_VERSION)
			return err_set(err, ERR_NOT_OURS, off + 4, "is a LiME image of version %u; version 1 is read",
				       bytes_u32(&header, 4));
		ret = lime_read_stretch(in, &header, &off, err);
		if (ret)
			return ret;
	}
	if (off < in->file_size)
		dump_note_damage(in, "more than %u stretches of memory: what lies behind byte %llu is not read",
				 MAX_STRETCHES, off);
	dump_note_size(in, off);
	return 0;
}

static int lime_open(struct dump *in, struct err *err)
{
	struct extents *stretches = calloc(1, sizeof(*stretches));
	int ret;

	if (!stretches)
		return err_sys(err, "no memory");
	in->container = stretches;
	ret = lime_read_stretches(in, err);
	snprintf(in->kind, sizeof(in->kind), "LiME image");
	return ret ? ret : stretches_place(in, err);
}

const struct dump_ops dump_lime_ops = {
	.open = lime_open,
	.close = stretches_close,
	.read = stretches_read,
	.peek = stretches_peek,
	.next_data = stretches_next_data,
};
