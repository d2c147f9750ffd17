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
 *
 * A part of a split dump has the same headers and bitmaps, and the descriptors
 * of a range of pages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kdump.h"

#define LAST_VERSION	6
#define MIN_BLOCK	4096U
#define MAX_BLOCK	VIEW_SIZE
#define MAX_PADDR	(1ULL << 52)	/* no 64-bit machine has more */
#define NR_LAST		4096	/* descriptors looked at to see where the file should end */

/* --- headers ------------------------------------------------------------- */

bool kdump_is_block_size(u32 size)
{
	return size >= MIN_BLOCK && size <= MAX_BLOCK && !(size & (size - 1));
}

enum byte_order kdump_order(const u8 *header)
{
	struct bytes b = bytes_of(header, HEADER_SIZE, ORDER_BIG);
	u32 version = bytes_u32(&b, 8);

	return version && version <= 0xff ? ORDER_BIG : ORDER_LITTLE;
}

/* Fields of the headers that place the parts of the file. */
struct geometry {
	u32 sub_blocks;
	u32 bitmap_blocks;
	u64 max_mapnr;
};

static int read_kdump_header(struct dump *in, struct geometry *g, struct err *err)
{
	struct kdump *kd = in->container;
	u8 buf[HEADER_SIZE];
	struct bytes b;
	ssize_t n = file_read(in, 0, buf, sizeof(buf), err);

	if (n < 0)
		return n;
	if (n < HEADER_SIZE)
		return dump_short_header(in, n, HEADER_SIZE, err);
	in->order = kdump_order(buf);
	b = bytes_of(buf, sizeof(buf), in->order);
	kd->version = bytes_u32(&b, 8);
	kd->status = bytes_u32(&b, 424);
	kd->block_size = bytes_u32(&b, 428);
	/* A 32-bit kernel's struct timeval is half as long, so block_size comes earlier. */
	if (!kdump_is_block_size(kd->block_size) && kdump_is_block_size(bytes_u32(&b, 416)))
		return err_set(err, ERR_NOT_OURS, 416, "is the dump of a 32-bit kernel; 64-bit ones are read");
	if (!kdump_is_block_size(kd->block_size))
		return err_set(err, ERR_CORRUPT, 428, "block_size is %u, not a power of two from %u to %u",
			       kd->block_size, MIN_BLOCK, MAX_BLOCK);
	g->sub_blocks = bytes_u32(&b, 432);
	g->bitmap_blocks = bytes_u32(&b, 436);
	g->max_mapnr = bytes_u32(&b, 440);
	return 0;
}

