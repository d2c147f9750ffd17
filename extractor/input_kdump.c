// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kdump-compressed dumps: makedumpfile -c, -l, -p, -z, and QEMU's
 * dump-guest-memory.  Header versions 1 to 6 of a 64-bit kernel.
 *
 *   block 0        1             1 + sub_hdr_size      + bitmap_blocks
 *   +--------------+-------------+-----------+---------+-------------+-------
 *   | header       | sub-header, | RAM       | dumped  | descriptors | pages
 *   |              | notes       | bitmap    | bitmap  |             |
 *   +--------------+-------------+-----------+---------+-------------+-------
 *
 * A bitmap has a bit for each page frame, the n-th bit set in the second one has
 * the n-th descriptor.  Numbers are in the byte order of the dumped machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "input_bitmap.h"

#define HEADER_SIZE	464	/* up to nr_cpus */
#define SUB_SIZE	104	/* as of version 6 */
#define DESC_SIZE	24
#define LAST_VERSION	6
#define MIN_BLOCK	4096U
#define MAX_BLOCK	(256U << 10)
#define MAX_PADDR	(1ULL << 52)	/* no 64-bit machine has more */
#define CACHE_SLOTS	64
#define CACHE_SIZE	(4U << 20)	/* bytes of all slots */
#define AHEAD_SIZE	65536	/* read at once by peeks, as pages lie in order */
#define NR_LAST		4096	/* descriptors looked at to see where the file should end */

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
	u64 ram_off;		/* of the first bitmap */
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

/* --- headers ------------------------------------------------------------- */

static bool is_block_size(u32 size)
{
	return size >= MIN_BLOCK && size <= MAX_BLOCK && !(size & (size - 1));
}

/* The order in which the version is a version; little if it is none in both. */
static enum byte_order find_order(const u8 *header)
{
	struct bytes b = bytes_of(header, HEADER_SIZE, ORDER_BIG);
	u32 version = bytes_u32(&b, 8);

	return version && version <= 0xff ? ORDER_BIG : ORDER_LITTLE;
}

/* A 32-bit kernel's struct timeval is half as long, so block_size comes earlier. */
static int bad_block_size(struct bytes *header, struct err *err)
{
	if (is_block_size(bytes_u32(header, 416)))
		return err_set(err, ERR_NOT_OURS, 416, "is the dump of a 32-bit kernel; 64-bit ones are read");
	return err_set(err, ERR_CORRUPT, 428, "block_size is %u, not a power of two from %u to %u",
		       bytes_u32(header, 428), MIN_BLOCK, MAX_BLOCK);
}

/**
 * struct geometry - what of the headers says where things are
 */
struct geometry {
	u32 sub_blocks;
	u32 bitmap_blocks;
	u64 max_mapnr;
};

static int read_header(struct input *in, struct geometry *g, struct err *err)
{
	struct kdump *kd = in->container;
	u8 buf[HEADER_SIZE];
	struct bytes b;
	ssize_t n = file_read(in, 0, buf, sizeof(buf), err);

	if (n < 0)
		return n;
	if (n < HEADER_SIZE)
		return err_set(err, ERR_CORRUPT, n, "the file ends at byte %zd, within the header of %u",
			       n, HEADER_SIZE);
	in->order = find_order(buf);
	b = bytes_of(buf, sizeof(buf), in->order);
	kd->version = bytes_u32(&b, 8);
	kd->status = bytes_u32(&b, 424);
	kd->block_size = bytes_u32(&b, 428);
	if (!is_block_size(kd->block_size))
		return bad_block_size(&b, err);
	g->sub_blocks = bytes_u32(&b, 432);
	g->bitmap_blocks = bytes_u32(&b, 436);
	g->max_mapnr = bytes_u32(&b, 440);
	return 0;
}

static void note_header_damage(struct input *in)
{
	const struct kdump *kd = in->container;

	if (kd->status & FLAG_INCOMPLETE)
		input_note_damage(in, "the header says that the dump is incomplete: makedumpfile ran out of room");
	if (!kd->version || kd->version > LAST_VERSION)
		input_note_damage(in, "header version is %u, 1 to %u are known; read as %u",
				  kd->version, LAST_VERSION, LAST_VERSION);
}

static int refuse_split(struct bytes *sub, struct err *err)
{
	return err_set(err, ERR_NOT_OURS, sub->size, "is one part of a split dump (pages from %#llx to %#llx); put it together first: makedumpfile --reassemble PART... DUMP",
		       bytes_u64(sub, 16),
		       bytes_u64(sub, 24));
}

