// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Redacts sub-buffers: events keep their places, get other payloads, and the sums are computed
 * anew. A sub-buffer that is damaged or not in the file is damaged in the copy.
 */
#include <endian.h>
#include <string.h>

#include "base/checksum.h"
#include "redact_impl.h"

/* @data: the original; @out: the copy */
struct redacted_subbuf {
	struct redaction *r;
	struct subbuf sub;
	u8 *data;
	u8 *out;
	struct packed_decode_slots slots;
	struct redact_bases bases;
	u64 sum[EPITAPH_LEVELS];
};

static u32 load_word(const u8 *data, u32 off)
{
	u32 word;

	memcpy(&word, data + off, sizeof(word));
	return le32toh(word);
}

static void store_word(u8 *data, u32 off, u32 word)
{
	word = htole32(word);
	memcpy(data + off, &word, sizeof(word));
}

/*
 * The id of a small event contains its value. A value that must not be published becomes that of
 * the first id.
 */
static void put_small_event(struct redacted_subbuf *s, const struct subbuf_event *ev)
{
	const struct packed_layout *layout = formats_packing(s->r->recording->formats, ev->id);
	u32 id = ev->id - layout->value, word;

	s->r->count->events++;
	if (redact_may_publish(s->r, layout))
		return;
	s->r->count->dropped++;
	if (ev->before > 1) {
		word = load_word(s->out, ev->off + 4) & 0xffff0000;
		store_word(s->out, ev->off + 4, word | id);
	} else {
		word = load_word(s->out, ev->off) & ((1U << EPITAPH_ID_SHIFT) - 1);
		store_word(s->out, ev->off, word | id << EPITAPH_ID_SHIFT);
	}
}

static void put_committed_event(struct redacted_subbuf *s, const struct subbuf_event *ev)
{
	u32 at = ev->off + ev->before * 4, size = (ev->words - ev->before) * 4;

	memcpy(s->out + ev->off, s->data + ev->off, ev->words * 4);
	if (ev->id == EPITAPH_ID_PID) {
		store_word(s->out, at, redact_pid(s->r, "events: pid", load_word(s->data, at)));
	} else if (id_is_packed(ev->id)) {
		/* An event that cannot be decoded becomes an unused claim. */
		if (ev->is_silent || !redact_packed(s->r, &s->slots, s->out + at, size)) {
			s->r->count->dropped += !ev->is_silent;
			memset(s->out + at, 0, size);
		}
	} else if (ev->is_silent) {
		redact_slot(s->r, &s->bases, ev->id, s->out + at);
		packed_decode_learn(&s->slots, ev->id, at);
	} else if (s->r->recording->ids.state[ev->id] == ID_EMPTY) {
		put_small_event(s, ev);
	} else {
		redact_payload(s->r, ev->id, s->out + at, size);
	}
	/* An event that no sum covers remains uncovered. */
	if (!ev->unproven)
		s->sum[ev->level] = subbuf_event_sum(&s->sub, s->out, &s->r->recording->ids, ev,
						     s->sum[ev->level]);
}

/* Of a profile: which bases of this sub-buffer a number that does not stay has set. */
static void find_private_bases(struct redacted_subbuf *s)
{
	struct subbuf_cursor cur = subbuf_begin(&s->sub);
	struct subbuf_event ev;
	u32 at;

	memset(&s->bases, 0, sizeof(s->bases));
	packed_decode_forget(&s->slots, s->data);
	for (;;) {
		subbuf_next(&s->sub, s->data, &cur, &s->r->recording->ids, &ev);
		if (ev.kind == SUBBUF_END || ev.kind == SUBBUF_BROKEN)
			return;
		at = ev.off + ev.before * 4;
		if (ev.kind != SUBBUF_COMMITTED)
			continue;
		if (id_is_packed(ev.id) && !ev.is_silent)
			redact_note_bases(s->r, &s->slots, s->data + at, (ev.words - ev.before) * 4,
					  &s->bases);
		else if (ev.is_silent && !id_is_packed(ev.id) && ev.id != EPITAPH_ID_PID)
			packed_decode_learn(&s->slots, ev.id, at);
	}
}

/* Writes a header with a wrong check: a zero header would mean an unused sub-buffer. */
static void put_lost_subbuf(struct redaction *r, u64 at)
{
	struct epitaph_sub raw = { .check = ~0ULL };

	r->count->dropped++;
	redact_put(r, at, &raw, sizeof(raw));
}

static void redact_subbuf(struct redacted_subbuf *s, const struct section *sec, u64 off)
{
	struct redaction *r = s->r;
	struct generation_source rs = { r->recording->generation, sec };
	const struct ring_scan scan = {
		.src = generation_source(&rs), .unit = sec->unit,
		.salt = r->recording->generation->hdr.salt, .ids = &r->recording->ids,
	};
	struct subbuf_cursor cur;
	struct subbuf_event ev;
	struct epitaph_sub raw;
	u32 i;

	subbuf_check(&s->sub, s->data, sec->unit, scan.salt, off, scan.ids);
	ring_scan_repair(&scan, off, s->data, &s->sub);
	if (s->sub.state == SUBBUF_EMPTY)
		return;
	if (s->sub.state != SUBBUF_GOOD)
		return put_lost_subbuf(r, sec->off + off);
	memset(s->out, 0, sec->unit);
	raw = (struct epitaph_sub){
		.seq = htole64(s->sub.seq), .prev = htole32(s->sub.prev),
		.pid = htole32(redact_pid(r, "events: pid", s->sub.pid)),
		.time = htole64(s->sub.time), .lost = htole64(s->sub.lost),
	};
	/* The check of the header seeds the sums of the events. */
	s->sub.seed = checksum(r->salt ^ off, &raw, offsetof(struct epitaph_sub, check));
	for (i = 0; i < EPITAPH_LEVELS; i++)
		s->sum[i] = subbuf_first_sum(&s->sub, scan.ids);
	if (r->profile)
		find_private_bases(s);
	packed_decode_forget(&s->slots, s->data);
	cur = subbuf_begin(&s->sub);
	for (;;) {
		subbuf_next(&s->sub, s->data, &cur, &r->recording->ids, &ev);
		if (ev.kind == SUBBUF_END || ev.kind == SUBBUF_BROKEN)
			break;
		if (ev.kind == SUBBUF_COMMITTED)
			put_committed_event(s, &ev);
		else if (ev.kind == SUBBUF_TORN)
			store_word(s->out, ev.off, load_word(s->data, ev.off));
	}
	raw.check = htole64(s->sub.seed);
	if (s->sub.closed) {
		raw.used = htole32(s->sub.end);
		raw.used_not = htole32(~s->sub.end);
	}
	for (i = 0; i < EPITAPH_LEVELS; i++)
		raw.sum[i] = htole64(s->sum[i]);
	memcpy(s->out, &raw, sizeof(raw));
	redact_put(r, sec->off + off, s->out, sec->unit);
}

void redact_ring(struct redaction *r, const struct section *sec)
{
	u8 data[SUBBUF_MAX], out[SUBBUF_MAX];
	struct redacted_subbuf s = { .r = r, .data = data, .out = out };
	u64 off;

	if (!recording_unit_is_possible(sec->unit))
		return;
	for (off = 0; off + sec->unit <= sec->size && !r->failed; off += sec->unit)
		if (generation_read(r->recording->generation, sec->off + off, data, sec->unit, NULL) ==
		    (ssize_t)sec->unit)
			redact_subbuf(&s, sec, off);
		else
			put_lost_subbuf(r, sec->off + off);
}
