// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/checksum.h"
#include "generation.h"

#define READ_SIZE	RING_SCAN_READ
/* The check of the header, the end, a reserved word, and the sums. */
#define SUBBUF_CHECKS	((sizeof(struct epitaph_sub) - offsetof(struct epitaph_sub, check)) / 8)
#define SUBBUF_SUMS	((offsetof(struct epitaph_sub, sum) - offsetof(struct epitaph_sub, check)) / 8)

/*
 * The state of ring_scan_part().
 * @data: nr_read bytes of the section, from @off on
 */
struct scan_state {
	struct ring_scan *scan;
	u32 *left;
	u64 off;
	u64 nr_read;
	u8 data[READ_SIZE];
	u8 repaired[SUBBUF_MAX];
};

static u64 seed_place(const struct ring_scan *scan, u64 off)
{
	return scan->src.place ? scan->src.place(scan->src.priv, off) : off;
}

static void report_damage(struct ring_scan *scan, u64 off, const char *why)
{
	if (scan->on_damage)
		scan->on_damage(scan->priv, off, why);
}

/* A fast hash to recognise bytes that were checked before; it proves nothing by itself. */
static u64 subbuf_digest(const u8 *data, u32 size)
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

static int keep_subbuf(struct scan_state *state, const struct subbuf *sub, u32 slot,
		       const u8 *data, u16 flags, struct err *err)
{
	struct ring_scan *scan = state->scan;
	u32 i, nr_unproven = 0;

	if (!*state->left) {
		scan->nr_unread++;
		return 0;
	}
	/* Room for 64, then for the next power of two. */
	if (!scan->nr_subs || (scan->nr_subs >= 64 && !(scan->nr_subs & (scan->nr_subs - 1)))) {
		u32 room = scan->nr_subs ? scan->nr_subs * 2 : 64;
		struct scanned_subbuf *subs = realloc(scan->subs, room * sizeof(*subs));

		if (!subs)
			return err_sys(err, "memory for %u sub-buffers", room);
		scan->subs = subs;
	}
	if (sub->in_use)
		flags |= SCAN_IN_USE;
	if (sub->in_use && sub->goes_back)
		flags |= SCAN_BACK;
	if (sub->has_console)
		flags |= SCAN_CONSOLE;
	for (i = 0; i < EPITAPH_LEVELS; i++)
		nr_unproven += sub->unproven[i] != 0;
	if (nr_unproven)
		flags |= SCAN_UNPROVEN;
	--*state->left;
	scan->subs[scan->nr_subs++] = (struct scanned_subbuf){
		.seq = sub->seq, .time = sub->time,
		.first = sub->first, .last = sub->last,
		.least = sub->least, .most = sub->most, .lost = sub->lost,
		.digest = subbuf_digest(data, scan->unit),
		.slot = slot, .prev = sub->prev, .nr_events = sub->nr_events,
		.flags = flags, .state = sub->state,
		.nr_torn = sub->nr_torn, .nr_taken = sub->nr_taken,
		.nr_unproven = nr_unproven, .bad_end = sub->bad_end,
	};
	return 0;
}

/*
 * Are both the same sub-buffer, and has it the same events? A writer changes each of these words as
 * a whole, damage changes some bits of them. Of a sum that is CRC-32C half of the word is 0.
 */
static bool is_as_late(const struct ring_scan *scan, const struct epitaph_sub *raw,
		       const struct epitaph_sub *repaired)
{
	u64 a[SUBBUF_CHECKS], b[SUBBUF_CHECKS];
	u32 i;

	memcpy(a, &raw->check, sizeof(a));
	memcpy(b, &repaired->check, sizeof(b));
	for (i = 0; i < SUBBUF_CHECKS; i++) {
		int most = i >= SUBBUF_SUMS && scan->ids->crc ? FLIPPED_MAX / 4 : FLIPPED_MAX;

		if (__builtin_popcountll(a[i] ^ b[i]) > most)
			return false;
	}
	return true;
}

