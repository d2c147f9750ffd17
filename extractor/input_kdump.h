/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the headers of a kdump-compressed dump say, for who reads its pages. */
#ifndef EPITAPH_INPUT_KDUMP_H
#define EPITAPH_INPUT_KDUMP_H

#include "codec.h"
#include "input_bitmap.h"

#define DESC_SIZE	24
#define CACHE_SLOTS	64
#define CACHE_SIZE	(4U << 20)	/* bytes of all slots */
#define AHEAD_SIZE	65536	/* read at once by peeks, as pages lie in order */

enum kdump_status {		/* header.status, and desc.flags but for INCOMPLETE */
	FLAG_ZLIB = 1,
	FLAG_LZO = 2,
	FLAG_SNAPPY = 4,
	FLAG_INCOMPLETE = 8,
	FLAG_ZSTD = 0x20,
	FLAGS_METHOD = FLAG_ZLIB | FLAG_LZO | FLAG_SNAPPY | FLAG_ZSTD,
};

struct slot {
	u64 pfn;
	u64 used;		/* when, by kdump.clock; 0: empty */
	u8 *page;
};

struct kdump {
	u32 version;
	u32 status;
	u32 block_size;
	u64 desc_off;
	struct bitmap ram;
	struct bitmap dumped;
	struct window descs;
	struct codec *codec;
	u8 *packed;		/* a block, for a page as it is in the file */
	u8 *peeked;		/* a block, for a page that is not kept */
	struct slot slots[CACHE_SLOTS];
	u64 clock;
	u64 ahead_off;
	size_t ahead_len;
	u8 ahead[AHEAD_SIZE];
};

struct desc {
	u64 off;
	u32 size;
	u32 flags;
};

/* CODEC_NR if the flags name more than one. */
enum codec_method kpage_method(u32 flags);

/* The @rank-th descriptor; false if the file ends before it. */
bool kpage_desc(struct input *in, u64 rank, struct desc *ret);

/* struct input_ops */
ssize_t kpage_read(struct input *in, u64 paddr, void *buf, size_t size, struct err *err);
bool kpage_peek(struct input *in, u64 paddr, u8 bytes[8]);
bool kpage_next_data(struct input *in, u64 paddr, u64 *next, u64 *len);

#endif
