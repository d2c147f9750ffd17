// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of each ring of the copy: what was committed before the moment, and nothing behind it. */
#include <endian.h>
#include <poll.h>
#include <string.h>

#include "region/subbuf_proof.h"
#include "live.h"
#include "ring_reader.h"
#include "snapshot_impl.h"

/**
 * struct work - a sub-buffer under way
 * @off: of it in the section
 * @sub: what its header says; @data: all of it, in the copy
 * @proof: how far its events are proven
 * @end: the same, behind the last one that was committed
 */
struct work {
	const struct snapshot *s;
	const struct section *sec;
	u64 off;
	struct subbuf sub;
	struct subbuf_proof proof;
	struct subbuf_proof end;
	u8 *data;
};

enum settled {
	SETTLED,		/* all events up to the moment are known */
	SETTLED_NOT,		/* something was not committed */
	SETTLED_STRANGE,	/* of no known kind, or damaged */
};

/* Where nothing more is proven. */
static enum settled is_over(const struct work *w, const struct subbuf_event *ev)
{
	bool later = ev->time > w->s->moment;

	if (ev->kind == SUBBUF_END || (later && (ev->kind == SUBBUF_COMMITTED || ev->kind == SUBBUF_BROKEN)))
		return SETTLED;
	return ev->kind == SUBBUF_BROKEN ? SETTLED_STRANGE : SETTLED_NOT;
}

/* Walks as far as it is proven, and not beyond the moment. */
static enum settled walk(struct work *w, bool force)
{
	struct subbuf_proof_bytes bytes = { w->data, &w->sub, &w->s->recording->ids };
	struct subbuf_proof_survey survey;
	struct subbuf_proof before;
	struct subbuf_event ev;

	subbuf_proof_begin(&w->proof, &w->sub);
	w->end = w->proof;
	subbuf_proof_survey(&w->proof, &bytes, &survey);
	if (!survey.consistent)
		return SETTLED_STRANGE;
	for (;;) {
		before = w->proof;
		if (!subbuf_proof_next(&w->proof, &bytes, &survey, force, &ev))
			return is_over(w, &ev);
		if (ev.kind != SUBBUF_COMMITTED)
			continue;
		if (ev.time > w->s->moment) {
			w->proof = before;
			return SETTLED;
		}
		w->end = w->proof;
	}
}

static bool read_live(const struct work *w, u32 from, void *to, u32 size)
{
	return generation_read(w->s->recording->generation, w->sec->off + w->off + from, to, size, NULL) ==
	       (ssize_t)size;
}

/* The sub-buffer as it is now; false: it is another one by now. */
static bool read_again(struct work *w)
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

static bool has_patience(const struct work *w)
{
	return live_now() - w->s->begun < LIVE_PATIENCE;
}

static int settle(struct work *w, enum settled *ret_what)
{
	enum settled what = walk(w, false);
	int ret;

	if (what == SETTLED_STRANGE) {
		ret = recording_more(w->s->recording, w->s->err);
		if (ret)
			return ret;
		what = walk(w, false);
	}
	while (what != SETTLED && has_patience(w) && read_again(w)) {
		what = walk(w, false);
		if (what != SETTLED)
			poll(NULL, 0, 1);
	}
	if (what == SETTLED_NOT)
		what = walk(w, true);
	*ret_what = what;
	return 0;
}

/* Closed behind the last event that counts. */
static void cut(struct work *w)
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

static int settle_sub(struct work *w)
{
	enum settled what;
	int ret = settle(w, &what);

	/* Damage is copied as it is: who reads it tells it. */
	if (ret || what == SETTLED_STRANGE)
		return ret;
	w->s->counts->cut += what == SETTLED_NOT;
	if (!w->sub.closed || w->proof.at.off != w->sub.end)
		cut(w);
	return 0;
}

static int settle_slot(struct work *w)
{
	w->data = w->s->image + w->sec->off + w->off;
	subbuf_header(&w->sub, w->data, w->sec->unit, w->s->recording->generation->hdr.salt, w->off);
	if (w->sub.state != SUBBUF_GOOD || w->sub.time > w->s->moment)
		return 0;
	return settle_sub(w);
}

int snapshot_settle(const struct snapshot *s, const struct section *sec)
{
	struct work w = { .s = s, .sec = sec };
	int ret = 0;

	for (w.off = 0; w.off + sec->unit <= sec->size && !ret; w.off += sec->unit)
		ret = settle_slot(&w);
	return ret;
}