u16 ring_scan_repair(const struct ring_scan *scan, u64 off, void *data, struct subbuf *sub)
{
	u8 repaired[SUBBUF_MAX];
	bool is_late;
	struct subbuf now;

	if ((sub->state != SUBBUF_LOST && sub->state != SUBBUF_DAMAGED && !sub->bad_end) ||
	    !scan->src.repair)
		return 0;
	memcpy(repaired, data, scan->unit);
	if (!scan->src.repair(scan->src.priv, off, repaired, scan->unit))
		return 0;
	subbuf_check(&now, repaired, scan->unit, scan->salt, seed_place(scan, off), scan->ids);
	if (now.state == SUBBUF_EMPTY && sub->state == SUBBUF_LOST && all_zero(repaired, scan->unit) &&
	    generation_was_unused(((const struct epitaph_sub *)data)->check)) {
		*sub = now;
		return 0;
	}
	/* A good header says what is there: not the sub-buffer that was in this place before. */
	if (now.state != SUBBUF_GOOD || now.bad_end ||
	    (sub->state != SUBBUF_LOST && now.seq < sub->seq))
		return 0;
	is_late = is_as_late(scan, data, (const void *)repaired);
	if (!is_late && sub->state == SUBBUF_GOOD)
		return 0;
	memcpy(data, repaired, scan->unit);
	*sub = now;
	return is_late ? SCAN_REPAIRED : SCAN_REPAIRED | SCAN_OLDER;
}

static int scan_slot(struct scan_state *state, u64 off, const u8 *data, struct err *err)
{
	struct ring_scan *scan = state->scan;
	bool was_lost;
	struct subbuf sub;
	u16 flags = 0;
	u32 i;

	subbuf_check(&sub, data, scan->unit, scan->salt, seed_place(scan, off), scan->ids);
	if (sub.state == SUBBUF_EMPTY)
		return 0;
	was_lost = sub.state == SUBBUF_LOST;
	if (sub.why && scan->src.repair) {
		memcpy(state->repaired, data, scan->unit);
		data = state->repaired;
		flags = ring_scan_repair(scan, off, state->repaired, &sub);
		scan->nr_repaired += flags != 0;
	}
	if (sub.state == SUBBUF_EMPTY)
		return 0;
	if (was_lost && (!flags || (flags & SCAN_OLDER))) {
		scan->nr_lost_subs++;
		report_damage(scan, off, "its header does not check");
	} else if (flags & SCAN_OLDER) {
		report_damage(scan, off, "its parity brought back what it had a while before");
	}
	if (sub.state == SUBBUF_LOST)
		return 0;
	if (sub.state == SUBBUF_DAMAGED) {
		scan->nr_damaged++;
		scan->nr_withheld += sub.nr_events;
	} else {
		scan->nr_events += sub.nr_events;
		scan->nr_torn += sub.nr_torn;
		scan->nr_taken += sub.nr_taken;
		scan->nr_bad_ends += sub.bad_end;
		for (i = 0; i < EPITAPH_LEVELS; i++)
			scan->nr_unproven += sub.unproven[i] != 0;
	}
	if (sub.why)
		report_damage(scan, off + sub.why_off, sub.why);
	return keep_subbuf(state, &sub, off / scan->unit, data, flags, err);
}

/* Sets @ret to the sub-buffer at @off, valid until the next call; NULL: not all in the file. */
static int read_ring_slot(struct scan_state *state, u64 off, const u8 **ret, struct err *err)
{
	struct ring_scan *scan = state->scan;
	u64 most = scan->size - off < READ_SIZE ? scan->size - off : READ_SIZE;
	ssize_t n;

	if (off < state->off || off + scan->unit > state->off + state->nr_read) {
		n = scan->src.read(scan->src.priv, off, state->data, most, err);
		state->off = off;
		state->nr_read = n < 0 ? 0 : n;
		if (n < 0)
			return n;
	}
	*ret = off + scan->unit > state->off + state->nr_read ? NULL :
	       state->data + (off - state->off);
	return 0;
}

static bool slot_is_in_file(struct scan_state *state, u64 off)
{
	const u8 *data;

	return !read_ring_slot(state, off, &data, NULL) && data;
}

/*
 * Counts the sub-buffers from @from up to @to, which the source skipped, as missing. Zero pages
 * that a dump left out can be read: they are empty sub-buffers.
 */
