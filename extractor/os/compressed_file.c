// SPDX-License-Identifier: GPL-2.0-or-later
#include "compressed_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define FRAME	(128U << 10)
#define LEVEL	3

/**
 * struct compressed_file - one that is written
 * @most: bytes that it may have; 0: any
 * @at: bytes of @fd so far
 * @nr: frames so far
 * @len: bytes in @frame, which is the next one
 * @no_room: why bytes are counted only: ENOSPC or EDQUOT; 0: there is room
 */
struct compressed_file {
	int fd;
	u64 most;
	u64 at;
	u64 nr;
	size_t len;
	int no_room;
	ZSTD_CCtx *zstd;
	u8 frame[FRAME];
	u8 packed[ZSTD_COMPRESSBOUND(FRAME)];
};

struct compressed_file *compressed_file_new(int fd, u64 most)
{
	struct compressed_file *f = malloc(sizeof(*f));

	if (!f)
		return NULL;
	f->fd = fd;
	f->most = most;
	f->at = f->nr = f->len = 0;
	f->no_room = 0;
	f->zstd = ZSTD_createCCtx();
	if (!f->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_compressionLevel, LEVEL)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_checksumFlag, 1))) {
		compressed_file_free(f);
		return NULL;
	}
	return f;
}

void compressed_file_free(struct compressed_file *f)
{
	if (f)
		ZSTD_freeCCtx(f->zstd);
	free(f);
}

static int write_frame(struct compressed_file *f, struct err *err)
{
	size_t n = ZSTD_compress2(f->zstd, f->packed, sizeof(f->packed), f->frame, f->len);

	if (ZSTD_isError(n))
		return err_set(err, ERR_IO, ERR_NO_OFF, "zstd: %s", ZSTD_getErrorName(n));
	if (f->most && f->at + n > f->most)
		return err_set(err, ERR_IO, ERR_NO_OFF, "compressed, it has more than the %llu KiB that QUOTA= allows; a larger QUOTA= in /etc/epitaph/seal.conf takes it",
			       f->most >> 10);
	if (!f->no_room && new_file_write(f->fd, f->packed, n, f->at) < n) {
		if (errno != ENOSPC && errno != EDQUOT)
			return err_sys(err, "the copy: cannot write at byte %llu", f->at);
		f->no_room = errno;
	}
	f->at += n;
	f->nr++;
	f->len = 0;
	return 0;
}

/* @data: NULL: zeroes */
static int append_content(struct compressed_file *f, const u8 *data, u64 size, struct err *err)
{
	size_t n;
	int ret;

	for (; size; size -= n) {
		n = size < FRAME - f->len ? size : FRAME - f->len;
		if (data)
			memcpy(f->frame + f->len, data, n);
		else
			memset(f->frame + f->len, 0, n);
		f->len += n;
		data = data ? data + n : NULL;
		ret = f->len == FRAME ? write_frame(f, err) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

int compressed_file_put(struct compressed_file *f, u64 off, const void *data, size_t size,
			struct err *err)
{
	int ret = append_content(f, NULL, off - (f->nr * FRAME + f->len), err);

	return ret ? ret : append_content(f, data, size, err);
}

int compressed_file_end(struct compressed_file *f, u64 size, struct err *err)
{
	int ret = compressed_file_put(f, size, NULL, 0, err);

	if (!ret && f->len)
		ret = write_frame(f, err);
	errno = f->no_room;
	if (!ret && f->no_room)
		return err_sys(err, "the copy: no room for its %llu bytes", f->at);
	/* An attempt before this one may have come further. */
	if (!ret && ftruncate(f->fd, f->at))
		ret = err_sys(err, "%llu bytes", f->at);
	return ret;
}

u64 compressed_file_size(const struct compressed_file *f)
{
	return f->at;
}

static int copy_pieces(struct compressed_file *f, int from, u64 off, u64 size,
		       struct unreadable_pages *bad, struct err *err)
{
	u8 buf[65536];
	ssize_t n;
	u64 at;
	int ret;

	for (at = 0; at < size; at += n) {
		n = new_file_read(from, off + at, buf, size - at < sizeof(buf) ? size - at : sizeof(buf),
				  bad, err);
		if (n < 0)
			return n;
		ret = compressed_file_put(f, at, buf, n, err);
		if (ret)
			return ret;
	}
	return compressed_file_end(f, size, err);
}

int compressed_file_copy(int from, u64 off, u64 size, int to, u64 most, struct unreadable_pages *bad,
			 u64 *ret_size, struct err *err)
{
	struct compressed_file *f = compressed_file_new(to, most);
	int ret = f ? copy_pieces(f, from, off, size, bad, err) : err_sys(err, "no memory");

	*ret_size = f ? f->at : 0;
	compressed_file_free(f);
	return ret;
}
