// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_reader.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "ring_headers.h"

/* So far ahead the ring goes on at most: what it steps around was held, or made ready and not used. */
#define AHEAD	16

static u64 slot_off(const struct live_ring *ring)
{
	return (u64)ring->slot * ring->place.unit;
}

/* Bytes of the sub-buffer from @from on; false: they are not in the file. */
static bool read_sub(const struct live_ring *ring, u32 from, void *to, u32 size)
{
	return generation_read(ring->walk.recording->generation, ring->place.off + slot_off(ring) + from, to,
			       size, NULL) == (ssize_t)size;
}

static void free_ring(struct stream *stream)
{
	struct live_ring *ring = (struct live_ring *)stream;

	free(ring->data);
	free(ring);
}

int live_ring_new(struct live_ring **ret, const struct recording *recording,
		  const struct live_place *place, struct err *err)
{
	static const struct stream_ops ops = {
		.real = ring_walk_real, .bound = ring_walk_bound, .free = free_ring,
	};
	struct live_ring *ring = calloc(1, sizeof(*ring));

	if (ring)
		ring->data = malloc(place->unit);
	if (!ring || !ring->data) {
		free(ring);
		return err_sys(err, "memory for a ring");
	}
	ring->place = *place;
	ring_walk_init(&ring->walk, &ops, recording, ring->place.channel, place->cpu, place->unit);
	ring->walk.data = ring->data;
	*ret = ring;
	return 0;
}

static void note_lost(struct live_ring *ring, u64 lost)
{
	struct ring_walk *walk = &ring->walk;

	if (ring->any_read && lost > ring->last_lost) {
		ring->counts.lost += lost - ring->last_lost;
		walk->nr_lost += lost - ring->last_lost;
		walk->marks |= ITEM_LOST_BEFORE | ITEM_LOST_COUNTED;
	}
	ring->last_lost = lost;
	ring->any_read = true;
}

/* At the start of the sub-buffer of number @seq in @slot. */
static void enter(struct live_ring *ring, u32 slot, const struct subbuf *sub)
{
	ring->slot = slot;
	ring->seq = sub->seq;
	ring->is_open = true;
	ring->done = false;
	ring->waits = false;
	ring->stuck = 0;
	memset(&ring->last, 0, sizeof(ring->last));
	ring->walk.sub = *sub;
	ring_walk_enter(&ring->walk);
	subbuf_proof_begin(&ring->proof, sub);
	ring->walk.sub.end = ring->proof.at.off;
	ring->walk.sub.closed = true;
	note_lost(ring, sub->lost);
}

static bool enter_link(struct live_ring *ring, const struct live_link *link)
{
	struct subbuf sub;
	bool in_use;

	if (!live_header(ring, link->slot, &sub, &in_use) || sub.seq != link->seq)
		return false;
	enter(ring, link->slot, &sub);
	return true;
}

void live_ring_begin(struct live_ring *ring, u64 raw)
{
	struct live_chain chain;
	u32 i = 0;

	if (live_chain_read(&chain, ring)) {
		while (i + 1 < chain.nr && chain.links[i + 1].time <= raw)
			i++;
		while (i < chain.nr && !enter_link(ring, &chain.links[i]))
			i++;
	}
	live_chain_free(&chain);
}

/*
 * Overwritten before it was read: on with the middle of what there is, so that the
 * writers do not come by again at once.
 */
static bool lap(struct live_ring *ring)
{
	u64 before = ring->seq, passed;
	struct live_chain chain;
	bool found = false;
	u32 i;

	ring->is_open = false;
	if (live_chain_read(&chain, ring))
		for (i = chain.nr / 2; i < chain.nr && !found; i++)
			found = chain.links[i].seq > before && enter_link(ring, &chain.links[i]);
	live_chain_free(&chain);
	if (!found)
		return false;
	passed = ring->seq - before;
	ring->counts.laps++;
	ring->counts.lapped += passed;
	ring->walk.nr_lapped += passed;
	ring->walk.marks |= ITEM_LAPPED;
	return true;
}

/* It was empty until now: all of it is new, if that is still there. */
static void begin_with_all(struct live_ring *ring)
{
	struct live_chain chain;
	bool whole = live_chain_read(&chain, ring) && !chain.links[0].prev;

	if (!whole || !enter_link(ring, &chain.links[0]))
		lap(ring);
	live_chain_free(&chain);
}

/* Where the ring went on, if it did. */
static bool follow(struct live_ring *ring)
{
	u32 n = ring->place.size / ring->place.unit, i, slot = ring->slot;
	struct subbuf sub;
	bool in_use;

	for (i = 0; i < AHEAD && i + 1 < n; i++) {
		slot = slot + 1 < n ? slot + 1 : 0;
		if (live_header(ring, slot, &sub, &in_use) && in_use &&
		    sub.prev == (u32)ring->seq && sub.seq > ring->seq) {
			enter(ring, slot, &sub);
			return true;
		}
	}
	return false;
}

enum fill {
	FILL_MORE,		/* the proven part has grown */
	FILL_NOTHING,		/* nothing has happened */
	FILL_WAIT,		/* something is there that cannot be given yet */
	FILL_STRANGE,		/* the same, and it may be of a kind not known yet */
	FILL_GONE,		/* the sub-buffer was recycled */
};

