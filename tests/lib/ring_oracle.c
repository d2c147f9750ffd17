// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "ring_oracle.h"
#include "ring_second.h"

#define TELL_MAX	20

#define FOUR(n)		(n), (n) + 1, (n) + 2, (n) + 3
#define SIXTEEN(n)	FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY(n)	SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), \
			SIXTEEN((n) + 48)

const u16 oracle_words[512] = {
	[EPITAPH_ID_PID] = 1,
	[EPITAPH_ID_FIRST] = SIXTY(0), SIXTY(64), SIXTY(128), SIXTY(192),
	SIXTY(256), SIXTY(320), SIXTY(384), SIXTEEN(448), SIXTEEN(464),
};

#define complain(o, ...) do {						\
	if ((o)->failures++ < TELL_MAX) {				\
		printf("# depth %u, %u events, point %llu: ", (o)->depth,	\
		       (o)->nr_events, (unsigned long long)(o)->points);	\
		printf(__VA_ARGS__);					\
		putchar('\n');						\
	}								\
} while (0)

u8 oracle_byte(u32 seed, u32 i)
{
	u32 x = seed + i * 0x9e3779b9U;

	x ^= x >> 15;
	x *= 0x85ebca6bU;
	return x >> 24;
}

static void sub_free_all(struct oracle *o)
{
	u32 i;

	for (i = 0; i < o->nr_subs; i++)
		free(o->read[i]);
}

void oracle_free(struct oracle *o)
{
	if (!o)
		return;
	sub_free_all(o);
	free(o->seen);
	free(o->ring.counters);
	free(o->ring.data);
	free(o);
}

static void begin_sub(struct oracle *o, u32 sub, u32 pid)
{
	struct oracle_sub *s = &o->subs[sub];

	memset(s, 0, offsetof(struct oracle_sub, claims));
	s->ready = true;
	s->dirty = true;
	s->used = sizeof(struct epitaph_sub);
	s->pid = pid;
}

/* The tests' clock reads this during epitaph_ring_init(), too. */
struct oracle *oracle_new(u32 sub_size, u32 nr_subs, u32 shift,
			  void (*stale)(u8 *data, u32 size))
{
	struct oracle *o = calloc(1, sizeof(*o));
	u32 i;

	o->nr_subs = nr_subs;
	o->ring.size = nr_subs * sub_size;
	o->ring.sub_size = sub_size;
	o->ring.shift = shift;
	o->ring.salt = 0x5a17 + sub_size;
	o->ring.pid = 1;
	o->ring.data = aligned_alloc(sub_size, o->ring.size);
	memset(o->ring.data, 0, o->ring.size);
	o->ring.counters = calloc(1, sizeof(*o->ring.counters));
	o->seen = malloc(o->ring.size);
	for (i = 0; i < nr_subs; i++)
		o->read[i] = calloc(1, sizeof(**o->read));
	if (stale)
		stale(o->ring.data, o->ring.size);
	for (i = 0; i < EPITAPH_LEVELS; i++)
		o->prepares[i] = ORACLE_NONE;
	if (epitaph_ring_init(&o->ring)) {
		oracle_free(o);
		return NULL;
	}
	for (i = 0; i < nr_subs; i++)
		o->subs[i].dirty = true;
	begin_sub(o, 0, o->ring.pid);
	o->switches = 1;
	o->subs[0].stamp = 1;
	o->head_off = sizeof(struct epitaph_sub);
	return o;
}

