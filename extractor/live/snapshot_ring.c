// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a ring twice: a sub-buffer with the same header at both reads was whole at the first. The
 * moment is past: sub-buffers that the writers begin now are later and overwrite the oldest.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "live.h"
#include "snapshot_impl.h"

#define PIECE	65536

/* Reads of a sub-buffer that is being made ready. */
#define TRIES	16

/* An event of this machine is at most this much later than now. */
#define AHEAD	1000000000ULL

/*
 * The copy of one ring.
 * @copy: the first read; @again: a piece of the second read
 * @latest: the latest possible time of an event of this machine
 * @newest: seq of the newest used sub-buffer in the copy
 * @overwritten: seq of the newest one that was overwritten between the two reads
 * @prevs: the nr_prevs predecessors of used sub-buffers after the moment
 */
struct ring_copy {
	const struct snapshot *s;
	const struct section *sec;
	u8 *copy;
	u8 again[PIECE];
	u64 latest;
	u64 newest;
	u64 overwritten;
	u32 *prevs;
	u32 nr_prevs;
};

static bool read_section(const struct ring_copy *w, u64 off, void *to, u64 size)
{
	return generation_read(w->s->recording->generation, w->sec->off + off, to, size, w->s->err) ==
	       (ssize_t)size;
}

static void parse_header(const struct ring_copy *w, struct subbuf *sub, const void *data, u64 off)
{
	subbuf_header(sub, data, w->sec->unit, w->s->recording->generation->hdr.salt, off);
}

/* Has the sub-buffer a sum, or a word behind the header? */
static bool subbuf_is_used(const struct ring_copy *w, const struct subbuf *sub, const u8 *data)
{
	u32 word;

	memcpy(&word, data + sizeof(struct epitaph_sub), sizeof(word));
	return word || subbuf_has_sum(sub, data, &w->s->recording->ids);
}

/* A sub-buffer from after the moment becomes one that was not used yet. */
static void copy_as_unused(struct ring_copy *w, const struct subbuf *sub, u8 *to, const u8 *from)
{
	if (subbuf_is_used(w, sub, from))
		w->prevs[w->nr_prevs++] = sub->prev;
	if (sub->seq > w->sec->size / w->sec->unit)
		w->s->counts->lapped++;
	memmove(to, from, offsetof(struct epitaph_sub, used));
	subbuf_empty(sub, to, w->sec->unit, &w->s->recording->ids);
}

/* Counts a whole sub-buffer of the copy. */
static void take_whole_subbuf(struct ring_copy *w, const struct subbuf *sub, u8 *data)
{
	if (sub->state != SUBBUF_GOOD)
		return;
	if (sub->time > w->s->moment)
		return copy_as_unused(w, sub, data, data);
	if (!subbuf_is_used(w, sub, data))
		return;
	w->s->counts->subs++;
	if (sub->seq > w->newest)
		w->newest = sub->seq;
}

/* Reads the header with the sums, the events, and the check again, each by a call of its own. */
static bool read_slot(struct ring_copy *w, u64 off, u8 *to)
{
	u32 begin = sizeof(struct epitaph_sub), at = offsetof(struct epitaph_sub, check);
	__le64 check;

	return read_section(w, off, to, begin) &&
	       read_section(w, off + begin, to + begin, w->sec->unit - begin) &&
	       read_section(w, off + at, &check, sizeof(check)) && !memcmp(&check, to + at, sizeof(check));
}

/* Reads a sub-buffer again that the writers changed between the two reads. */
static void retry_slot(struct ring_copy *w, u64 off, u8 *to)
{
	struct subbuf sub;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		if (!read_slot(w, off, to))
			continue;
		parse_header(w, &sub, to, off);
		/* A header that stays damaged is damaged, and not being written. */
		if (sub.state == SUBBUF_GOOD || i > TRIES / 2)
			return take_whole_subbuf(w, &sub, to);
	}
	memset(to, 0, w->sec->unit);
	w->s->counts->lapped++;
}

