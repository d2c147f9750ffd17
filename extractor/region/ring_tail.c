// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_tail.h"

/* A writer passes over so many sub-buffers in a row at most: what is behind the newest piece may be newer. */
#define NR_AHEAD	(2 * EPITAPH_LEVELS)

/* The number of the first sub-buffer at @off; 0: it is empty; -1: it does not say. */
static s64 seq_at(const struct ring_scan *scan, u64 off, struct err *err)
{
	u8 data[sizeof(struct epitaph_sub)];
	ssize_t n = scan->src.read(scan->src.priv, off, data, sizeof(data), err);
	struct subbuf sub;

	if (n < 0)
		return n;
	if (n < (ssize_t)sizeof(data))
		return -1;
	subbuf_header(&sub, data, scan->unit, scan->salt, off);
	if (sub.state == SUBBUF_EMPTY)
		return 0;
	return sub.state == SUBBUF_GOOD && sub.seq < ~0ULL >> 1 ? (s64)sub.seq : -1;
}

/* Return: 1, 0 if one of them does not say its number, -ERR_IO. */
static int find_newest(struct ring_tail *tail, struct err *err)
{
	u64 at = 0, i;
	s64 seq;

	for (i = 0; i < tail->nr; i++) {
		seq = seq_at(tail->scan, i * RING_SCAN_READ, err);
		if (seq < 0)
			return seq == -ERR_IO ? seq : 0;
		if ((u64)seq > tail->newest) {
			tail->newest = seq;
			at = i;
		}
	}
	tail->next = tail->nr ? (at + NR_AHEAD) % tail->nr : 0;
	return 1;
}

int ring_tail_begin(struct ring_tail *tail, struct ring_scan *scan, u32 *left, struct err *err)
{
	int ret;

	*tail = (struct ring_tail){ .scan = scan, .nr = (scan->size + RING_SCAN_READ - 1) / RING_SCAN_READ };
	ret = find_newest(tail, err);
	if (ret)
		return ret < 0 ? ret : 0;
	tail->nr_read = tail->nr;
	return ring_scan_part(scan, 0, scan->size, left, err);
}

static int read_tail_piece(struct ring_tail *tail, u32 *left, struct err *err)
{
	u64 off = tail->next * RING_SCAN_READ, end = off + RING_SCAN_READ;

	tail->next = (tail->next ? tail->next : tail->nr) - 1;
	tail->nr_read++;
	return ring_scan_part(tail->scan, off, end < tail->scan->size ? end : tail->scan->size, left, err);
}

/* Is there nothing to look for before the entries from @i on, which the last piece gave? */
static bool is_behind(const struct ring_tail *tail, u32 i)
{
	const struct ring_scan *scan = tail->scan;
	bool is_first = !tail->newest, is_older = i < scan->nr_subs;

	for (; i < scan->nr_subs; i++) {
		const struct scanned_subbuf *sub = &scan->subs[i];

		is_first |= sub->state == SUBBUF_GOOD && !sub->prev;
		is_older &= sub->state == SUBBUF_GOOD && sub->last < tail->from;
	}
	return is_first || is_older;
}

int ring_tail_read(struct ring_tail *tail, u64 from, u64 bytes, u32 *left, struct err *err)
{
	bool is_enough = false;
	int ret = 0;

	tail->from = from;
	while (!ret && !is_enough && tail->nr_read < tail->nr) {
		u32 nr = tail->scan->nr_subs;

		ret = read_tail_piece(tail, left, err);
		is_enough = tail->nr_read > NR_AHEAD && tail->nr_read * RING_SCAN_READ >= bytes &&
			    is_behind(tail, nr);
	}
	return ret;
}

/* Does the chain lead from the newest sub-buffer to the first of all, or to one that is older than the tail? */
static bool is_chained(const struct ring_tail *tail)
{
	const struct ring_scan *scan = tail->scan;
	s64 at = (s64)scan->nr_subs - 1;

	while (at >= 0 && !(scan->subs[at].flags & SCAN_IN_USE))
		at--;
	for (; at >= 0; at = ring_scan_predecessor(scan, at))
		if (!scan->subs[at].prev || (scan->subs[at].state == SUBBUF_GOOD && scan->subs[at].last < tail->from))
			return true;
	return !scan->nr_subs;
}

/* Those that were read because they lie near the newest: what came between is not there. */
static void drop_oldest(struct ring_scan *scan)
{
	u32 n = 0, i;

	while (n < scan->nr_subs && !(scan->subs[n].flags & SCAN_CHAINED))
		ring_scan_uncount(scan, &scan->subs[n++]);
	scan->nr_held -= n;
	scan->nr_subs -= n;
	for (i = 0; i < scan->nr_subs; i++)
		scan->subs[i] = scan->subs[i + n];
}

int ring_tail_end(struct ring_tail *tail, u32 *left, struct err *err)
{
	struct ring_scan *scan = tail->scan;
	int ret = 0;

	ring_scan_sort(scan);
	if (!is_chained(tail))
		while (!ret && tail->nr_read < tail->nr)
			ret = read_tail_piece(tail, left, err);
	if (ret)
		return ret;
	scan->not_read = (tail->nr - tail->nr_read) * RING_SCAN_READ;
	ring_scan_finish(scan);
	if (scan->not_read)
		drop_oldest(scan);
	/* Behind the first of all, what was not read was never used. */
	if (scan->nr_subs && !scan->subs[0].prev)
		scan->not_read = 0;
	return 0;
}