void oracle_copy(struct oracle *to, const struct oracle *from)
{
	struct epitaph_ring own = to->ring;
	u32 i;

	memcpy(to->events, from->events, from->nr_events * sizeof(*to->events));
	memcpy(own.data, from->ring.data, own.size);
	*own.counters = *from->ring.counters;
	to->ring = from->ring;
	to->ring.data = own.data;
	to->ring.counters = own.counters;
	memcpy(to->holds, from->holds, sizeof(to->holds));
	memcpy(to->prepares, from->prepares, sizeof(to->prepares));
	to->depth = 0;
	to->nr_events = from->nr_events;
	to->head_sub = from->head_sub;
	to->head_off = from->head_off;
	to->switches = from->switches;
	to->clock = from->clock;
	for (i = 0; i < to->nr_subs; i++) {
		memcpy(&to->subs[i], &from->subs[i],
		       offsetof(struct oracle_sub, claims) +
		       from->subs[i].nr * sizeof(u32));
		to->subs[i].dirty = true;
	}
}

void oracle_begin(struct oracle *o, u32 id, u32 bytes, u32 seed)
{
	o->writers[o->depth].event = o->nr_events;
	if (o->nr_events == ORACLE_MAX_EVENTS - 1)
		exit(1);
	o->events[o->nr_events++] = (struct oracle_event){
		.id = id, .bytes = bytes, .seed = seed, .level = o->depth,
	};
	o->depth++;
}

void oracle_end(struct oracle *o)
{
	o->depth--;
	o->prepares[o->depth] = ORACLE_NONE;
}

u64 oracle_clock(struct oracle *o)
{
	if (o->depth)
		o->writers[o->depth - 1].clock = o->clock;
	return o->clock;
}

/* --- the labels ---------------------------------------------------------- */

static bool is_held(const struct oracle *o, u32 level, u32 sub)
{
	u32 i;

	for (i = 0; i < level; i++)
		if (o->holds[i] == sub || o->prepares[i] == sub)
			return true;
	return false;
}

static u32 next_sub(const struct oracle *o, u32 level, u32 sub)
{
	do
		sub = (sub + 1) % o->nr_subs;
	while (is_held(o, level, sub));
	return sub;
}

static struct oracle_event *own_event(struct oracle *o)
{
	return &o->events[o->writers[o->depth - 1].event];
}

static void at_take(struct oracle *o)
{
	struct oracle_writer *w = &o->writers[o->depth - 1];
	struct oracle_event *e = own_event(o);
	struct oracle_sub *s = &o->subs[o->head_sub];
	u32 at = (u32)o->ring.head - o->head_sub * o->ring.sub_size;

	if (at <= o->head_off || at >= o->ring.sub_size) {
		complain(o, "reserve:D moved the head from %u to %u",
			 o->head_off, at);
		return;
	}
	e->off = o->head_off;
	e->words = (at - o->head_off) / 4;
	e->time = w->clock >> o->ring.shift;
	e->state = ORACLE_TAKEN;
	s->claims[s->nr++] = w->event;
	s->used = at;
	s->dirty = true;
	o->head_off = at;
}

static void set_state(struct oracle *o, enum oracle_state state)
{
	own_event(o)->state = state;
	o->subs[o->holds[o->depth - 1]].dirty = true;
}

/* A sub-buffer that a writer or reader still needs must not become empty. */
static void at_kill(struct oracle *o)
{
	u32 level = o->depth - 1;
	u32 sub = o->prepares[level];
	struct oracle_sub *s = &o->subs[sub];
	u32 i;

	if (sub == o->head_sub)
		complain(o, "switch:A makes the head's sub-buffer %u empty", sub);
	for (i = 0; i < s->nr; i++)
		if (o->events[s->claims[i]].state != ORACLE_DONE)
			complain(o, "switch:A makes %u empty under a claim", sub);
	if (s->stamp && o->switches - s->stamp < o->nr_subs / EPITAPH_LEVELS - 1)
		complain(o, "switch:A makes %u empty, begun %llu switches ago", sub,
			 (unsigned long long)(o->switches - s->stamp));
	s->dead = true;
	s->dirty = true;
	s->stamp = 0;
	s->nr = 0;
}

static void at_switch(struct oracle *o)
{
	o->head_sub = o->prepares[o->depth - 1];
	o->head_off = sizeof(struct epitaph_sub);
	o->subs[o->head_sub].stamp = ++o->switches;
}

