// SPDX-License-Identifier: GPL-2.0-or-later
#include "pfn_bitmap.h"

#include <string.h>

const u8 *window_get(struct dump *in, struct file_window *w, u64 base, u64 pos, size_t *len)
{
	u64 off = pos & ~(u64)(WINDOW_SIZE - 1);

	if (!w->len || w->off != off) {
		ssize_t n = file_read(in, base + off, w->data, WINDOW_SIZE, NULL);

		w->off = off;
		w->len = n > 0 ? n : 0;
	}
	if (pos - off >= w->len)
		return NULL;
	*len = w->len - (pos - off);
	return w->data + (pos - off);
}

static u64 nr_bytes(const struct pfn_bitmap *map)
{
	return map->nr_bits / 8 + !!(map->nr_bits % 8);
}

/* The bytes at @pos, those of the window at most; 0 bytes where the file has none. */
static size_t bitmap_bytes(struct dump *in, struct pfn_bitmap *map, u64 pos, const u8 **p)
{
	size_t len;

	if (pos >= nr_bytes(map))
		return 0;
	*p = window_get(in, &map->window, map->off, pos, &len);
	return *p ? min_u64(len, nr_bytes(map) - pos) : 0;
}

static u64 count_bytes(const u8 *p, size_t len)
{
	u64 nr = 0, word;

	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		nr += __builtin_popcountll(word);
	}
	while (len--)
		nr += __builtin_popcount(*p++);
	return nr;
}

/* Bits set in the bytes [pos, end), all read. */
static u64 count_run(struct dump *in, struct pfn_bitmap *map, u64 pos, u64 end)
{
	u64 nr = 0;

	while (pos < end) {
		const u8 *p;
		size_t len = min_u64(bitmap_bytes(in, map, pos, &p), end - pos);

		if (!len)
			break;
		nr += count_bytes(p, len);
		pos += len;
	}
	return nr;
}

/* The same, stepping over holes of the file. */
static u64 count_sparse(struct dump *in, struct pfn_bitmap *map, u64 pos, u64 end)
{
	u64 nr = 0, data, hole;

	while (pos < end && file_next_data(in, map->off + pos, &data, &hole)) {
		pos = min_u64(end, hole - map->off);
		nr += count_run(in, map, data - map->off, pos);
	}
	return nr;
}

void pfn_bitmap_count(struct dump *in, struct pfn_bitmap *map)
{
	u64 end = nr_bytes(map), i = 0;
	const u8 *p;

	map->chunk = WINDOW_SIZE;
	while (map->chunk * MAX_CHUNKS < end)
		map->chunk *= 2;
	for (u64 pos = 0; pos < end; pos += map->chunk) {
		map->before[i++] = map->nr_set;
		map->nr_set += count_sparse(in, map, pos, min_u64(pos + map->chunk, end));
	}
	map->before[i] = map->nr_set;
	/* The last byte may have bits behind the last page: they do not count. */
	if (bitmap_bytes(in, map, map->nr_bits / 8, &p))
		map->nr_set -= __builtin_popcount(*p >> map->nr_bits % 8);
}

bool pfn_bitmap_test(struct dump *in, struct pfn_bitmap *map, u64 bit)
{
	const u8 *p;

	return bit < map->nr_bits && bitmap_bytes(in, map, bit / 8, &p) &&
	       *p >> bit % 8 & 1;
}

u64 pfn_bitmap_rank(struct dump *in, struct pfn_bitmap *map, u64 bit)
{
	u64 pos, from, nr;
	const u8 *p;

	bit = min_u64(bit, map->nr_bits);
	pos = bit / 8;
	from = map->last_pos;
	nr = map->last_before;
	if (from > pos || pos - from > map->chunk) {
		from = pos - pos % map->chunk;
		nr = map->before[from / map->chunk];
	}
	if (pos - from > WINDOW_SIZE)
		nr += count_sparse(in, map, from, pos);
	else
		nr += count_run(in, map, from, pos);
	map->last_pos = pos;
	map->last_before = nr;
	if (bitmap_bytes(in, map, pos, &p))
		nr += __builtin_popcount(*p & ((1U << bit % 8) - 1));
	return nr;
}

/* The first page behind the chunks from the one of @bit on that have none set. */
static u64 skip_chunks(const struct pfn_bitmap *map, u64 bit)
{
	u64 bits = 8 * map->chunk;

	while (bit < map->nr_bits &&
	       map->before[bit / bits] == map->before[bit / bits + 1])
		bit = (bit / bits + 1) * bits;
	return min_u64(bit, map->nr_bits);
}

/* The first bit from @bit on that is @set, or @end. */
static u64 find_bit(struct dump *in, struct pfn_bitmap *map, u64 bit, u64 end, bool set)
{
	u8 none = set ? 0 : 0xff;

	while (bit < end) {
		const u8 *p;
		size_t len = bitmap_bytes(in, map, bit / 8, &p);
		unsigned int found;

		if (!len)
			return set ? end : bit;
		found = (u8)(*p ^ none) >> bit % 8;
		if (found)
			return min_u64(bit + __builtin_ctz(found), end);
		bit = (bit | 7) + 1;
		for (size_t i = 1; i < len && bit < end && p[i] == none; i++)
			bit += 8;
		if (set && bit % (8 * map->chunk) == 0)
			bit = skip_chunks(map, bit);
	}
	return end;
}

u64 pfn_bitmap_find(struct dump *in, struct pfn_bitmap *map, u64 bit, bool set)
{
	return find_bit(in, map, bit, map->nr_bits, set);
}

u64 pfn_bitmap_run(struct dump *in, struct pfn_bitmap *map, u64 bit, u64 max)
{
	u64 left = bit < map->nr_bits ? map->nr_bits - bit : 0;

	return find_bit(in, map, bit, bit + min_u64(left, max), false) - bit;
}
