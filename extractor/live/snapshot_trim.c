// SPDX-License-Identifier: GPL-2.0-or-later
/* Ends each ring of the copy behind the last event that was committed before the moment. */
#include <endian.h>
#include <poll.h>
#include <string.h>

#include "region/subbuf_proof.h"
#include "live.h"
#include "ring_reader.h"
#include "snapshot_impl.h"

/*
 * One sub-buffer of the copy.
 * @off: in the section
 * @sub: its header; @data: its bytes in the copy
 * @proof: the proven part
 * @end: the proven part up to the last committed event
 * @newest: seq of the newest one up to now; @newest_prev: that of the one before it, 0: none
 * @has_events: one of them has an event, or damage
 */
struct subbuf_trim {
	const struct snapshot *s;
	const struct section *sec;
	u64 off;
	struct subbuf sub;
	struct subbuf_proof proof;
	struct subbuf_proof end;
	u64 newest;
	u32 newest_prev;
	bool has_events;
	u8 *data;
};

enum settled {
	SETTLED,		/* all events up to the moment are known */
	SETTLED_NOT,		/* an event is not committed */
	SETTLED_STRANGE,	/* an event of unknown kind, or damage */
};

/* Walks along the proven events up to the moment. */
static enum settled walk_proven(struct subbuf_trim *w, bool force)
{
	struct subbuf_proof_bytes bytes = { w->data, &w->sub, &w->s->recording->ids };
	struct subbuf_proof_survey survey;
	struct subbuf_proof before;
	struct subbuf_event ev;

	subbuf_proof_begin(&w->proof, &w->sub, bytes.ids);
	w->end = w->proof;
	subbuf_proof_survey(&w->proof, &bytes, &survey);
	if (!survey.consistent)
		return SETTLED_STRANGE;
	for (;;) {
		before = w->proof;
		if (!subbuf_proof_next(&w->proof, &bytes, &survey, force, &ev))
			break;
		if (ev.kind != SUBBUF_COMMITTED)
			continue;
		if (ev.time > w->s->moment) {
			w->proof = before;
			return SETTLED;
		}
		w->end = w->proof;
	}
	if (ev.kind == SUBBUF_END || (ev.time > w->s->moment && (ev.kind == SUBBUF_COMMITTED ||
								 ev.kind == SUBBUF_BROKEN)))
		return SETTLED;
	return ev.kind == SUBBUF_BROKEN ? SETTLED_STRANGE : SETTLED_NOT;
}

static bool read_live(const struct subbuf_trim *w, u32 from, void *to, u32 size)
{
	return generation_read(w->s->recording->generation, w->sec->off + w->off + from, to, size, NULL) ==
	       (ssize_t)size;
}

/* Reads the sub-buffer again. False: another one is in its place. */
static bool reread_subbuf(struct subbuf_trim *w)
{
	u32 begin = sizeof(struct epitaph_sub);
	u8 data[SUBBUF_MAX];
	struct subbuf sub;
	__le64 check;

	if (!read_live(w, 0, data, begin) || !read_live(w, begin, data + begin, w->sec->unit - begin) ||
	    !read_live(w, offsetof(struct epitaph_sub, check), &check, sizeof(check)))
		return false;
	subbuf_header(&sub, data, w->sec->unit, w->s->recording->generation->hdr.salt, w->off);
	if (sub.state != SUBBUF_GOOD || sub.seed != w->sub.seed || le64toh(check) != sub.seed)
		return false;
	memcpy(w->data, data, w->sec->unit);
	w->sub = sub;
	return true;
}

/* Reads the sub-buffer until all events up to the moment are known, or patience ends. */
static int settle_events(struct subbuf_trim *w, enum settled *ret_what)
{
	enum settled what = walk_proven(w, false);
	int ret;

	if (what == SETTLED_STRANGE) {
		ret = recording_more(w->s->recording, w->s->err);
		if (ret)
			return ret;
		what = walk_proven(w, false);
	}
	while (what != SETTLED && live_now() - w->s->begun < LIVE_PATIENCE && reread_subbuf(w)) {
		what = walk_proven(w, false);
		if (what != SETTLED)
			poll(NULL, 0, 1);
	}
	if (what == SETTLED_NOT)
		what = walk_proven(w, true);
	*ret_what = what;
	return 0;
}

/* Closes the sub-buffer behind @w->end. */
static void close_subbuf(struct subbuf_trim *w)
{
	u32 end = w->end.at.off;
	struct epitaph_sub raw;
	u32 i;

	memcpy(&raw, w->data, sizeof(raw));
	raw.used = htole32(end);
	raw.used_not = htole32(~end);
	for (i = 0; i < EPITAPH_LEVELS; i++)
		raw.sum[i] = htole64(w->end.sums[i]);
	memcpy(w->data, &raw, sizeof(raw));
	memset(w->data + end, 0, w->sec->unit - end);
}

static int trim_slot(struct subbuf_trim *w)
{
	enum settled what;
	int ret;

	w->data = w->s->image + w->sec->off + w->off;
	subbuf_header(&w->sub, w->data, w->sec->unit, w->s->recording->generation->hdr.salt, w->off);
	if (w->sub.state != SUBBUF_GOOD || w->sub.time > w->s->moment)
		return 0;
	ret = settle_events(w, &what);
	if (ret)
		return ret;
	if (w->sub.seq > w->newest) {
		w->newest = w->sub.seq;
		w->newest_prev = w->sub.prev;
	}
	w->has_events |= what == SETTLED_STRANGE || w->end.at.off > sizeof(struct epitaph_sub);
	/* Damage is copied as it is: the reader of the copy reports it. */
	if (what == SETTLED_STRANGE)
		return 0;
	w->s->counts->cut += what == SETTLED_NOT;
	if (!w->sub.closed || w->proof.at.off != w->sub.end)
		close_subbuf(w);
	return 0;
}

int snapshot_settle(const struct snapshot *s, const struct section *sec)
{
	struct subbuf_trim w = { .s = s, .sec = sec };
	int ret = 0;

	for (w.off = 0; w.off + sec->unit <= sec->size && !ret; w.off += sec->unit)
		ret = trim_slot(&w);
	/* The first event of the last one that was left came later than the moment. */
	if (!ret && w.newest_prev && !w.has_events) {
		memset(s->image + sec->off, 0, sec->size);
		s->counts->lost_rings++;
	}
	return ret;
}
