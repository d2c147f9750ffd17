// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_codec.h"

#include <stdlib.h>
#include <string.h>
#include <lzo/lzo1x.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#ifndef EPITAPH_NO_SNAPPY
#include <snappy-c.h>
#endif

struct codec {
	z_stream zlib;
	ZSTD_DCtx *zstd;
};

static const char * const names[CODEC_NR] = {
	"uncompressed", "zlib", "lzo", "snappy", "zstd",
};

struct codec *codec_create(void)
{
	struct codec *codec = calloc(1, sizeof(*codec));

	if (!codec)
		return NULL;
	if (inflateInit(&codec->zlib) != Z_OK)
		goto err_zlib;
	if (lzo_init() != LZO_E_OK)
		goto err_lzo;
	return codec;

err_lzo:
	inflateEnd(&codec->zlib);
err_zlib:
	free(codec);
	return NULL;
}

void codec_destroy(struct codec *codec)
{
	if (!codec)
		return;
	ZSTD_freeDCtx(codec->zstd);
	inflateEnd(&codec->zlib);
	free(codec);
}

const char *codec_name(enum codec_method method)
{
	return names[method];
}

/* --- whole pages: the size found must be the size declared ------------- */

static const char too_short[] = "decompresses to less than a page";
static const char too_long[] = "decompresses to more than a page";

static const char *zlib_page(struct codec *codec, const void *src, size_t src_len,
			     void *dst, size_t dst_len)
{
	z_stream *z = &codec->zlib;
	int ret;

	if (inflateReset(z) != Z_OK)
		return "zlib cannot start over";
	z->next_in = (Bytef *)src;
	z->avail_in = src_len;
	z->next_out = dst;
	z->avail_out = dst_len;
	ret = inflate(z, Z_FINISH);
	if (ret == Z_STREAM_END)
		return z->avail_out ? too_short : NULL;
	if (ret == Z_BUF_ERROR && !z->avail_out)
		return too_long;
	return "does not decompress (zlib)";
}

static const char *lzo_page(struct codec *codec, const void *src, size_t src_len,
			    void *dst, size_t dst_len)
{
	lzo_uint out = dst_len;
	int ret = lzo1x_decompress_safe(src, src_len, dst, &out, NULL);

	(void)codec;
	if (ret == LZO_E_OUTPUT_OVERRUN)
		return too_long;
	if (ret != LZO_E_OK)
		return "does not decompress (lzo)";
	return out == dst_len ? NULL : too_short;
}

#ifndef EPITAPH_NO_SNAPPY
static const char *snappy_page(struct codec *codec, const void *src, size_t src_len,
			       void *dst, size_t dst_len)
{
	size_t out;

	(void)codec;
	if (snappy_uncompressed_length(src, src_len, &out) != SNAPPY_OK)
		return "does not decompress (snappy)";
	if (out != dst_len)
		return out < dst_len ? too_short : too_long;
	if (snappy_uncompress(src, src_len, dst, &out) != SNAPPY_OK)
		return "does not decompress (snappy)";
	return NULL;
}
#else
#define snappy_page NULL
#endif

static const char *zstd_page(struct codec *codec, const void *src, size_t src_len,
			     void *dst, size_t dst_len)
{
	size_t out;

	/* Created at the first page that needs it: 160 KB, and few dumps have such pages. */
	if (!codec->zstd)
		codec->zstd = ZSTD_createDCtx();
	if (!codec->zstd)
		return "cannot be decompressed for want of memory";
	out = ZSTD_decompressDCtx(codec->zstd, dst, dst_len, src, src_len);
	if (ZSTD_getErrorCode(out) == ZSTD_error_dstSize_tooSmall)
		return too_long;
	if (ZSTD_isError(out))
		return "does not decompress (zstd)";
	return out == dst_len ? NULL : too_short;
}

static const char *(* const page_fns[CODEC_NR])(struct codec *, const void *, size_t,
						void *, size_t) = {
	[CODEC_ZLIB] = zlib_page,
	[CODEC_LZO] = lzo_page,
	[CODEC_SNAPPY] = snappy_page,
	[CODEC_ZSTD] = zstd_page,
};

bool codec_is_known(enum codec_method method)
{
	return method == CODEC_NONE || page_fns[method];
}

const char *codec_list(void)
{
	return codec_is_known(CODEC_SNAPPY) ? "zlib lzo snappy zstd" : "zlib lzo zstd";
}

const char *codec_page(struct codec *codec, enum codec_method method,
		       const void *src, size_t src_len, void *dst, size_t dst_len)
{
	if (!codec_is_known(method))
		return "is compressed with a library left out of this build";
	if (method != CODEC_NONE)
		return page_fns[method](codec, src, src_len, dst, dst_len);
	if (src_len != dst_len)
		return src_len < dst_len ? "is less than a page" : "is more than a page";
	memcpy(dst, src, dst_len);
	return NULL;
}

/* --- the first bytes only ------------------------------------------------ */

static bool zlib_head(struct codec *codec, const u8 *src, size_t src_len, u8 head[8])
{
	z_stream *z = &codec->zlib;

	if (inflateReset(z) != Z_OK)
		return false;
	z->next_in = (Bytef *)src;
	z->avail_in = src_len;
	z->next_out = head;
	z->avail_out = 8;
	inflate(z, Z_SYNC_FLUSH);
	return !z->avail_out;
}

/*
 * Both LZO1X and snappy begin with a run of literals, and say how many: eight
 * bytes that do not repeat, as those of a magic, are always within it.
 */
static bool literal_head(const u8 *src, size_t src_len, size_t at, size_t len, u8 head[8])
{
	if (len < 8 || at > src_len || src_len - at < 8)
		return false;
	memcpy(head, src + at, 8);
	return true;
}

/* The first byte n: above 17, n - 17 literals; 1 to 15, n + 3; 0, at least 18 after more length. */
static bool lzo_head(const u8 *src, size_t src_len, u8 head[8])
{
	if (!src_len)
		return false;
	if (src[0] > 17)
		return literal_head(src, src_len, 1, src[0] - 17, head);
	if (src[0] && src[0] < 16)
		return literal_head(src, src_len, 1, src[0] + 3, head);
	if (src[0])
		return false;
	for (size_t i = 1; i < src_len; i++)
		if (src[i])
			return literal_head(src, src_len, i + 1, 18, head);
	return false;
}

/* A length of up to five bytes, then a tag: 00 in its low bits is literals, 60..63 bytes of length follow. */
static bool snappy_head(const u8 *src, size_t src_len, u8 head[8])
{
	size_t at = 0;
	u8 tag;

	while (at < src_len && at < 5 && src[at] & 0x80)
		at++;
	if (++at >= src_len || src[at] & 3)
		return false;
	tag = src[at++] >> 2;
	if (tag < 60)
		return literal_head(src, src_len, at, tag + 1, head);
	return literal_head(src, src_len, at + tag - 59, 61, head);
}

bool codec_head(struct codec *codec, enum codec_method method,
		const void *src, size_t src_len, u8 head[8])
{
	switch (method) {
	case CODEC_NONE:
		return literal_head(src, src_len, 0, 8, head);
	case CODEC_ZLIB:
		return zlib_head(codec, src, src_len, head);
	case CODEC_LZO:
		return lzo_head(src, src_len, head);
	case CODEC_SNAPPY:
		return snappy_head(src, src_len, head);
	default:
		return false;
	}
}