static void count_missing_subbufs(struct scan_state *state, u64 from, u64 to)
{
	struct ring_scan *scan = state->scan;

	if (from >= to ||
	    (slot_is_in_file(state, from) && slot_is_in_file(state, to - scan->unit)))
		return;
	scan->nr_missing += (to - from) / scan->unit;
	report_damage(scan, from, "sub-buffers are not in the file from here on");
}

int ring_scan_part(struct ring_scan *scan, u64 off, u64 to, u32 *left, struct err *err)
{
	u64 from = off, end = 0, next, len;
	struct scan_state room, *state = &room;
	const u8 *data = NULL;
	int ret;

	/* Its bytes stay as they are: setting 128 KiB to zero for each piece of a ring would show. */
	state->scan = scan;
	state->left = left;
	state->off = 0;
	state->nr_read = 0;

	while (off < to) {
		/* The source has data up to @end. */
		if (off >= end) {
			if (!scan->src.next(scan->src.priv, off, &next, &len) || next >= to)
				break;
			end = next + len;
			if (next - next % scan->unit > off)
				off = next - next % scan->unit;
		}
		ret = read_ring_slot(state, off, &data, err);
		if (ret)
			return ret;
		if (data) {
			ret = scan_slot(state, off, data, err);
			count_missing_subbufs(state, from, off);
			from = off + scan->unit;
			if (ret)
				return ret;
		}
		off += scan->unit;
	}
	count_missing_subbufs(state, from, to);
	return 0;
}