/* A process that was stopped, or has to wait for its CPU, may look at events of long after its first read. */
static bool is_later_than_now(struct ring_copy *w, u64 time)
{
	if (time > w->latest)
		w->latest = snapshot_raw_at(w->s->recording, live_now() + AHEAD);
	return time > w->latest;
}

static int compare_slot(struct ring_copy *w, u64 off, const u8 *again)
{
	u32 at = offsetof(struct epitaph_sub, check);
	u8 *to = w->copy + off;
	struct subbuf sub, now;

	parse_header(w, &sub, to, off);
	parse_header(w, &now, again, off);
	if (now.state == SUBBUF_GOOD && is_later_than_now(w, now.time))
		return err_set(w->s->err, ERR_NOT_OURS, ERR_NO_OFF,
			       "no recorder writes to it: its events are %.3f s later than now; epitaph save copies it",
			       ((s64)recording_mono(w->s->recording, now.time) - (s64)live_now()) / 1e9);
	if (sub.state == SUBBUF_GOOD && sub.time <= w->s->moment && subbuf_is_used(w, &sub, to) &&
	    memcmp(to + at, again + at, sizeof(__le64)) && sub.seq > w->overwritten)
		w->overwritten = sub.seq;
	if (now.state == SUBBUF_GOOD && now.time > w->s->moment)
		copy_as_unused(w, &now, to, again);
	else if (!memcmp(to + at, again + at, sizeof(__le64)) && sub.state != SUBBUF_LOST)
		take_whole_subbuf(w, &sub, to);
	else
		retry_slot(w, off, to);
	return 0;
}

/*
 * Leaves out what is older than a sub-buffer that was overwritten. It was compared before it was
 * overwritten itself, and its events would be followed by a gap.
 */
static void drop_older_than_overwritten(const struct ring_copy *w)
{
	struct subbuf sub;
	u64 off;

	if (!w->overwritten)
		return;
	for (off = 0; off + w->sec->unit <= w->sec->size; off += w->sec->unit) {
		u8 *data = w->copy + off;

		parse_header(w, &sub, data, off);
		if (sub.state != SUBBUF_GOOD || sub.seq >= w->overwritten || !subbuf_is_used(w, &sub, data))
			continue;
		subbuf_empty(&sub, data, w->sec->unit, &w->s->recording->ids);
		w->s->counts->subs--;
		w->s->counts->lapped++;
	}
}

static u64 piece_at(const struct ring_copy *w, u64 off)
{
	u64 left = w->sec->size - w->sec->size % w->sec->unit - off;

	return left < PIECE ? left : PIECE;
}

/*
 * Does the copy reach the moment? The sub-buffer after its newest one has that as predecessor, and
 * writers overwrite the oldest first, so that none between them is missing.
 */
static bool reaches_moment(const struct ring_copy *w)
{
	u32 i;

	for (i = 0; i < w->nr_prevs; i++)
		if (w->prevs[i] == (u32)w->newest)
			return true;
	return !w->nr_prevs;
}

static int copy_ring(struct ring_copy *w)
{
	u64 off, n, i;
	int ret = 0;

	for (off = 0; (n = piece_at(w, off)); off += n)
		if (!read_section(w, off, w->copy + off, n))
			return err_while(w->s->err, "ring at byte %llu", w->sec->off);
	w->latest = snapshot_raw_at(w->s->recording, live_now() + AHEAD);
	for (off = 0; (n = piece_at(w, off)) && !ret; off += n) {
		if (!read_section(w, off, w->again, n))
			return -ERR_IO;
		for (i = 0; i < n && !ret; i += w->sec->unit)
			ret = compare_slot(w, off + i, w->again + i);
	}
	drop_older_than_overwritten(w);
	if (!ret && !reaches_moment(w)) {
		memset(w->copy, 0, w->sec->size);
		w->s->counts->lost_rings++;
	}
	return ret;
}

int snapshot_ring(const struct snapshot *s, const struct section *sec)
{
	struct ring_copy *w = calloc(1, sizeof(*w));
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