static int read_sub_header(struct dump *in, struct geometry *g, struct err *err)
{
	struct kdump *kd = in->container;
	u32 version = kd->version ? kd->version : LAST_VERSION;
	u8 buf[SUBBUF_SIZE] = { 0 };
	struct bytes b = bytes_of(buf, sizeof(buf), in->order);
	ssize_t n = g->sub_blocks ? file_read(in, kd->block_size, buf, sizeof(buf), err) : 0;

	if (n < 0)
		return n;
	if (n >= 12)
		in->dump_level = bytes_u32(&b, 8) & 31;
	kd->is_split = version >= 2 && bytes_u32(&b, 12);
	kd->first = bytes_u64(&b, version >= 6 ? 80 : 16);
	kd->end = bytes_u64(&b, version >= 6 ? 88 : 24);
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
static int place_bitmaps(struct dump *in, const struct geometry *g, struct err *err)
{
	struct kdump *kd = in->container;
	u64 block = kd->block_size, room = g->bitmap_blocks * block;
	u64 nr = min_u64(g->max_mapnr, MAX_PADDR / block), len = nr / 8 + !!(nr % 8);
	bool two = g->bitmap_blocks >= 2 * ((len + block - 1) / block);

	if (g->max_mapnr > nr)
		dump_note_damage(in, "max_mapnr is %#llx pages, more than a machine can have",
				 g->max_mapnr);
	if (!room)
		return err_set(err, ERR_CORRUPT, 436, "bitmap_blocks is 0: no pages");
	if (len > room) {
		dump_note_damage(in, "max_mapnr is %#llx pages, the bitmaps of %u blocks have %#llx",
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

/* --- descriptors and segments --------------------------------------------- */

/* The pages of the last descriptors say how long the file must be. */
static void note_truncation(struct dump *in)
{
	struct kdump *kd = in->container;
	u64 nr = pfn_bitmap_rank(in, &kd->dumped, kd->end) - kd->rank;
	/* Without descriptors the file ends with the last bitmap. */
	u64 need = nr ? kd->desc_off + nr * DESC_SIZE : kd->dumped.off + (kd->dumped.nr_bits + 7) / 8;
	u64 first = nr > NR_LAST ? nr - NR_LAST : 0;

	for (u64 i = first; i < nr; i++) {
		struct page_desc d;
		u64 end;

		if (!kpage_desc(in, i, &d))
			break;
		if (d.size <= kd->block_size && add_fits(d.off, d.size, &end) && end > need)
			need = end;
	}
	dump_note_size(in, need);
}

/* The page that has the @rank-th descriptor, or @end. */
static u64 pfn_of_rank(struct dump *in, u64 rank)
{
	struct kdump *kd = in->container;
	u64 lo = kd->first, hi = kd->end;

	while (lo < hi) {
		u64 mid = lo + (hi - lo) / 2;

		if (pfn_bitmap_rank(in, &kd->dumped, mid + 1) - kd->rank > rank)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Descriptors are written in order, so the first that was not is found by halving. */
static void find_unwritten(struct dump *in)
{
	struct kdump *kd = in->container;
	u64 nr = pfn_bitmap_rank(in, &kd->dumped, kd->end) - kd->rank, lo = 0, hi = nr;
	struct page_desc d;

	kd->written = kd->end;
	if (!nr || !kpage_desc(in, nr - 1, &d) || !kpage_is_unwritten(&d))
		return;
	while (lo < hi) {
		u64 mid = lo + (hi - lo) / 2;

		if (kpage_desc(in, mid, &d) && kpage_is_unwritten(&d))
			hi = mid;
		else
			lo = mid + 1;
	}
	kd->written = pfn_of_rank(in, lo);
	dump_note_damage(in, "the last %llu of %llu pages were not written", nr - lo, nr);
}

static int add_segments(struct dump *in, struct err *err)
{
	struct kdump *kd = in->container;
	struct pfn_bitmap *map = &kd->ram;
	u64 end, pfn = pfn_bitmap_find(in, map, 0, true);

	for (; pfn < map->nr_bits; pfn = pfn_bitmap_find(in, map, end, true)) {
		int ret;

		end = pfn_bitmap_find(in, map, pfn, false);
		ret = dump_add_segment(in, pfn * kd->block_size,
				       (end - pfn) * kd->block_size, err);
		if (ret)
			return ret;
	}
	return 0;
}

void kdump_note_absent(struct dump *in, u64 first, u64 end)
{
	struct kdump *kd = in->container;
	u64 nr = pfn_bitmap_rank(in, &kd->dumped, end) - pfn_bitmap_rank(in, &kd->dumped, first);

	if (nr)
		dump_note_damage(in->whole ? in->whole : in, "the part of the split dump with memory from %#llx to %#llx, %llu pages, was not given",
				 first * kd->block_size,
				 end * kd->block_size, nr);
}

/* Which pages this file has. */
static void place_part(struct dump *in)
{
	struct kdump *kd = in->container;
	u64 nr = kd->dumped.nr_bits;

	if (kd->is_split && (kd->first > kd->end || kd->end > nr))
		dump_note_damage(in, "a part of a split dump with pages from %#llx to %#llx of %#llx",
				 kd->first, kd->end,
				 nr);
	kd->end = kd->is_split ? min_u64(kd->end, nr) : nr;
	kd->first = kd->is_split ? min_u64(kd->first, kd->end) : 0;
	kd->rank = pfn_bitmap_rank(in, &kd->dumped, kd->first);
	if (in->whole)
		return;
	kdump_note_absent(in, 0, kd->first);
	kdump_note_absent(in, kd->end, nr);
}

static int kdump_open(struct dump *in, struct err *err)
{
	struct kdump *kd = calloc(1, sizeof(*kd));
	struct geometry g = { 0 };
	enum codec_method method;
	int ret;

	if (!kd)
		return err_sys(err, "no memory");
	in->container = kd;
	ret = read_kdump_header(in, &g, err);
	if (!ret)
		ret = read_sub_header(in, &g, err);
	if (!ret)
		ret = place_bitmaps(in, &g, err);
	if (ret)
		return ret;
	kd->codec = codec_create();
	kd->peeked = malloc(kd->block_size);
	if (!kd->codec || !kd->peeked)
		return err_sys(err, "no memory");
	if (kd->status & FLAG_INCOMPLETE)
		dump_note_damage(in, "the header says that the dump is incomplete: makedumpfile ran out of room");
	if (!kd->version || kd->version > LAST_VERSION)
		dump_note_damage(in, "header version is %u, 1 to %u are known; read as %u",
				 kd->version, LAST_VERSION, LAST_VERSION);
	method = kpage_method(kd->status);
	snprintf(in->kind, sizeof(in->kind), "%skdump-compressed dump (%s%s)",
		 kd->is_split && !in->whole ? "part of a split " : "",
		 method == CODEC_NR ? "mixed" : codec_name(method),
		 in->order == ORDER_BIG ? ", big-endian" : "");
	pfn_bitmap_count(in, &kd->ram);
	pfn_bitmap_count(in, &kd->dumped);
	place_part(in);
	find_unwritten(in);
	note_truncation(in);
	return add_segments(in, err);
}

static void kdump_close(struct dump *in)
{
	struct kdump *kd = in->container;

	if (!kd)
		return;
	for (size_t i = 0; i < CACHE_SLOTS; i++)
		free(kd->slots[i].page);
	codec_destroy(kd->codec);
	free(kd->peeked);
	free(kd);
}

const struct dump_ops dump_kdump_ops = {
	.open = kdump_open,
	.close = kdump_close,
	.read = kpage_read,
	.peek = kpage_peek,
	.next_data = kpage_next_data,
};
