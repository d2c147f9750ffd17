/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Headers of a kdump-compressed dump, for kdump.c, kdump_page.c and split.c. */
#ifndef EPITAPH_DUMP_KDUMP_H
#define EPITAPH_DUMP_KDUMP_H

#include "page_codec.h"
#include "pfn_bitmap.h"

#define HEADER_SIZE	464	/* up to nr_cpus */
#define SUBBUF_SIZE	104	/* as of version 6 */
#define DESC_SIZE	24
#define CACHE_SLOTS	64
#define CACHE_SIZE	(4U << 20)	/* bytes of all slots */

enum kdump_status {		/* header.status, and desc.flags but for INCOMPLETE */
	FLAG_ZLIB = 1,
	FLAG_LZO = 2,
	FLAG_SNAPPY = 4,
	FLAG_INCOMPLETE = 8,
	FLAG_ZSTD = 0x20,
	FLAGS_METHOD = FLAG_ZLIB | FLAG_LZO | FLAG_SNAPPY | FLAG_ZSTD,
};

struct page_slot {
	u64 pfn;
	u64 used;		/* when, by kdump.clock; 0: empty */
	u8 *page;
};

/**
 * struct kdump - the headers, and what of the file is at hand
 * @first: the pages from it up to @end have descriptors in this file: all of
 *	them, but of a split dump
 * @rank: of @first, whose descriptor is the first one
 * @next_pfn: the page behind the one whose descriptor was wanted last; @next_rank: of it, if it has one
 * @written: the descriptors of the pages from @written up to @end were not written
 */
struct kdump {
	u32 version;
	u32 status;
	u32 block_size;
	u64 desc_off;
	bool is_split;
	u64 first;
	u64 end;
	u64 rank;
	u64 next_pfn;
	u64 next_rank;
	u64 written;
	struct pfn_bitmap ram;
	struct pfn_bitmap dumped;
	struct file_window descs;
	struct codec *codec;
	u8 *peeked;		/* a block, for a page that is not kept */
	struct page_slot slots[CACHE_SLOTS];
	u64 clock;
};

struct page_desc {
	u64 off;
	u32 size;
	u32 flags;
};

/* The byte order in which the version of a header is plausible; little-endian if none is. */
enum byte_order kdump_order(const u8 *header);

/* Is @size a possible block size? */
bool kdump_is_block_size(u32 size);

/* Note that no file has the pages from @first up to @end of @in's bitmap. */
void kdump_note_absent(struct dump *in, u64 first, u64 end);

/* CODEC_NR if the flags name more than one. */
enum codec_method kpage_method(u32 flags);

/* The @rank-th descriptor; false if the file ends before it. */
bool kpage_desc(struct dump *in, u64 rank, struct page_desc *ret);

/* makedumpfile leaves room for all descriptors, and fills it in as it goes. */
static inline bool kpage_is_unwritten(const struct page_desc *d)
{
	return !d->off && !d->size;
}

/* struct dump_ops */
ssize_t kpage_read(struct dump *in, u64 paddr, void *buf, size_t size, struct err *err);
bool kpage_peek(struct dump *in, u64 paddr, u8 bytes[8]);
bool kpage_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len);

#endif