/* The same header: nothing was committed since, and it was not closed. */
static bool is_unchanged(const struct live_ring *ring, const struct epitaph_sub *raw)
{
	return !memcmp(raw, &ring->last, sizeof(*raw)) && !ring->waits;
}

/*
 * The check, the sums, the events, and the check again, each with a system call of its own: in that
 * order they are read.  What the sums speak of is there then.
 */
static enum fill read_more(struct live_ring *ring)
{
	u32 from = ring->proof.at.off;
	struct epitaph_sub raw;
	__le64 check;

	if (!read_sub(ring, 0, &raw, sizeof(raw)))
		return FILL_GONE;
	if (!raw.check || le64toh(raw.seq) != ring->seq)
		return FILL_GONE;
	if (is_unchanged(ring, &raw))
		return FILL_NOTHING;
	if (!read_sub(ring, from, ring->data + from, ring->place.unit - from) ||
	    !read_sub(ring, offsetof(struct epitaph_sub, check), &check, sizeof(check)) ||
	    check != raw.check)
		return FILL_GONE;
	ring->last = raw;
	memcpy(ring->data, &raw, sizeof(raw));
	return FILL_MORE;
}

/* Moves the proven part forward; the kind of what is next. */
static enum subbuf_kind prove(struct live_ring *ring, const struct subbuf *sub, bool force, bool *consistent)
{
	struct subbuf_proof_bytes bytes = { ring->data, sub, &ring->walk.recording->ids };
	u32 torn = ring->proof.nr_torn;
	struct subbuf_proof_survey survey;
	struct subbuf_event ev;

	subbuf_proof_survey(&ring->proof, &bytes, &survey);
	while (subbuf_proof_next(&ring->proof, &bytes, &survey, force, &ev))
		;
	ring->counts.torn += ring->proof.nr_torn - torn;
	*consistent = survey.consistent;
	return ev.kind;
}

static enum fill fill(struct live_ring *ring, bool force)
{
	enum fill ret = read_more(ring);
	u32 before = ring->proof.at.off;
	struct subbuf sub;
	bool consistent;
	enum subbuf_kind next;

	if (ret != FILL_MORE)
		return ret;
	subbuf_header(&sub, ring->data, ring->place.unit, ring->walk.recording->generation->hdr.salt,
		      slot_off(ring));
	if (sub.state != SUBBUF_GOOD || sub.seq != ring->seq)
		return FILL_GONE;
	next = prove(ring, &sub, force, &consistent);
	ring->done = sub.closed && next == SUBBUF_END;
	ring->waits = next != SUBBUF_END || !consistent;
	ring->walk.sub.end = ring->proof.at.off;
	if (ring->proof.at.off > before || ring->done)
		return FILL_MORE;
	if (next == SUBBUF_BROKEN || !consistent)
		return FILL_STRANGE;
	return next == SUBBUF_END ? FILL_NOTHING : FILL_WAIT;
}

static enum live_state wait_for(struct live_ring *ring, enum fill what, u64 now)
{
	if (!ring->stuck)
		ring->stuck = now;
	return what == FILL_STRANGE ? LIVE_STRANGE : LIVE_BLOCKED;
}

/* Nothing can be made of the rest of it; it is withheld, and the ring goes on behind it, once it has. */
static enum live_state give_up(struct live_ring *ring)
{
	ring->counts.damaged++;
	ring->done = true;
	ring->stuck = 0;
	ring_walk_stand(&ring->walk, ITEM_DAMAGED, ring->proof.at.time);
	ring->walk.marks |= ITEM_LOST_BEFORE;
	ring->walk.marks &= ~ITEM_LOST_COUNTED;
	return LIVE_HEAD;
}

/* Of a sub-buffer that is all given. */
static enum fill go_on(struct live_ring *ring)
{
	struct subbuf sub;
	bool in_use;

	if (follow(ring))
		return FILL_MORE;
	if (!live_header(ring, ring->slot, &sub, &in_use) || sub.seq != ring->seq)
		return FILL_GONE;
	return FILL_NOTHING;
}

enum live_state live_ring_next(struct live_ring *ring, u64 now)
{
	enum fill what;
	bool force;

	if (!ring->is_open && ring->seq)
		lap(ring);
	else if (!ring->is_open)
		begin_with_all(ring);
	for (;;) {
		if (!ring->is_open)
			return LIVE_IDLE;
		if (ring_walk_next(&ring->walk))
			return LIVE_HEAD;
		force = ring->stuck && now - ring->stuck > LIVE_PATIENCE;
		what = ring->done ? go_on(ring) : fill(ring, force);
		if (what == FILL_GONE && !lap(ring))
			return LIVE_IDLE;
		if (what == FILL_NOTHING) {
			ring->stuck = 0;
			return LIVE_IDLE;
		}
		if (what == FILL_WAIT || what == FILL_STRANGE)
			return force ? give_up(ring) : wait_for(ring, what, now);
		ring->stuck = 0;
		ring->filled = now;
	}
}
