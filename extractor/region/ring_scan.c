// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"

#define AHEAD	(64U << 10)	/* bytes read at once */

/*
 * What ring_scan() needs while it works.
 * @data: nr_read bytes from @off on
 */
struct work {
	struct ring_scan *scan;
	u32 room;
	u32 *left;
	u64 off;
	u64 nr_read;
	u8 data[AHEAD];
};

static void tell(struct ring_scan *scan, u64 off, const char *why)
{
	if (scan->on_damage)
		scan->on_damage(scan->priv, off, why);
}

static int grow(struct work *work, struct err *err)
{
	struct ring_scan *scan = work->scan;
	u32 room = work->room ? work->room * 2 : 64;
	struct scanned_subbuf *subs = realloc(scan->subs, room * sizeof(*subs));

	if (!subs)
		return err_sys(err, "memory for %u sub-buffers", room);
	scan->subs = subs;
	work->room = room;
	return 0;
}

static void count(struct ring_scan *scan, const struct subbuf *sub, u64 off)
{
	u32 i;

	if (sub->state == SUBBUF_DAMAGED) {
		scan->nr_damaged++;
		scan->nr_withheld += sub->nr_events;
		tell(scan, off + sub->why_off, sub->why);
		return;
	}
	scan->nr_events += sub->nr_events;
	scan->nr_torn += sub->nr_torn;
	scan->nr_taken += sub->nr_taken;
	for (i = 0; i < EPITAPH_LEVELS; i++)
		scan->nr_unproven += sub->unproven[i] != 0;
	if (sub->bad_end) {
		scan->nr_bad_ends++;
		tell(scan, off + sub->why_off, sub->why);
	}
}

/* Made for speed: it tells bytes that were checked from others, and vouches for nothing. */
static u64 digest(const u8 *data, u32 size)
{
	u64 sums[4] = { 1, 2, 3, 4 }, words[4];
	u32 off, i;

	for (off = 0; off < size; off += sizeof(words)) {
		memcpy(words, data + off, sizeof(words));
		for (i = 0; i < ARRAY_SIZE(words); i++)
			sums[i] = (sums[i] ^ words[i]) * EPITAPH_MIX_MUL;
	}
	return checksum(0, sums, sizeof(sums));
}

static u16 flags_of(const struct subbuf *sub)
{
	u16 flags = sub->in_use ? SCAN_IN_USE : 0;
	u32 i;

	if (sub->in_use && sub->goes_back)
		flags |= SCAN_BACK;
	if (sub->has_console)
		flags |= SCAN_CONSOLE;
	for (i = 0; i < EPITAPH_LEVELS; i++)
		if (sub->unproven[i])
			flags |= SCAN_UNPROVEN;
	return flags;
}

static int remember(struct work *work, const struct subbuf *sub, u32 slot, const u8 *data,
		    struct err *err)
{
	struct ring_scan *scan = work->scan;
	int ret;

	if (!*work->left) {
		scan->nr_unread++;
		return 0;
	}
	if (scan->nr_subs == work->room) {
		ret = grow(work, err);
		if (ret)
			return ret;
	}
	--*work->left;
	scan->subs[scan->nr_subs++] = (struct scanned_subbuf){
		.seq = sub->seq, .time = sub->time,
		.first = sub->first, .last = sub->last, .lost = sub->lost,
		.digest = digest(data, scan->unit),
		.slot = slot, .prev = sub->prev, .nr_events = sub->nr_events,
		.flags = flags_of(sub), .state = sub->state,
	};
	return 0;
}

static int scan_slot(struct work *work, u64 off, const u8 *data, struct err *err)
{
	struct ring_scan *scan = work->scan;
	struct subbuf sub;

	subbuf_check(&sub, data, scan->unit, scan->salt, off, scan->ids);
	if (sub.state == SUBBUF_EMPTY)
		return 0;
	if (sub.state == SUBBUF_LOST) {
		scan->nr_lost_subs++;
		tell(scan, off, sub.why);
		return 0;
	}
	count(scan, &sub, off);
	return remember(work, &sub, off / scan->unit, data, err);
}

/* The sub-buffer at @off, until the next call; NULL: it is not all there. */
static int look_at(struct work *work, u64 off, const u8 **ret, struct err *err)
{
	struct ring_scan *scan = work->scan;
	u64 most = scan->size - off < AHEAD ? scan->size - off : AHEAD;
	ssize_t n;

	if (off < work->off || off + scan->unit > work->off + work->nr_read) {
		n = scan->src.read(scan->src.priv, off, work->data, most, err);
		work->off = off;
		work->nr_read = n < 0 ? 0 : n;
		if (n < 0)
			return n;
	}
	*ret = off + scan->unit > work->off + work->nr_read ? NULL : work->data + (off - work->off);
	return 0;
}

static bool is_there(struct work *work, u64 off)
{
	const u8 *data;

	return !look_at(work, off, &data, NULL) && data;
}

/*
 * What the source stepped over, from one sub-buffer up to another: zeroes that
 * a dump left out, which are empty sub-buffers, or what it has not got.
 */
static void step_over(struct work *work, u64 from, u64 to)
{
	struct ring_scan *scan = work->scan;

	if (from >= to || (is_there(work, from) && is_there(work, to - scan->unit)))
		return;
	scan->nr_missing += (to - from) / scan->unit;
	tell(scan, from, "sub-buffers are not in the file from here on");
}

