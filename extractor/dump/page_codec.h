/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One compressed page of a dump, by the libraries that compressed it. */
#ifndef EPITAPH_DUMP_PAGE_CODEC_H
#define EPITAPH_DUMP_PAGE_CODEC_H

#include "base/types.h"

enum codec_method {
	CODEC_NONE,
	CODEC_ZLIB,
	CODEC_LZO,
	CODEC_SNAPPY,
	CODEC_ZSTD,
	CODEC_NR,
};

/* What the libraries need from page to page; NULL if there is no memory. */
struct codec;
struct codec *codec_create(void);
void codec_destroy(struct codec *codec);

/* "zlib", "lzo", "snappy", "zstd"; "uncompressed" for CODEC_NONE. */
const char *codec_name(enum codec_method method);

/* Was the library linked?  A static build leaves snappy out. */
bool codec_is_known(enum codec_method method);

/* "zlib lzo snappy zstd", as linked: for --version. */
const char *codec_list(void);

/**
 * codec_page() - decompress one page
 * @dst: room for @dst_len bytes, which is what must come out
 *
 * Return: NULL, or what is wrong in words (static); @dst is then undefined.
 */
const char *codec_page(struct codec *codec, enum codec_method method,
		       const void *src, size_t src_len, void *dst, size_t dst_len);

/**
 * codec_head() - the first 8 bytes of a page, from the first bytes of it compressed
 * @src_len: may be less than the page has
 *
 * Return: did they come out?  If not, codec_page() may know more.
 */
bool codec_head(struct codec *codec, enum codec_method method,
		const void *src, size_t src_len, u8 head[8]);

#endif
