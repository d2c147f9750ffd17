// SPDX-License-Identifier: GPL-2.0-or-later
/* The pages of a kdump-compressed dump: found by rank, decompressed, kept for a while. */
#include <stdlib.h>
#include <string.h>

#include "kdump.h"

#define MAX_RUN		512	/* pages that kpage_next_data() counts at once */

enum codec_method kpage_method(u32 flags)
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

/* The bytes of a descriptor: in the window, or copied to @buf from two windows. */
static const u8 *desc_bytes(struct dump *in, u64 at, u8 buf[DESC_SIZE])
{
	struct kdump *kd = in->container;
	size_t len, got;
	const u8 *p = window_get(in, &kd->descs, kd->desc_off, at, &len);

	if (!p || len >= DESC_SIZE)
		return p;
	got = len;
	memcpy(buf, p, got);
	p = window_get(in, &kd->descs, kd->desc_off, at + got, &len);
	if (!p || len < DESC_SIZE - got)
		return NULL;
	memcpy(buf + got, p, DESC_SIZE - got);
	return buf;
}

bool kpage_desc(struct dump *in, u64 rank, struct page_desc *ret)
{
	u8 buf[DESC_SIZE];
	const u8 *p = desc_bytes(in, rank * DESC_SIZE, buf);
	struct bytes b = bytes_of(p, DESC_SIZE, in->order);

	if (!p)
		return false;
	ret->off = bytes_u64(&b, 0);
	ret->size = bytes_u32(&b, 8);
	ret->flags = bytes_u32(&b, 12);
	return true;
}

static void note_page(struct dump *in, u64 pfn, const char *what)
{
	const struct kdump *kd = in->container;

	dump_note_damage(in, "page %#llx: %s",
			 pfn * kd->block_size, what);
}

/* Can a page be read by @d? If not, the reason is noted. */
static bool desc_is_good(struct dump *in, u64 pfn, const struct page_desc *d)
{
	const struct kdump *kd = in->container;
	const char *what = NULL;

	if (kpage_is_unwritten(d))
		what = "was not written";
	else if (d->size > kd->block_size)
		what = "its size in the file is more than a page";
	else if (kpage_method(d->flags) == CODEC_NR)
		what = "its flags name two ways of compression";
	else if (d->off >= in->file_size || d->size > in->file_size - d->off)
		what = "lies behind the end of the file";
	if (what)
		note_page(in, pfn, what);
	return !what;
}

/* Rank of the descriptor of a dumped page; successive pages have successive ranks. */
static u64 rank_of(struct dump *in, u64 pfn)
{
	struct kdump *kd = in->container;
	u64 rank = pfn == kd->next_pfn ? kd->next_rank : pfn_bitmap_rank(in, &kd->dumped, pfn) - kd->rank;

	kd->next_pfn = pfn + 1;
	kd->next_rank = rank + 1;
	return rank;
}

static bool find_desc(struct dump *in, u64 pfn, struct page_desc *d)
{
	struct kdump *kd = in->container;

	if (pfn < kd->first || pfn >= kd->written || !pfn_bitmap_test(in, &kd->dumped, pfn))
		return false;		/* the damage is noted already */
	if (!kpage_desc(in, rank_of(in, pfn), d)) {
		note_page(in, pfn, "its descriptor lies behind the end of the file");
		return false;
	}
	return desc_is_good(in, pfn, d);
}

/* One page to @dst.  Return: 1, 0 if it is not there, -ERR_IO. */
static int read_kdump_page(struct dump *in, u64 pfn, void *dst, struct err *err)
{
	struct kdump *kd = in->container;
	const char *what;
	const u8 *packed;
	struct page_desc d;
	ssize_t n;

	if (!find_desc(in, pfn, &d))
		return 0;
	n = file_view(in, d.off, d.size, &packed, err);
	if (n < 0)
		return n;
	what = (u32)n < d.size ? "is cut short" :
	       codec_page(kd->codec, kpage_method(d.flags), packed, n, dst, kd->block_size);
	if (what)
		note_page(in, pfn, what);
	return !what;
}