static int scan_slots(struct work *work, struct err *err)
{
	struct ring_scan *scan = work->scan;
	u64 off = 0, from = 0, end = 0, next, len;
	const u8 *data = NULL;
	int ret;

	while (off < scan->size) {
		/* Where there is data up to @end, there is no need to ask. */
		if (off >= end) {
			if (!scan->src.next(scan->src.priv, off, &next, &len) || next >= scan->size)
				break;
			end = next + len;
			if (next - next % scan->unit > off)
				off = next - next % scan->unit;
		}
		ret = look_at(work, off, &data, err);
		if (ret)
			return ret;
		if (data) {
			ret = scan_slot(work, off, data, err);
			step_over(work, from, off);
			from = off + scan->unit;
			if (ret)
				return ret;
		}
		off += scan->unit;
	}
	step_over(work, from, scan->size);
	return 0;
}

static int by_seq(const void *a, const void *b)
{
	const struct scanned_subbuf *x = a, *y = b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* The one whose seq is @prev in its low half and less than that of entry @i. */
static s64 find_prev(const struct ring_scan *scan, u32 i)
{
	u64 seq = scan->subs[i].seq;
	u64 want = (seq & ~0xffffffffULL) | scan->subs[i].prev;
	u32 lo = 0, hi = i;

	if (want >= seq) {
		if (want < 1ULL << 32)
			return -1;
		want -= 1ULL << 32;
	}
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (scan->subs[mid].seq < want)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < i && scan->subs[lo].seq == want ? (s64)lo : -1;
}

/*
 * Follows the chain from the newest that holds something.  What was made
 * ready and never used is nobody's predecessor: it goes.
 */
static void link_chain(struct ring_scan *scan)
{
	u32 newest = scan->nr_subs;
	u32 i, n = 0;
	s64 at;

	while (newest && !(scan->subs[newest - 1].flags & SCAN_IN_USE))
		newest--;
	for (at = (s64)newest - 1; at >= 0; at = find_prev(scan, at)) {
		scan->subs[at].flags |= SCAN_CHAINED;
		if (!scan->subs[at].prev)
			break;
	}
	for (i = 0; i < newest; i++)
		if (scan->subs[i].flags)
			scan->subs[n++] = scan->subs[i];
	scan->nr_subs = n;
	for (i = 1; i < n; i++)
		if (scan->subs[i].prev != (u32)scan->subs[i - 1].seq)
			scan->subs[i].flags |= SCAN_GAP;
}

/* The oldest from which on nothing is missing and nothing damaged. */
static void find_horizon(struct ring_scan *scan)
{
	u32 i = scan->nr_subs;

	if (!i)
		return;
	while (i > 1 && scan->subs[i - 1].state == SUBBUF_GOOD &&
	       scan->subs[i - 2].state == SUBBUF_GOOD &&
	       !(scan->subs[i - 1].flags & SCAN_GAP))
		i--;
	scan->complete = scan->subs[i - 1].state == SUBBUF_GOOD;
	scan->horizon = scan->complete ? scan->subs[i - 1].time : scan->subs[i - 1].last;
	scan->whole = scan->complete && i == 1 && !scan->subs[0].prev;
	scan->lost_first = scan->subs[i - 1].lost;
	scan->lost_last = scan->subs[scan->nr_subs - 1].lost;
}

/*
 * The oldest of the chain has lost its predecessor only if the ring has gone
 * around.  It has not while more is empty than can be in recycling.
 */
static void check_oldest(struct ring_scan *scan, u32 nr_found)
{
	u64 known = (u64)nr_found + scan->nr_lost_subs + scan->nr_missing + scan->nr_unread;
	u64 empty = scan->size / scan->unit > known ? scan->size / scan->unit - known : 0;
	u32 i = 0;

	while (i < scan->nr_subs && !(scan->subs[i].flags & SCAN_CHAINED))
		i++;
	if (scan->is_copy || i == scan->nr_subs || !scan->subs[i].prev || empty <= 2 * EPITAPH_LEVELS ||
	    scan->nr_lost_subs || scan->nr_missing || scan->nr_unread)
		return;
	scan->nr_lost_subs++;
	tell(scan, (u64)scan->subs[i].slot * scan->unit, "its predecessor is missing");
}

static void find_held(struct ring_scan *scan)
{
	u32 i;

	for (i = 0; i < scan->nr_subs; i++)
		if (!(scan->subs[i].flags & SCAN_CHAINED))
			scan->nr_held++;
	scan->implausible = scan->nr_torn + scan->nr_taken > EPITAPH_LEVELS;
	if (scan->implausible)
		tell(scan, 0, "more events were left unfinished than writers can be interrupted");
}

int ring_scan(struct ring_scan *scan, u32 *left, struct err *err)
{
	struct work work = { .scan = scan, .left = left };
	int ret = scan_slots(&work, err);
	u32 nr_found;

	if (ret)
		return ret;
	nr_found = scan->nr_subs;
	if (scan->nr_subs)
		qsort(scan->subs, scan->nr_subs, sizeof(*scan->subs), by_seq);
	link_chain(scan);
	find_horizon(scan);
	check_oldest(scan, nr_found);
	find_held(scan);
	return 0;
}

void ring_scan_free(struct ring_scan *scan)
{
	free(scan->subs);
	scan->subs = NULL;
	scan->nr_subs = 0;
}

bool ring_scan_load(const struct ring_scan *scan, u32 i, struct subbuf *sub, void *data)
{
	const struct scanned_subbuf *known = &scan->subs[i];
	u64 off = (u64)known->slot * scan->unit;

	if (scan->src.read(scan->src.priv, off, data, scan->unit, NULL) !=
	    (ssize_t)scan->unit)
		return false;
	if (known->state == SUBBUF_GOOD && !(known->flags & SCAN_UNPROVEN) &&
	    digest(data, scan->unit) == known->digest)
		subbuf_header(sub, data, scan->unit, scan->salt, off);
	else
		subbuf_check(sub, data, scan->unit, scan->salt, off, scan->ids);
	return sub->state == known->state && sub->seq == known->seq;
}
