// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring is copied from its newest sub-buffer back to the oldest, so that what its
 * writers overwrite meanwhile is the oldest.  The moment is past: what they begin
 * now is later.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "live_chain.h"
#include "snapshot_impl.h"

/* So often a sub-buffer that is being made ready is asked for again. */
#define TRIES	16

enum taken {
	TAKEN,			/* as it is */
	TAKEN_LATER,		/* its header: nothing was in it at the moment */
	TAKEN_NOT,		/* being made ready; zeroes */
};

/**
 * struct work - a ring under way
 * @ring: where it is, for live_chain_read()
 * @seen: by slot: copied
 * @data: of one sub-buffer
 */
struct work {
	const struct snapshot *s;
	const struct section *sec;
	struct live_ring ring;
	u8 *seen;
	u8 data[SUB_MAX];
};

static bool read_at(const struct work *w, u64 off, void *to, u32 size)
{
	return region_read(w->s->trace->region, w->sec->off + off, to, size, NULL) == (ssize_t)size;
}

/* The header with the sums, the events, and the check again, each read by itself. */
static bool read_whole(struct work *w, u64 off)
{
	u32 begin = sizeof(struct epitaph_sub);
	__le64 check, *had = (__le64 *)(w->data + offsetof(struct epitaph_sub, check));

	return read_at(w, off + begin, w->data + begin, w->sec->unit - begin) &&
	       read_at(w, off + offsetof(struct epitaph_sub, check), &check, sizeof(check)) &&
	       check == *had;
}

static void keep_header(struct work *w)
{
	u32 begin = offsetof(struct epitaph_sub, used);

	memset(w->data + begin, 0, w->sec->unit - begin);
}

/* What is in a slot, into @data. */
static enum taken read_slot(struct work *w, u32 slot)
{
	u64 off = (u64)slot * w->sec->unit;
	struct sub sub;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		if (!read_at(w, off, w->data, sizeof(struct epitaph_sub)))
			break;
		sub_header(&sub, w->data, w->sec->unit, w->s->trace->region->hdr.salt, off);
		if (sub.state == SUB_GOOD && sub.time > w->s->moment) {
			keep_header(w);
			return TAKEN_LATER;
		}
		if (!read_whole(w, off))
			continue;
		/* Damage that stays is damage. */
		if (sub.state == SUB_GOOD || sub.state == SUB_EMPTY || i > TRIES / 2)
			return TAKEN;
	}
	memset(w->data, 0, w->sec->unit);
	return TAKEN_NOT;
}

static int take_slot(struct work *w, u32 slot, enum taken *what)
{
	w->seen[slot] = 1;
	*what = read_slot(w, slot);
	return snapshot_put(w->s, w->sec->off + (u64)slot * w->sec->unit, w->data, w->sec->unit);
}

/* From the newest to the oldest; *@newest: what became of the newest one of the moment. */
static int take_chain(struct work *w, const struct live_chain *chain, enum taken *newest)
{
	struct snapshot_counts *counts = w->s->counts;
	u32 i = chain->nr;
	bool any = false;
	enum taken what;
	int ret = 0;

	*newest = chain->nr && chain->links[0].prev ? TAKEN_LATER : TAKEN;
	while (i-- > 0 && !ret) {
		const struct live_link *link = &chain->links[i];

		ret = take_slot(w, link->slot, &what);
		if (link->time > w->s->moment)
			continue;
		if (!any)
			*newest = what;
		any = true;
		counts->subs += what == TAKEN;
		counts->lapped += what != TAKEN;
	}
	return ret;
}

/* Without its newest sub-buffer, nobody could tell that a ring's end is missing. */
static int empty_ring(struct work *w)
{
	u32 slot, n = w->sec->size / w->sec->unit;
	int ret = 0;

	memset(w->data, 0, w->sec->unit);
	for (slot = 0; slot < n && !ret; slot++)
		ret = snapshot_put(w->s, w->sec->off + (u64)slot * w->sec->unit, w->data,
				   w->sec->unit);
	w->s->counts->lost_rings++;
	return ret;
}

static int take_ring(struct work *w)
{
	u32 slot, n = w->sec->size / w->sec->unit;
	enum taken newest, what;
	struct live_chain chain;
	int ret;

	live_chain_read(&chain, &w->ring);
	if (!chain.links)
		return err_sys(w->s->err, "memory for a ring");
	ret = take_chain(w, &chain, &newest);
	live_chain_free(&chain);
	for (slot = 0; slot < n && !ret; slot++)
		if (!w->seen[slot])
			ret = take_slot(w, slot, &what);
	return ret || newest == TAKEN ? ret : empty_ring(w);
}

int snapshot_ring(const struct snapshot *s, const struct section *sec)
{
	struct work *w = calloc(1, sizeof(*w));
	u64 n = sec->size / sec->unit;
	int ret;

	if (w)
		w->seen = calloc(n, 1);
	if (!w || !w->seen) {
		free(w);
		return err_sys(s->err, "memory for a ring");
	}
	w->s = s;
	w->sec = sec;
	w->ring.place = (struct live_place){ .off = sec->off, .size = n * sec->unit,
					     .unit = sec->unit };
	w->ring.walk.trace = s->trace;
	ret = take_ring(w);
	s->counts->rings++;
	free(w->seen);
	free(w);
	return ret;
}