static struct page_slot *oldest_slot(struct kdump *kd)
{
	size_t nr = min_u64(CACHE_SLOTS, CACHE_SIZE / kd->block_size);
	struct page_slot *slot = &kd->slots[0];

	for (size_t i = 1; i < nr; i++)
		if (kd->slots[i].used < slot->used)
			slot = &kd->slots[i];
	return slot;
}

static struct page_slot *find_slot(struct kdump *kd, u64 pfn)
{
	for (size_t i = 0; i < CACHE_SLOTS; i++)
		if (kd->slots[i].used && kd->slots[i].pfn == pfn)
			return &kd->slots[i];
	return NULL;
}

/* The page from the cache, read into it on a miss. Return: as read_kdump_page(). */
static int get_page(struct dump *in, u64 pfn, const u8 **ret, struct err *err)
{
	struct kdump *kd = in->container;
	struct page_slot *slot = find_slot(kd, pfn);
	int res;

	if (!slot) {
		slot = oldest_slot(kd);
		if (!slot->page)
			slot->page = malloc(kd->block_size);
		if (!slot->page)
			return err_sys(err, "no memory for a page");
		slot->used = 0;
		res = read_kdump_page(in, pfn, slot->page, err);
		if (res <= 0)
			return res;
		slot->pfn = pfn;
	}
	slot->used = ++kd->clock;
	*ret = slot->page;
	return 1;
}

/* The part of [paddr, paddr + size) in one page.  Return: bytes, 0, -ERR_IO. */
static ssize_t read_in_kdump_page(struct dump *in, u64 paddr, void *buf, size_t size,
			    struct err *err)
{
	struct kdump *kd = in->container;
	u64 pfn = paddr / kd->block_size, off = paddr % kd->block_size;
	const u8 *page = NULL;
	int ret;

	size = min_u64(size, kd->block_size - off);
	if (size == kd->block_size && !find_slot(kd, pfn)) {
		ret = read_kdump_page(in, pfn, buf, err);
		return ret > 0 ? (ssize_t)size : ret;
	}
	ret = get_page(in, pfn, &page, err);
	if (ret <= 0)
		return ret;
	memcpy(buf, page + off, size);
	return size;
}

ssize_t kpage_read(struct dump *in, u64 paddr, void *buf, size_t size,
			  struct err *err)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read_in_kdump_page(in, paddr + done, (u8 *)buf + done, size - done, err);

		if (n < 0)
			return n;
		if (!n)
			break;
		done += n;
	}
	return done;
}

/* The first bytes of a page; of one that is not compressed no more than these are read. */
static bool peek_packed(struct dump *in, const struct page_desc *d, u8 bytes[8])
{
	struct kdump *kd = in->container;
	enum codec_method method = kpage_method(d->flags);
	u32 want = method == CODEC_NONE && d->size > 8 ? 8 : d->size;
	const u8 *p;
	ssize_t n = file_view(in, d->off, want, &p, NULL);

	if (n < 0)
		return false;
	if (codec_head(kd->codec, method, p, n, bytes))
		return true;
	if ((u32)n < d->size || codec_page(kd->codec, method, p, n, kd->peeked, kd->block_size))
		return false;
	memcpy(bytes, kd->peeked, 8);
	return true;
}

bool kpage_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	struct kdump *kd = in->container;
	u64 pfn = paddr / kd->block_size;
	struct page_desc d;

	if (!(paddr % kd->block_size)) {
		if (!find_desc(in, pfn, &d))
			return false;
		if (peek_packed(in, &d, bytes))
			return true;
	}
	return kpage_read(in, paddr, bytes, 8, NULL) == 8;
}

bool kpage_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	struct kdump *kd = in->container;
	struct pfn_bitmap *map = &kd->dumped;
	u64 pfn = paddr / kd->block_size, start, end;

	pfn = pfn_bitmap_find(in, map, pfn > kd->first ? pfn : kd->first, true);
	if (pfn >= kd->written)
		return false;
	start = pfn * kd->block_size;
	*next = start > paddr ? start : paddr;
	end = min_u64(pfn + pfn_bitmap_run(in, map, pfn, MAX_RUN), kd->written);
	*len = end * kd->block_size - *next;
	return true;
}