static void at_close(struct oracle *o)
{
	struct oracle_sub *s = &o->subs[o->holds[o->depth - 1]];

	s->closed = true;
	s->dirty = true;
}

bool oracle_step(struct oracle *o, const char *label)
{
	u32 level = o->depth - 1;

	if (!strcmp(label, "reserve:C")) {
		o->prepares[level] = ORACLE_NONE;
		o->writers[level].saw = o->head_sub;
		o->holds[level] = o->head_sub;
	} else if (!strcmp(label, "reserve:D")) {
		at_take(o);
	} else if (!strcmp(label, "reserve:E")) {
		set_state(o, ORACLE_CLAIMED);
	} else if (!strcmp(label, "commit:B")) {
		set_state(o, ORACLE_DONE);
	} else if (!strcmp(label, "switch:claim")) {
		o->prepares[level] = next_sub(o, level, o->writers[level].saw);
	} else if (!strcmp(label, "switch:A")) {
		at_kill(o);
	} else if (!strcmp(label, "switch:filled")) {
		o->writers[level].pid = o->ring.pid;
	} else if (!strcmp(label, "switch:B")) {
		begin_sub(o, o->prepares[level], o->writers[level].pid);
	} else if (!strcmp(label, "switch:C")) {
		at_switch(o);
	} else if (!strcmp(label, "switch:E")) {
		at_close(o);
	} else if (!strcmp(label, "switch:F")) {
		o->prepares[level] = ORACLE_NONE;
	} else {
		static const char *const others[] = {
			"reserve:A", "reserve:F", "payload", "commit:A",
			"commit:C", "commit:D", "switch:zeroed",
			"switch:D", "count:A", "count:B",
			"end:A", "end:read", "end:B",
		};
		u32 i;

		for (i = 0; i < sizeof(others) / sizeof(*others); i++)
			if (!strcmp(label, others[i]))
				return true;
		return false;
	}
	return true;
}

/* --- the comparison ------------------------------------------------------ */

static void compare_event(struct oracle *o, u32 sub,
			  const struct reader_event *r,
			  const struct oracle_event *e)
{
	u32 i, room = 4 * (r->words - r->before);

	if (r->id != e->id || r->off != e->off || r->words != e->words ||
	    r->level != e->level || r->time != e->time)
		complain(o, "sub %u: id %u off %u words %u level %u time %llx, wanted %u %u %u %u %llx",
			 sub, r->id, r->off, r->words, r->level,
			 (unsigned long long)r->time, e->id, e->off, e->words,
			 e->level, (unsigned long long)e->time);
	if (room < e->bytes || room > e->bytes + 3) {
		complain(o, "sub %u: payload of %u bytes, wanted %u", sub, room,
			 e->bytes);
		return;
	}
	for (i = 0; i < room; i++) {
		u8 want = i < e->bytes ? oracle_byte(e->seed, i) : 0;

		if (r->payload[i] != want) {
			complain(o, "sub %u off %u: byte %u is %02x, wanted %02x",
				 sub, r->off, i, r->payload[i], want);
			return;
		}
	}
}

/* Walks what was read and what was written at the same time. */
static void compare_claims(struct oracle *o, u32 sub)
{
	const struct oracle_sub *s = &o->subs[sub];
	const struct reader_sub *r = o->read[sub];
	u32 events = 0, torn = 0, gaps = 0, i;
	bool gap = false;

	for (i = 0; i < s->nr; i++) {
		const struct oracle_event *e = &o->events[s->claims[i]];

		if (e->state == ORACLE_TAKEN) {
			gap = true;
			continue;
		}
		gaps += gap;
		gap = false;
		if (e->state == ORACLE_DONE) {
			if (events < r->nr_events)
				compare_event(o, sub, &r->events[events], e);
			events++;
		} else {
			if (torn < r->nr_torn &&
			    (r->torn[torn].off != e->off ||
			     r->torn[torn].words != e->words))
				complain(o, "sub %u: a torn event at %u of %u words, wanted %u, %u",
					 sub, r->torn[torn].off,
					 r->torn[torn].words, e->off, e->words);
			torn++;
		}
	}
	gaps += gap && s->closed;
	if (events != r->nr_events || torn != r->nr_torn || gaps != r->nr_gaps)
		complain(o, "sub %u: %u events, %u torn, %u gaps, wanted %u, %u, %u",
			 sub, r->nr_events, r->nr_torn, r->nr_gaps, events,
			 torn, gaps);
}

