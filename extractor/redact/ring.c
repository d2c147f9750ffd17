// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sub-buffers: their events stay where they are, with other payloads, and the
 * sums are made anew.  One that is damaged, or not in the file, is damaged in the copy.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "redact_impl.h"

/* @data: as it was, the payloads redacted already; @out: the copy */
struct redact_sub {
	struct redaction *r;
	struct subbuf sub;
	u8 *data;
	u8 *out;
	struct packed_decode_slots slots;
	u64 seed;
	u64 sum[EPITAPH_LEVELS];
};

static u32 word_at(const u8 *data, u32 off)
{
	u32 word;

	memcpy(&word, data + off, sizeof(word));
	return le32toh(word);
}

static void put_word(u8 *data, u32 off, u32 word)
{
	word = htole32(word);
	memcpy(data + off, &word, sizeof(word));
}

/* All of it that its check covers. */
static struct epitaph_sub new_header(const struct redact_sub *s)
{
	const struct subbuf *sub = &s->sub;

	return (struct epitaph_sub){
		.seq = htole64(sub->seq), .prev = htole32(sub->prev),
		.pid = htole32(pseudonym_pid(s->r->names, sub->pid)),
		.time = htole64(sub->time), .lost = htole64(sub->lost),
	};
}

static void put_header(struct redact_sub *s)
{
	struct epitaph_sub raw = new_header(s);
	u32 i;

	raw.check = htole64(s->seed);
	if (s->sub.closed) {
		raw.used = htole32(s->sub.end);
		raw.used_not = htole32(~s->sub.end);
	}
	for (i = 0; i < EPITAPH_LEVELS; i++)
		raw.sum[i] = htole64(s->sum[i]);
	memcpy(s->out, &raw, sizeof(raw));
}

/* The rule of docs/format.md, "Checking it". */
static u64 add_event(const struct redact_sub *s, const struct subbuf_event *ev)
{
	u64 h = mix(s->seed ^ s->sum[ev->level], (u64)ev->off << 32 | word_at(s->out, ev->off));
	u32 off = ev->off + 4, end = ev->off + ev->words * 4;

	for (; off + 4 < end; off += 8)
		h = mix(h, (u64)word_at(s->out, off + 4) << 32 | word_at(s->out, off));
	return off < end ? mix(h, word_at(s->out, off)) : h;
}

/* What nothing tells of becomes a claim without use. */
static void put_packed(struct redact_sub *s, const struct subbuf_event *ev, u32 at, u32 size)
{
	bool good = !ev->is_silent && redact_packed(s->r, &s->slots, s->out + at, size);

	s->r->count->dropped += !ev->is_silent && !good;
	if (!good)
		memset(s->out + at, 0, size);
}

static void put_slot(struct redact_sub *s, const struct subbuf_event *ev, u32 at)
{
	redact_slot(s->r, ev->id, s->out + at);
	packed_decode_learn(&s->slots, ev->id, at);
}

static void put_id(struct redact_sub *s, const struct subbuf_event *ev, u32 id)
{
	if (ev->before > 1)
		put_word(s->out, ev->off + 4, (word_at(s->out, ev->off + 4) & 0xffff0000) | id);
	else
		put_word(s->out, ev->off, (word_at(s->out, ev->off) & ((1U << EPITAPH_ID_SHIFT) - 1)) |
			 id << EPITAPH_ID_SHIFT);
}

/* All of it is in its id, and in a packing.  What may not be told gets the first of its ids. */
static void put_small(struct redact_sub *s, const struct subbuf_event *ev)
{
	const struct packed_layout *packing = formats_packing(s->r->recording->formats, ev->id);
	bool good = redact_may_tell(s->r, packing);

	if (!good)
		put_id(s, ev, ev->id - packing->value);
	s->r->count->events++;
	s->r->count->dropped += !good;
}

static void put_committed(struct redact_sub *s, const struct subbuf_event *ev)
{
	u32 at = ev->off + ev->before * 4, size = (ev->words - ev->before) * 4;

	memcpy(s->out + ev->off, s->data + ev->off, ev->words * 4);
	if (ev->id == EPITAPH_ID_PID)
		put_word(s->out, at, pseudonym_pid(s->r->names, word_at(s->data, at)));
	else if (id_is_packed(ev->id))
		put_packed(s, ev, at, size);
	else if (ev->is_silent)
		put_slot(s, ev, at);
	else if (s->r->recording->ids.state[ev->id] == ID_EMPTY)
		put_small(s, ev);
	else
		redact_payload(s->r, ev->id, s->out + at, size);
	/* What no sum vouched for remains without. */
	if (!ev->unproven)
		s->sum[ev->level] = add_event(s, ev);
}

static void put_events(struct redact_sub *s)
{
	struct subbuf_cursor cur = subbuf_begin(&s->sub);
	struct subbuf_event ev;

	packed_decode_forget(&s->slots, s->data);
	for (;;) {
		subbuf_next(&s->sub, s->data, &cur, &s->r->recording->ids, &ev);
		if (ev.kind == SUBBUF_END || ev.kind == SUBBUF_BROKEN)
			return;
		if (ev.kind == SUBBUF_COMMITTED)
			put_committed(s, &ev);
		else if (ev.kind == SUBBUF_TORN)
			put_word(s->out, ev.off, word_at(s->data, ev.off));
	}
}

/* The check of the copy's header seeds the sums, so it comes first. */
static u64 header_check(const struct redact_sub *s, u64 off)
{
	struct epitaph_sub raw = new_header(s);

	return checksum(s->r->salt ^ off, &raw, offsetof(struct epitaph_sub, check));
}

/* A header with a check that does not hold, so that nobody takes it for one that was never used. */
static void put_lost(struct redaction *r, u64 at)
{
	struct epitaph_sub raw = { .check = ~0ULL };

	r->count->dropped++;
	redact_put(r, at, &raw, sizeof(raw));
}

static void redact_sub(struct redact_sub *s, const struct section *sec, u64 off)
{
	struct redaction *r = s->r;

	subbuf_check(&s->sub, s->data, sec->unit, r->recording->generation->hdr.salt, off, &r->recording->ids);
	if (s->sub.state == SUBBUF_EMPTY)
		return;
	if (s->sub.state != SUBBUF_GOOD)
		return put_lost(r, sec->off + off);
	memset(s->out, 0, sec->unit);
	memset(s->sum, 0, sizeof(s->sum));
	s->seed = header_check(s, off);
	put_events(s);
	put_header(s);
	redact_put(r, sec->off + off, s->out, sec->unit);
}

void redact_ring(struct redaction *r, const struct section *sec)
{
	u8 data[SUBBUF_MAX], out[SUBBUF_MAX];
	struct redact_sub s = { .r = r, .data = data, .out = out };
	u64 off;

	if (sec->unit < SUBBUF_MIN || sec->unit > SUBBUF_MAX || (sec->unit & (sec->unit - 1)))
		return;
	for (off = 0; off + sec->unit <= sec->size && !r->failed; off += sec->unit)
		if (generation_read(r->recording->generation, sec->off + off, data, sec->unit, NULL) ==
		    (ssize_t)sec->unit)
			redact_sub(&s, sec, off);
		else
			put_lost(r, sec->off + off);
}
