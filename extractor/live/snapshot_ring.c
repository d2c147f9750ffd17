// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring is read at once, and once more: what is in the same place then was whole. The
 * moment is past: what its writers begin now is later, and goes where the oldest was.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "live.h"
#include "snapshot_impl.h"

#define PIECE	65536

/* So often a sub-buffer that is being made ready is asked for again. */
#define TRIES	16

/* An event of this machine is not later than now by more. */
#define AHEAD	1000000000ULL

/**
 * struct work - a ring under way
 * @copy: of it; @again: a piece of it, read later
 * @latest: an event of this machine is not later
 * @newest: seq of the newest sub-buffer of the copy that is in use
 * @prevs: of those that are later and in use, nr_prevs of them
 */
struct work {
	const struct snapshot *s;
	const struct section *sec;
	u8 *copy;
	u8 again[PIECE];
	u64 latest;
	u64 newest;
	u32 *prevs;
	u32 nr_prevs;
};

static bool read_at(const struct work *w, u64 off, void *to, u64 size)
{
	return generation_read(w->s->recording->generation, w->sec->off + off, to, size, w->s->err) ==
	       (ssize_t)size;
}

static void header_of(const struct work *w, struct subbuf *sub, const void *data, u64 off)
{
	subbuf_header(sub, data, w->sec->unit, w->s->recording->generation->hdr.salt, off);
}

/* Sums, or a word behind the header. */
static bool is_used(const void *data)
{
	static const u8 none[sizeof(struct epitaph_sub) + 4 - offsetof(struct epitaph_sub, sum)];

	return memcmp((const u8 *)data + offsetof(struct epitaph_sub, sum), none, sizeof(none));
}

/* It was begun after the moment: then it was one that nobody had used yet. */
static void take_later(struct work *w, const struct subbuf *sub, u8 *to, const u8 *from)
{
	u32 end = offsetof(struct epitaph_sub, used);

	if (is_used(from))
		w->prevs[w->nr_prevs++] = sub->prev;
	if (sub->seq > w->sec->size / w->sec->unit)
		w->s->counts->lapped++;
	memmove(to, from, end);
	memset(to + end, 0, w->sec->unit - end);
}

static void take_whole(struct work *w, const struct subbuf *sub, const u8 *data)
{
	if (sub->state != SUBBUF_GOOD || !is_used(data))
		return;
	w->s->counts->subs++;
	if (sub->seq > w->newest)
		w->newest = sub->seq;
}

/* What was read did not change while it was read. */
static void take(struct work *w, const struct subbuf *sub, u8 *data)
{
	if (sub->state == SUBBUF_GOOD && sub->time > w->s->moment)
		take_later(w, sub, data, data);
	else
		take_whole(w, sub, data);
}

/* The header with the sums, the events, and the check again, each read by itself. */
static bool read_slot(struct work *w, u64 off, u8 *to)
{
	u32 begin = sizeof(struct epitaph_sub), at = offsetof(struct epitaph_sub, check);
	__le64 check;

	return read_at(w, off, to, begin) &&
	       read_at(w, off + begin, to + begin, w->sec->unit - begin) &&
	       read_at(w, off + at, &check, sizeof(check)) && !memcmp(&check, to + at, sizeof(check));
}

/* It was written to between the two. */
static void ask_again(struct work *w, u64 off, u8 *to)
{
	struct subbuf sub;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		if (!read_slot(w, off, to))
			continue;
		header_of(w, &sub, to, off);
		/* Damage that stays is damage. */
		if (sub.state == SUBBUF_GOOD || i > TRIES / 2)
			return take(w, &sub, to);
	}
	memset(to, 0, w->sec->unit);
	w->s->counts->lapped++;
}

static int too_late(const struct work *w)
{
	return err_set(w->s->err, ERR_NOT_OURS, ERR_NO_OFF,
		       "nobody records into it: its events are later than now; epitaph save copies it");
}

static int take_slot(struct work *w, u64 off, const u8 *again)
{
	u32 at = offsetof(struct epitaph_sub, check);
	u8 *to = w->copy + off;
	struct subbuf sub, now;

	header_of(w, &sub, to, off);
	header_of(w, &now, again, off);
	if (now.state == SUBBUF_GOOD && now.time > w->latest)
		return too_late(w);
	if (now.state == SUBBUF_GOOD && now.time > w->s->moment)
		take_later(w, &now, to, again);
	else if (!memcmp(to + at, again + at, sizeof(__le64)) && sub.state != SUBBUF_LOST)
		take(w, &sub, to);
	else
		ask_again(w, off, to);
	return 0;
}

static u64 piece_at(const struct work *w, u64 off)
{
	u64 left = w->sec->size - w->sec->size % w->sec->unit - off;

	return left < PIECE ? left : PIECE;
}

static bool read_all(struct work *w)
{
	u64 off, n;

	for (off = 0; (n = piece_at(w, off)); off += n)
		if (!read_at(w, off, w->copy + off, n))
			return false;
	return true;
}

static int compare_all(struct work *w)
{
	u64 off, n, i;
	int ret = 0;

	for (off = 0; (n = piece_at(w, off)) && !ret; off += n) {
		if (!read_at(w, off, w->again, n))
			return -ERR_IO;
		for (i = 0; i < n && !ret; i += w->sec->unit)
			ret = take_slot(w, off + i, w->again + i);
	}
	return ret;
}

/*
 * What came next names it as the one before; the oldest goes first, so nothing is
 * missing between.  Who lacks it cannot tell that the ring's end is missing.
 */
static bool ends_with_the_moment(const struct work *w)
{
	u32 i;

	for (i = 0; i < w->nr_prevs; i++)
		if (w->prevs[i] == (u32)w->newest)
			return true;
	return !w->nr_prevs;
}

static int copy_ring(struct work *w)
{
	int ret;

	if (!read_all(w))
		return err_while(w->s->err, "ring at byte %llu", w->sec->off);
	w->latest = snapshot_raw_at(w->s->recording, live_now() + AHEAD);
	ret = compare_all(w);
	if (!ret && !ends_with_the_moment(w)) {
		memset(w->copy, 0, w->sec->size);
		w->s->counts->lost_rings++;
	}
	return ret;
}

int snapshot_ring(const struct snapshot *s, const struct section *sec)
{
	struct work *w = calloc(1, sizeof(*w));
	int ret;

	if (w)
		w->prevs = calloc(sec->size / sec->unit, sizeof(*w->prevs));
	if (!w || !w->prevs) {
		free(w);
		return err_sys(s->err, "memory for a ring");
	}
	w->s = s;
	w->sec = sec;
	w->copy = s->image + sec->off;
	ret = copy_ring(w);
	s->counts->rings++;
	free(w->prevs);
	free(w);
	return ret;
}
