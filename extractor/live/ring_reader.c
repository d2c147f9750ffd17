// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_reader.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "ring_headers.h"

/* Slots that a ring may skip to its next sub-buffer: held ones, and prepared ones without use. */
#define AHEAD	16

static u64 slot_off(const struct live_ring *ring)
{
	return (u64)ring->slot * ring->place.unit;
}

/* Reads @size bytes of the sub-buffer from @from on. False: not in the file. */
static bool read_current(const struct live_ring *ring, u32 from, void *to, u32 size)
{
	return generation_read(ring->walk.recording->generation, ring->place.off + slot_off(ring) + from, to,
			       size, NULL) == (ssize_t)size;
}

static bool place_stands(const struct live_ring *ring)
{
	return live_place_stands(&ring->place, ring->walk.recording->generation);
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

	/* If it moves, the sub-buffers there may be larger. */
	if (ring)
		ring->data = malloc(place->is_added ? SUBBUF_MAX : place->unit);
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

static void note_lost_events(struct live_ring *ring, u64 lost)
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

/* Begins with the sub-buffer in @slot. */
static void enter_subbuf(struct live_ring *ring, u32 slot, const struct subbuf *sub)
{
	ring->slot = slot;
	ring->seq = sub->seq;
	ring->is_open = true;
	ring->given = 0;
	ring->skip = 0;
	ring->done = false;
	ring->waits = false;
	ring->stuck = 0;
	memset(&ring->last, 0, sizeof(ring->last));
	ring->walk.sub = *sub;
	ring_walk_enter(&ring->walk);
	subbuf_proof_begin(&ring->proof, sub, &ring->walk.recording->ids);
	ring->walk.sub.end = ring->proof.at.off;
	ring->walk.sub.closed = true;
	note_lost_events(ring, sub->lost);
}

static bool enter_link(struct live_ring *ring, const struct live_link *link)
{
	struct subbuf sub;
	bool in_use;

	if (!live_header(ring, link->slot, &sub, &in_use) || sub.seq != link->seq || !place_stands(ring))
		return false;
	enter_subbuf(ring, link->slot, &sub);
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

/* Everything of @before is not given, and nothing up to the current one. */
static void note_lap(struct live_ring *ring, u64 before)
{
	u64 passed = ring->seq - before;

	ring->counts.laps++;
	ring->counts.lapped += passed;
	ring->walk.nr_lapped += passed;
	ring->walk.marks |= ITEM_LAPPED;
}

/*
 * The writers have overwritten the current sub-buffer. Go on with the middle of the ring, so that
 * they do not come by again at once.
 */
static bool lap(struct live_ring *ring)
{
	u64 before = ring->seq;
	struct live_chain chain;
	bool found = false;
	u32 i;

	ring->is_open = false;
	if (live_chain_read(&chain, ring))
		for (i = chain.nr / 2; i < chain.nr && !found; i++)
			found = chain.links[i].seq > before && enter_link(ring, &chain.links[i]);
	live_chain_free(&chain);
	if (found)
		note_lap(ring, before);
	return found;
}

/* Enters the first sub-buffer from number @seq on. */
static bool enter_from(struct live_ring *ring, u64 seq)
{
	struct live_chain chain;
	bool found = false;
	u32 i;

	if (live_chain_read(&chain, ring))
		for (i = 0; i < chain.nr && !found; i++)
			found = chain.links[i].seq >= seq && enter_link(ring, &chain.links[i]);
	live_chain_free(&chain);
	return found;
}

/*
 * The ring has moved. The current sub-buffer may have come along: then its events that were given
 * are passed over.  False: it has not, or nothing is there yet.
 */
static bool go_elsewhere(struct live_ring *ring)
{
	const struct live_place from = ring->place;
	u64 before = ring->seq;
	u32 given = ring->given;
	bool all = ring->done;
	u32 least = place_stands(ring) ? from.moves + 1 : 0;

	if (!live_place_find(&ring->place, ring->walk.recording->generation, least) ||
	    ring->place.check == from.check)
		return false;
	ring->walk.unit = ring->place.unit;
	if (before && !enter_from(ring, before)) {
		ring->place = from;
		ring->walk.unit = from.unit;
		return false;
	}
	if (ring->seq == before)
		ring->skip = given;
	else if (!all || ring->walk.sub.prev != (u32)before)
		note_lap(ring, before);
	return true;
}

/* Goes on to the successor of the current sub-buffer, if there is one. */
static bool enter_next(struct live_ring *ring)
{
	u32 n = ring->place.size / ring->place.unit, i, slot = ring->slot;
	struct subbuf sub;
	bool in_use;

	for (i = 0; i < AHEAD && i + 1 < n; i++) {
		slot = slot + 1 < n ? slot + 1 : 0;
		if (live_header(ring, slot, &sub, &in_use) && in_use &&
		    sub.prev == (u32)ring->seq && sub.seq > ring->seq && place_stands(ring)) {
			enter_subbuf(ring, slot, &sub);
			return true;
		}
	}
	return false;
}

enum fill_result {
	FILL_MORE,		/* the proven part has grown */
	FILL_NOTHING,		/* nothing has happened */
	FILL_WAIT,		/* the next event cannot be given yet */
	FILL_STRANGE,		/* the same; its kind may not be known yet */
	FILL_GONE,		/* the sub-buffer was recycled */
};

/*
 * Reads the check, the sums, the events, and the check again, each by a system call of its own and
 * in this order: then the events that the sums cover are there.
 */
static enum fill_result read_new_part(struct live_ring *ring)
{
	u32 from = ring->proof.at.off;
	struct epitaph_sub raw;
	__le64 check;

	if (!read_current(ring, 0, &raw, sizeof(raw)))
		return FILL_GONE;
	if (!raw.check || le64toh(raw.seq) != ring->seq)
		return FILL_GONE;
	/* The same header: nothing was committed since, and it was not closed. */
	if (!memcmp(&raw, &ring->last, sizeof(raw)) && !ring->waits)
		return FILL_NOTHING;
	if (!read_current(ring, from, ring->data + from, ring->place.unit - from) ||
	    !read_current(ring, offsetof(struct epitaph_sub, check), &check, sizeof(check)) ||
	    check != raw.check || !place_stands(ring))
		return FILL_GONE;
	ring->last = raw;
	memcpy(ring->data, &raw, sizeof(raw));
	return FILL_MORE;
}

/* Moves the proven part forward, and returns the kind of the event behind it. */
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

static enum fill_result fill_current(struct live_ring *ring, bool force)
{
	enum fill_result ret = read_new_part(ring);
	u32 before = ring->proof.at.off;
	struct subbuf sub;
	bool consistent;
	enum subbuf_kind next;

	if (ret != FILL_MORE)
		return ret;
	subbuf_header(&sub, ring->data, ring->place.unit,
		      ring->walk.recording->generation->hdr.salt, slot_off(ring));
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

static bool next_event(struct live_ring *ring)
{
	while (ring_walk_next(&ring->walk)) {
		ring->given++;
		if (!ring->skip)
			return true;
		ring->skip--;
	}
	return false;
}

enum live_state live_ring_next(struct live_ring *ring, u64 now)
{
	enum fill_result what;
	struct subbuf sub;
	bool force, in_use;

	if (!place_stands(ring) && !go_elsewhere(ring)) {
		ring->is_open = false;
		return LIVE_IDLE;
	}
	if (!ring->is_open && ring->seq) {
		lap(ring);
	} else if (!ring->is_open) {
		/* The ring was empty until now: all of it is new, unless it was lapped already. */
		struct live_chain chain;
		bool whole = live_chain_read(&chain, ring) && !chain.links[0].prev;

		if (!whole || !enter_link(ring, &chain.links[0]))
			lap(ring);
		live_chain_free(&chain);
	}
	for (;;) {
		if (!ring->is_open)
			return LIVE_IDLE;
		if (next_event(ring))
			return LIVE_HEAD;
		force = ring->stuck && now - ring->stuck > LIVE_PATIENCE;
		if (!ring->done)
			what = fill_current(ring, force);
		else if (enter_next(ring))
			what = FILL_MORE;
		else if (live_header(ring, ring->slot, &sub, &in_use) && sub.seq == ring->seq)
			what = FILL_NOTHING;
		else
			what = FILL_GONE;
		if (what == FILL_GONE && !lap(ring))
			return LIVE_IDLE;
		if (what == FILL_NOTHING && ring->done && ring->place.is_added && go_elsewhere(ring))
			continue;
		if (what == FILL_NOTHING) {
			ring->stuck = 0;
			return LIVE_IDLE;
		}
		if (what != FILL_WAIT && what != FILL_STRANGE) {
			ring->stuck = 0;
			ring->filled = now;
			continue;
		}
		if (!force) {
			if (!ring->stuck)
				ring->stuck = now;
			return what == FILL_STRANGE ? LIVE_STRANGE : LIVE_BLOCKED;
		}
		/* Withhold the rest of the sub-buffer, and go on behind it. */
		ring->counts.damaged++;
		ring->done = true;
		ring->stuck = 0;
		ring_walk_stand(&ring->walk, ITEM_DAMAGED, ring->proof.at.time);
		ring->walk.marks |= ITEM_LOST_BEFORE;
		ring->walk.marks &= ~ITEM_LOST_COUNTED;
		return LIVE_HEAD;
	}
}