static void compare_sub(struct oracle *o, u32 sub)
{
	const struct oracle_sub *s = &o->subs[sub];
	struct reader_sub *r = o->read[sub];
	u32 off = sub * o->ring.sub_size;
	enum reader_verdict want = s->dead || !s->ready ? READER_EMPTY :
							  READER_GOOD;
	const char *why;

	reader_sub(r, o->seen + off, o->ring.sub_size, off, o->ring.salt,
		   oracle_words);
	why = second_opinion(r, o->seen + off, o->ring.sub_size, off, o->ring.salt,
			     oracle_words);
	if (why)
		complain(o, "sub %u: the extractor does not agree: %s", sub, why);
	if (r->verdict != want) {
		complain(o, "sub %u: verdict %d (%s), wanted %d", sub,
			 r->verdict, r->why ? r->why : "", want);
		return;
	}
	if (want == READER_EMPTY)
		return;
	if (r->pid != s->pid)
		complain(o, "sub %u: pid %u, wanted %u", sub, r->pid, s->pid);
	if (r->closed != s->closed || (s->closed && r->used != s->used))
		complain(o, "sub %u: closed %d at %u, wanted %d at %u", sub,
			 r->closed, r->used, s->closed, s->used);
	compare_claims(o, sub);
}

static bool has_words(const struct oracle *o, u32 sub)
{
	const struct oracle_sub *s = &o->subs[sub];
	u32 i;

	for (i = 0; i < s->nr; i++)
		if (o->events[s->claims[i]].state != ORACLE_TAKEN)
			return true;
	return false;
}

static u32 begun_by(const struct oracle *o, u64 stamp)
{
	u32 i = 0;

	while (i < o->nr_subs && o->subs[i].stamp != stamp)
		i++;
	return i;
}

/*
 * The newest in which something was stored; then back, one switch at a time,
 * to the first that was made empty again.
 */
static void compare_chain(struct oracle *o)
{
	u32 chain[READER_MAX_SUBS];
	u32 n = reader_chain(o->read, o->nr_subs, chain);
	u64 stamp = o->switches;
	u32 i, sub;

	while (stamp && ((sub = begun_by(o, stamp)) == o->nr_subs ||
			 !has_words(o, sub)))
		stamp--;
	for (i = 0; stamp && (sub = begun_by(o, stamp)) != o->nr_subs; i++) {
		if (i >= n || chain[i] != sub) {
			complain(o, "chain: entry %u of %u is not sub %u, switch %llu",
				 i, n, sub, (unsigned long long)stamp);
			return;
		}
		stamp--;
	}
	if (i != n)
		complain(o, "chain: %u entries, wanted %u", n, i);
}

void oracle_compare(struct oracle *o)
{
	u32 size = o->ring.sub_size;
	bool changed = false;
	u32 i;

	o->points++;
	for (i = 0; i < o->nr_subs; i++) {
		if (!o->subs[i].dirty &&
		    !memcmp(o->seen + i * size, o->ring.data + i * size, size))
			continue;
		memcpy(o->seen + i * size, o->ring.data + i * size, size);
		compare_sub(o, i);
		o->subs[i].dirty = false;
		changed = true;
	}
	if (changed)
		compare_chain(o);
}