static int compare_subbuf_seq(const void *a, const void *b)
{
	const struct scanned_subbuf *x = a, *y = b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

void ring_scan_sort(struct ring_scan *scan)
{
	if (scan->nr_subs)
		qsort(scan->subs, scan->nr_subs, sizeof(*scan->subs), compare_subbuf_seq);
}

void ring_scan_uncount(struct ring_scan *scan, const struct scanned_subbuf *sub)
{
	if (sub->state == SUBBUF_DAMAGED) {
		scan->nr_damaged--;
		scan->nr_withheld -= sub->nr_events;
		return;
	}
	scan->nr_events -= sub->nr_events;
	scan->nr_torn -= sub->nr_torn;
	scan->nr_taken -= sub->nr_taken;
	scan->nr_bad_ends -= sub->bad_end;
	scan->nr_unproven -= sub->nr_unproven;
}

/* Of two sub-buffers that are the same one, the one with more events stays. */
static void drop_doubles(struct ring_scan *scan)
{
	u32 i, n = 0;

	for (i = 0; i < scan->nr_subs; i++) {
		struct scanned_subbuf *last = n ? &scan->subs[n - 1] : NULL, *sub = &scan->subs[i];
		bool is_better;

		if (!last || last->seq != sub->seq || last->time != sub->time) {
			scan->subs[n++] = *sub;
			continue;
		}
		is_better = sub->state == SUBBUF_GOOD &&
			    (last->state != SUBBUF_GOOD || last->nr_events < sub->nr_events);
		ring_scan_uncount(scan, is_better ? last : sub);
		if (is_better)
			*last = *sub;
	}
	scan->nr_subs = n;
}

u32 ring_scan_find(const struct ring_scan *scan, u64 seq)
{
	u32 lo = 0, hi = scan->nr_subs;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (scan->subs[mid].seq < seq)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* @prev is the low half of its seq. */
s64 ring_scan_predecessor(const struct ring_scan *scan, u32 i)
{
	u64 seq = scan->subs[i].seq;
	u64 want = (seq & ~0xffffffffULL) | scan->subs[i].prev;
	u32 at;

	if (want >= seq) {
		if (want < 1ULL << 32)
			return -1;
		want -= 1ULL << 32;
	}
	at = ring_scan_find(scan, want);
	return at < i && scan->subs[at].seq == want ? (s64)at : -1;
}

/*
 * Follows the chain from the newest sub-buffer in use. Unused sub-buffers behind it are dropped:
 * they were prepared, but nothing follows them.
 */
static void link_chain(struct ring_scan *scan)
{
	u32 newest = scan->nr_subs;
	u32 i, n = 0;
	s64 at;

	while (newest && !(scan->subs[newest - 1].flags & SCAN_IN_USE))
		newest--;
	for (at = (s64)newest - 1; at >= 0; at = ring_scan_predecessor(scan, at)) {
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

static bool has_all_events(const struct scanned_subbuf *sub)
{
	return sub->state == SUBBUF_GOOD && !(sub->flags & SCAN_OLDER);
}

/* Finds the oldest sub-buffer from which on nothing is missing or damaged. */
static void find_horizon(struct ring_scan *scan)
{
	u32 i = scan->nr_subs;

	if (!i)
		return;
	while (i > 1 && has_all_events(&scan->subs[i - 1]) && has_all_events(&scan->subs[i - 2]) &&
	       !(scan->subs[i - 1].flags & SCAN_GAP))
		i--;
	scan->complete = has_all_events(&scan->subs[i - 1]);
	scan->horizon = scan->complete ? scan->subs[i - 1].time : scan->subs[i - 1].last;
	scan->whole = scan->complete && i == 1 && !scan->subs[0].prev;
	scan->lost_first = scan->subs[i - 1].lost;
	scan->lost_last = scan->subs[scan->nr_subs - 1].lost;
}

/*
 * The oldest of the chain may lack its predecessor only if the ring has wrapped around. It has
 * not wrapped while more sub-buffers are empty than can be in recycling.
 */
static void check_oldest(struct ring_scan *scan, u32 nr_found)
{
	u64 known = (u64)nr_found + scan->nr_lost_subs + scan->nr_missing + scan->nr_unread;
	u64 empty = scan->size / scan->unit > known ? scan->size / scan->unit - known : 0;
	u32 i = 0;

	while (i < scan->nr_subs && !(scan->subs[i].flags & SCAN_CHAINED))
		i++;
	if (scan->is_copy || scan->not_read || i == scan->nr_subs || !scan->subs[i].prev ||
	    empty <= 2 * EPITAPH_LEVELS || scan->nr_lost_subs || scan->nr_missing ||
	    scan->nr_unread)
		return;
	scan->nr_lost_subs++;
	report_damage(scan, (u64)scan->subs[i].slot * scan->unit, "its predecessor is missing");
}

void ring_scan_finish(struct ring_scan *scan)
{
	u32 nr_found = scan->nr_subs, i;

	ring_scan_sort(scan);
	if (scan->src.place)
		drop_doubles(scan);
	link_chain(scan);
	find_horizon(scan);
	check_oldest(scan, nr_found);
	for (i = 0; i < scan->nr_subs; i++)
		scan->nr_held += !(scan->subs[i].flags & SCAN_CHAINED);
	scan->implausible = scan->nr_torn + scan->nr_taken > EPITAPH_LEVELS;
	if (scan->implausible)
		report_damage(scan, 0,
			      "more events were left unfinished than writers can be interrupted");
}

int ring_scan(struct ring_scan *scan, u32 *left, struct err *err)
{
	int ret = ring_scan_part(scan, 0, scan->size, left, err);

	if (!ret)
		ring_scan_finish(scan);
	return ret;
}

void ring_scan_free(struct ring_scan *scan)
{
	free(scan->subs);
	scan->subs = NULL;
	scan->nr_subs = 0;
}

bool ring_scan_load(const struct ring_scan *scan, u32 i, struct subbuf *sub, void *data, void *raw)
{
	const struct scanned_subbuf *known = &scan->subs[i];
	u64 off = (u64)known->slot * scan->unit;

	if (scan->src.read(scan->src.priv, off, data, scan->unit, NULL) !=
	    (ssize_t)scan->unit)
		return false;
	if (known->flags & SCAN_REPAIRED) {
		if (raw)
			memcpy(raw, data, scan->unit);
		scan->src.repair(scan->src.priv, off, data, scan->unit);
	}
	if (known->state == SUBBUF_GOOD && !(known->flags & SCAN_UNPROVEN) &&
	    subbuf_digest(data, scan->unit) == known->digest)
		subbuf_header(sub, data, scan->unit, scan->salt, seed_place(scan, off));
	else
		subbuf_check(sub, data, scan->unit, scan->salt, seed_place(scan, off), scan->ids);
	return sub->state == known->state && sub->seq == known->seq;
}
