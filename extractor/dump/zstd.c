// SPDX-License-Identifier: GPL-2.0-or-later
/* A raw file that os/compressed_file.c has compressed: frames of zstd with the same content size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "dump_impl.h"

#define MAX_FRAME	(1U << 20)	/* bytes of content */
#define MAX_FRAMES	(1U << 17)
#define SLOTS		32
#define MOST_OF_HEAD	(1U << 18)	/* compressed bytes in front of the first of what they hold */

/* A frame's content. @nr: of the frame, from 1; 0: nothing is here */
struct slot {
	u32 nr;
	u8 *data;
};

/**
 * struct frames - all of a file
 * @off: of each, and where the last one ends
 * @size: bytes of content of each but the last
 * @total: of all
 * @packed: room for a compressed one, @room bytes
 */
struct frames {
	u64 *off;
	u32 nr;
	u32 room_off;
	u64 size;
	u64 total;
	u8 *packed;
	size_t room;
	ZSTD_DCtx *zstd;
	struct slot slots[SLOTS];
};

/* Does it begin with a header of tar?  Such is what epitaph send makes. */
static bool is_tar(struct dump *in, ZSTD_DCtx *zstd)
{
	u8 packed[16384], head[512];
	ZSTD_outBuffer out = { head, sizeof(head), 0 };
	ssize_t n;

	ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, 24);
	for (u64 off = 0; out.pos < out.size && off < MOST_OF_HEAD; off += n) {
		ZSTD_inBuffer from = { packed, 0, 0 };

		n = file_read(in, off, packed, sizeof(packed), NULL);
		if (n <= 0)
			return false;
		from.size = n;
		while (out.pos < out.size && from.pos < from.size)
			if (ZSTD_isError(ZSTD_decompressStream(zstd, &out, &from)))
				return false;
	}
	return out.pos == out.size && !memcmp(head + 257, "ustar", 5);
}

static int not_ours(struct dump *in, struct err *err)
{
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	bool archive = zstd && is_tar(in, zstd);

	ZSTD_freeDCtx(zstd);
	return err_set(err, ERR_NOT_OURS, 0, archive ?
		       "is an archive, as epitaph send makes them; unpack it first: tar --zstd -xf FILE; then read its region" :
		       "is compressed; unpack it first: unzstd");
}

/* The first frame says how large all are. */
static int measure_frames(struct dump *in, struct frames *f, struct err *err)
{
	u8 head[18];	/* ZSTD_FRAMEHEADERSIZE_MAX */
	ssize_t n = file_read(in, 0, head, sizeof(head), err);
	unsigned long long size;

	if (n < 0)
		return n;
	size = ZSTD_getFrameContentSize(head, n);
	if (!size || size > MAX_FRAME)	/* as are both values for "unknown" */
		return not_ours(in, err);
	f->size = size;
	f->room = ZSTD_compressBound(size);
	f->packed = malloc(f->room);
	f->zstd = ZSTD_createDCtx();
	return f->packed && f->zstd ? 0 : err_sys(err, "no memory");
}

static int add_frame(struct frames *f, u64 end, u64 content, struct err *err)
{
	u64 *more = f->off;

	if (f->nr + 1 >= f->room_off) {
		f->room_off = f->room_off ? 2 * f->room_off : 64;
		more = reallocarray(f->off, f->room_off, sizeof(*more));
	}
	if (!more)
		return err_sys(err, "no memory");
	f->off = more;
	if (!f->nr)
		f->off[0] = 0;
	f->off[++f->nr] = end;
	f->total += content;
	return 0;
}

/* Return: 1: there may be another; 0: it was the last. */
static int find_frame(struct dump *in, struct frames *f, struct err *err)
{
	u64 off = f->nr ? f->off[f->nr] : 0;
	ssize_t n = file_read(in, off, f->packed, f->room, err);
	unsigned long long content;
	size_t size;

	if (n <= 0)
		return n;
	content = ZSTD_getFrameContentSize(f->packed, n);
	size = ZSTD_findFrameCompressedSize(f->packed, n);
	if (ZSTD_isError(size) && (size_t)n < f->room) {
		dump_note_damage(in, "the file is truncated in the frame of zstd at byte %llu", off);
		dump_note_cut(in);
		return 0;
	}
	if (ZSTD_isError(size) || !content || content > f->size || f->total % f->size || f->nr == MAX_FRAMES) {
		dump_note_damage(in, "byte %llu: expected a frame of zstd of %llu bytes", off, f->size);
		return 0;
	}
	return add_frame(f, off + size, content, err) ?: 1;
}

static int zstd_open(struct dump *in, struct err *err)
{
	struct frames *f = calloc(1, sizeof(*f));
	int ret;

	if (!f)
		return err_sys(err, "no memory");
	in->container = f;
	ret = measure_frames(in, f, err) ?: 1;
	while (ret == 1)
		ret = find_frame(in, f, err);
	if (!ret && !f->nr)
		return not_ours(in, err);
	snprintf(in->kind, sizeof(in->kind), "raw file, compressed by zstd");
	return ret ? ret : dump_add_segment(in, 0, f->total, err);
}

static void zstd_close(struct dump *in)
{
	struct frames *f = in->container;
	size_t i;

	if (!f)
		return;
	for (i = 0; i < SLOTS; i++)
		free(f->slots[i].data);
	ZSTD_freeDCtx(f->zstd);
	free(f->packed);
	free(f->off);
	free(f);
}

static u64 frame_content(const struct frames *f, u64 i)
{
	return min_u64(f->size, f->total - i * f->size);
}

/* Return: 1: @slot has the frame @i; 0: it is damaged, which is noted. */
static int unpack_frame(struct dump *in, struct slot *slot, u64 i, struct err *err)
{
	struct frames *f = in->container;
	u64 want = f->off[i + 1] - f->off[i];
	ssize_t n;

	slot->nr = 0;
	if (!slot->data)
		slot->data = malloc(f->size);
	if (!slot->data)
		return err_sys(err, "no memory");
	n = file_read(in, f->off[i], f->packed, want, err);
	if (n < 0)
		return n;
	if ((u64)n < want ||
	    ZSTD_decompressDCtx(f->zstd, slot->data, f->size, f->packed, n) != frame_content(f, i)) {
		dump_note_damage(in, "byte %llu: a frame of zstd does not decompress", f->off[i]);
		return 0;
	}
	slot->nr = i + 1;
	return 1;
}

static ssize_t zstd_read(struct dump *in, u64 paddr, void *buf, size_t size, struct err *err)
{
	struct frames *f = in->container;
	size_t done, n;

	for (done = 0; done < size && paddr < f->total; done += n, paddr += n) {
		u64 i = paddr / f->size, skip = paddr % f->size;
		struct slot *slot = &f->slots[i % SLOTS];
		int ret = slot->nr == i + 1 ? 1 : unpack_frame(in, slot, i, err);

		if (ret < 0)
			return ret;
		if (!ret)
			break;
		n = min_u64(size - done, frame_content(f, i) - skip);
		memcpy((u8 *)buf + done, slot->data + skip, n);
	}
	return done;
}

static bool zstd_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	return zstd_read(in, paddr, bytes, 8, NULL) == 8;
}

static bool zstd_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	const struct frames *f = in->container;

	if (paddr >= f->total)
		return false;
	*next = paddr;
	*len = f->total - paddr;
	return true;
}

const struct dump_ops dump_zstd_ops = {
	.open = zstd_open,
	.close = zstd_close,
	.read = zstd_read,
	.peek = zstd_peek,
	.next_data = zstd_next_data,
};