static int read_sub_header(struct input *in, struct geometry *g, struct err *err)
{
	struct kdump *kd = in->container;
	u32 version = kd->version ? kd->version : LAST_VERSION;
	u8 buf[SUB_SIZE] = { 0 };
	struct bytes b = bytes_of(buf, sizeof(buf), in->order);
	ssize_t n = g->sub_blocks ? file_read(in, kd->block_size, buf, sizeof(buf), err) : 0;

	if (n < 0)
		return n;
	if (version >= 2 && bytes_u32(&b, 12))
		return refuse_split(&b, err);
	if (version >= 6)
		g->max_mapnr = bytes_u64(&b, 96);
	if (version >= 3)
		note_take_vmcoreinfo(in, bytes_u64(&b, 32), bytes_u64(&b, 40));
	if (version >= 4)
		note_find_vmcoreinfo(in, bytes_u64(&b, 48), bytes_u64(&b, 56));
	return 0;
}

/*
 * makedumpfile writes two bitmaps of the same size; a dump of all of memory
 * may have one that is both.
 */
static int place_bitmaps(struct input *in, const struct geometry *g, struct err *err)
{
	struct kdump *kd = in->container;
	u64 block = kd->block_size, room = g->bitmap_blocks * block;
	u64 nr = min_u64(g->max_mapnr, MAX_PADDR / block), len = nr / 8 + !!(nr % 8);
	bool two = g->bitmap_blocks >= 2 * ((len + block - 1) / block);

	if (g->max_mapnr > nr)
		input_note_damage(in, "max_mapnr is %#llx pages, more than a machine can have",
				  g->max_mapnr);
	if (!room)
		return err_set(err, ERR_CORRUPT, 436, "bitmap_blocks is 0: no pages");
	if (len > room) {
		input_note_damage(in, "max_mapnr is %#llx pages, the bitmaps of %u blocks have %#llx",
				  g->max_mapnr, g->bitmap_blocks,
				  (4 * room));
		nr = 4 * room;
		two = true;
	}
	kd->ram.off = (1 + (u64)g->sub_blocks) * block;
	kd->dumped.off = kd->ram.off + (two ? room / 2 : 0);
	kd->ram.nr_bits = kd->dumped.nr_bits = nr;
	kd->desc_off = kd->ram.off + room;
	return 0;
}

static enum codec_method method_of(u32 flags)
{
	switch (flags & FLAGS_METHOD) {
	case 0:
		return CODEC_NONE;
	case FLAG_ZLIB:
		return CODEC_ZLIB;
	case FLAG_LZO:
		return CODEC_LZO;
	case FLAG_SNAPPY:
		return CODEC_SNAPPY;
	case FLAG_ZSTD:
		return CODEC_ZSTD;
	default:
		return CODEC_NR;
	}
}

/* --- descriptors --------------------------------------------------------- */

static bool get_desc(struct input *in, u64 rank, struct desc *ret)
{
	struct kdump *kd = in->container;
	u8 buf[DESC_SIZE];
	struct bytes b = bytes_of(buf, sizeof(buf), in->order);

	for (size_t got = 0; got < DESC_SIZE; ) {
		size_t len;
		const u8 *p = window_get(in, &kd->descs, kd->desc_off,
					 rank * DESC_SIZE + got, &len);

		if (!p)
			return false;
		len = min_u64(len, DESC_SIZE - got);
		memcpy(buf + got, p, len);
		got += len;
	}
	ret->off = bytes_u64(&b, 0);
	ret->size = bytes_u32(&b, 8);
	ret->flags = bytes_u32(&b, 12);
	return true;
}

/* Where the file must end for what its last descriptors speak of. */
static void note_truncation(struct input *in)
{
	struct kdump *kd = in->container;
	u64 nr = kd->dumped.nr_set, need = kd->desc_off + nr * DESC_SIZE;
	u64 first = nr > NR_LAST ? nr - NR_LAST : 0;

	for (u64 i = first; i < nr; i++) {
		struct desc d;
		u64 end;

		if (!get_desc(in, i, &d))
			break;
		if (d.size <= kd->block_size && add_fits(d.off, d.size, &end) && end > need)
			need = end;
	}
	input_note_size(in, need);
}

static int add_segments(struct input *in, struct err *err)
{
	struct kdump *kd = in->container;
	struct bitmap *map = &kd->ram;
	u64 end, pfn = bitmap_find(in, map, 0, true);

	for (; pfn < map->nr_bits; pfn = bitmap_find(in, map, end, true)) {
		int ret;

		end = bitmap_find(in, map, pfn, false);
		ret = input_add_segment(in, pfn * kd->block_size,
					(end - pfn) * kd->block_size, err);
		if (ret)
			return ret;
	}
	return 0;
}

static void name_kind(struct input *in)
{
	const struct kdump *kd = in->container;
	enum codec_method method = method_of(kd->status);

	snprintf(in->kind, sizeof(in->kind), "kdump-compressed dump (%s%s)",
		 method == CODEC_NR ? "mixed" : codec_name(method),
		 in->order == ORDER_BIG ? ", big-endian" : "");
}

static int kdump_open(struct input *in, struct err *err)
{
	struct kdump *kd = calloc(1, sizeof(*kd));
	struct geometry g;
	int ret;

	if (!kd)
		return err_sys(err, "no memory");
	in->container = kd;
	ret = read_header(in, &g, err);
	if (!ret)
		ret = read_sub_header(in, &g, err);
	if (!ret)
		ret = place_bitmaps(in, &g, err);
	if (ret)
		return ret;
	kd->codec = codec_create();
	kd->packed = malloc(kd->block_size);
	kd->peeked = malloc(kd->block_size);
	if (!kd->codec || !kd->packed || !kd->peeked)
		return err_sys(err, "no memory");
	note_header_damage(in);
	name_kind(in);
	bitmap_count(in, &kd->ram);
	bitmap_count(in, &kd->dumped);
	note_truncation(in);
	return add_segments(in, err);
}

static void kdump_close(struct input *in)
{
	struct kdump *kd = in->container;

	if (!kd)
		return;
	for (size_t i = 0; i < CACHE_SLOTS; i++)
		free(kd->slots[i].page);
	codec_destroy(kd->codec);
	free(kd->packed);
	free(kd->peeked);
	free(kd);
}

/* --- pages --------------------------------------------------------------- */

static void note_page(struct input *in, u64 pfn, const char *what)
{
	const struct kdump *kd = in->container;

	input_note_damage(in, "page %#llx: %s",
			  pfn * kd->block_size, what);
}

/* Is @d one that a page can be read by?  Says why not. */
static bool desc_is_good(struct input *in, u64 pfn, const struct desc *d)
{
	const struct kdump *kd = in->container;
	const char *what = NULL;

	if (d->size > kd->block_size)
		what = "its size in the file is more than a page";
	else if (method_of(d->flags) == CODEC_NR)
		what = "its flags name two ways of compression";
	else if (d->off >= in->file_size || d->size > in->file_size - d->off)
		what = "lies behind the end of the file";
	if (what)
		note_page(in, pfn, what);
	return !what;
}

static bool find_desc(struct input *in, u64 pfn, struct desc *d)
{
	struct kdump *kd = in->container;

	if (!bitmap_test(in, &kd->dumped, pfn))
		return false;
	if (!get_desc(in, bitmap_rank(in, &kd->dumped, pfn), d)) {
		note_page(in, pfn, "its descriptor lies behind the end of the file");
		return false;
	}
	return desc_is_good(in, pfn, d);
}

/* One page to @dst.  Return: 1, 0 if it is not there, -ERR_IO. */
static int read_page(struct input *in, u64 pfn, void *dst, struct err *err)
{
	struct kdump *kd = in->container;
	const char *what;
	struct desc d;
	ssize_t n;

	if (!find_desc(in, pfn, &d))
		return 0;
	n = file_read(in, d.off, kd->packed, d.size, err);
	if (n < 0)
		return n;
	what = (u32)n < d.size ? "is cut short" :
	       codec_page(kd->codec, method_of(d.flags), kd->packed, n, dst, kd->block_size);
	if (what)
		note_page(in, pfn, what);
	return !what;
}

static struct slot *oldest_slot(struct kdump *kd)
{
	size_t nr = min_u64(CACHE_SLOTS, CACHE_SIZE / kd->block_size);
	struct slot *slot = &kd->slots[0];

	for (size_t i = 1; i < nr; i++)
		if (kd->slots[i].used < slot->used)
			slot = &kd->slots[i];
	return slot;
}

static struct slot *find_slot(struct kdump *kd, u64 pfn)
{
	for (size_t i = 0; i < CACHE_SLOTS; i++)
		if (kd->slots[i].used && kd->slots[i].pfn == pfn)
			return &kd->slots[i];
	return NULL;
}

/* The page from the cache, read into it if need be.  Return: as read_page(). */
static int get_page(struct input *in, u64 pfn, const u8 **ret, struct err *err)
{
	struct kdump *kd = in->container;
	struct slot *slot = find_slot(kd, pfn);
	int res;

	if (!slot) {
		slot = oldest_slot(kd);
		if (!slot->page)
			slot->page = malloc(kd->block_size);
		if (!slot->page)
			return err_sys(err, "no memory for a page");
		slot->used = 0;
		res = read_page(in, pfn, slot->page, err);
		if (res <= 0)
			return res;
		slot->pfn = pfn;
	}
	slot->used = ++kd->clock;
	*ret = slot->page;
	return 1;
}

/* The part of [paddr, paddr + size) in one page.  Return: bytes, 0, -ERR_IO. */
static ssize_t read_in_page(struct input *in, u64 paddr, void *buf, size_t size,
			    struct err *err)
{
	struct kdump *kd = in->container;
	u64 pfn = paddr / kd->block_size, off = paddr % kd->block_size;
	const u8 *page = NULL;
	int ret;

	size = min_u64(size, kd->block_size - off);
	if (size == kd->block_size && !find_slot(kd, pfn)) {
		ret = read_page(in, pfn, buf, err);
		return ret > 0 ? (ssize_t)size : ret;
	}
	ret = get_page(in, pfn, &page, err);
	if (ret <= 0)
		return ret;
	memcpy(buf, page + off, size);
	return size;
}

static ssize_t kdump_read(struct input *in, u64 paddr, void *buf, size_t size,
			  struct err *err)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read_in_page(in, paddr + done, (u8 *)buf + done, size - done, err);

		if (n < 0)
			return n;
		if (!n)
			break;
		done += n;
	}
	return done;
}

/* Up to @want bytes at @off of the file; sets @want to how many there are. */
static const u8 *read_ahead(struct input *in, u64 off, size_t *want)
{
	struct kdump *kd = in->container;
	u64 at = off - kd->ahead_off;

	if (off < kd->ahead_off || at >= kd->ahead_len || kd->ahead_len - at < *want) {
		ssize_t n = file_read(in, off, kd->ahead, AHEAD_SIZE, NULL);

		kd->ahead_off = off;
		kd->ahead_len = n > 0 ? n : 0;
		at = 0;
	}
	*want = min_u64(*want, kd->ahead_len - at);
	return kd->ahead + at;
}

/* The first bytes of a page, by what was read ahead. */
static bool peek_packed(struct input *in, const struct desc *d, u8 bytes[8])
{
	struct kdump *kd = in->container;
	size_t len = d->size;
	const u8 *p = read_ahead(in, d->off, &len);

	if (codec_head(kd->codec, method_of(d->flags), p, len, bytes))
		return true;
	if (len < d->size || codec_page(kd->codec, method_of(d->flags), p, len, kd->peeked,
					kd->block_size))
		return false;
	memcpy(bytes, kd->peeked, 8);
	return true;
}

static bool kdump_peek(struct input *in, u64 paddr, u8 bytes[8])
{
	struct kdump *kd = in->container;
	u64 pfn = paddr / kd->block_size;
	struct desc d;

	if (!(paddr % kd->block_size) && !find_slot(kd, pfn)) {
		if (!find_desc(in, pfn, &d))
			return false;
		if (peek_packed(in, &d, bytes))
			return true;
	}
	return kdump_read(in, paddr, bytes, 8, NULL) == 8;
}

static bool kdump_next_data(struct input *in, u64 paddr, u64 *next, u64 *len)
{
	struct kdump *kd = in->container;
	struct bitmap *map = &kd->dumped;
	u64 pfn = bitmap_find(in, map, paddr / kd->block_size, true), start;

	if (pfn >= map->nr_bits)
		return false;
	start = pfn * kd->block_size;
	*next = start > paddr ? start : paddr;
	*len = bitmap_find(in, map, pfn, false) * kd->block_size - *next;
	return true;
}

const struct input_ops input_kdump_ops = {
	.open = kdump_open,
	.close = kdump_close,
	.read = kdump_read,
	.peek = kdump_peek,
	.next_data = kdump_next_data,
};
