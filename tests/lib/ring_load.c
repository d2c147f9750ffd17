// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <epitaph/ring_fast.h>

#include "ring_load.h"

#define SHORT_ID	(EPITAPH_ID_FIRST + 2)	/* two words, always */
#define LONG_ID		600
#define PEEK_TRIES	1000

static const u16 words_of[512] = { [SHORT_ID] = 2 };

static u32 mixed(u32 context, u32 number, u32 i)
{
	u32 x = number * 0x9e3779b9U ^ context << 28 ^ i * 0x85ebca6bU;

	x ^= x >> 16;
	x *= 0x7feb352dU;
	x ^= x >> 15;
	x *= 0x846ca68bU;
	return x ^ x >> 16;
}

/* Words of the payload; every fourth event is a long one. */
static u32 words_wanted(u32 context, u32 number)
{
	u32 x = mixed(context, number, 99);

	return x & 3 ? 2 : 2 + (x >> 8) % 14;
}

static u32 word_wanted(u32 context, u32 number, u32 i)
{
	return i ? mixed(context, number, i) : context << 28 | number;
}

/* The first complaint stays. */
static void complain(char *why, const char *fmt, ...)
{
	va_list ap;

	if (why[0])
		return;
	va_start(ap, fmt);
	vsnprintf(why, LOAD_WHY, fmt, ap);
	va_end(ap);
}

struct load *load_new(u32 sub_size, u32 nr_subs)
{
	struct load *l = calloc(1, sizeof(*l));
	u32 i;

	l->nr_subs = nr_subs;
	l->ring.size = nr_subs * sub_size;
	l->ring.sub_size = sub_size;
	l->ring.salt = 0x10ad;
	l->ring.data = aligned_alloc(sub_size, l->ring.size);
	l->ring.counters = calloc(1, sizeof(*l->ring.counters));
	l->copy = calloc(1, l->ring.size);
	l->subs = calloc(nr_subs, sizeof(*l->subs));
	for (i = 0; i < nr_subs; i++)
		l->subs[i].read = calloc(1, sizeof(*l->subs[i].read));
	memset(l->ring.data, 0x5a, l->ring.size);
	if (epitaph_ring_init(&l->ring))
		abort();
	return l;
}

void load_free(struct load *l)
{
	u32 i;

	for (i = 0; i < l->nr_subs; i++)
		free(l->subs[i].read);
	free(l->subs);
	free(l->copy);
	free(l->ring.counters);
	free(l->ring.data);
	free(l);
}

void load_copy(struct load *to, const struct load *from)
{
	struct epitaph_ring own = to->ring;

	memcpy(own.data, from->ring.data, own.size);
	*own.counters = *from->ring.counters;
	to->ring = from->ring;
	to->ring.data = own.data;
	to->ring.counters = own.counters;
	memcpy(to->begun, from->begun, sizeof(to->begun));
	memcpy(to->done, from->done, sizeof(to->done));
}

static void fill(u32 *to, u32 words, u32 context, u32 number)
{
	u32 i;

	for (i = 0; i < words; i++)
		to[i] = word_wanted(context, number, i);
}

static void write_short(struct load *l, u32 context, u32 number)
{
	struct epitaph_fast fast;
	struct epitaph_rec rec;

	if (epitaph_fast_claim(&l->ring, &fast, 3)) {
		fill(fast.w + 1, 2, context, number);
		epitaph_fast_commit(&l->ring, &fast, SHORT_ID << EPITAPH_ID_SHIFT, 3);
	} else {
		fill(epitaph_ring_reserve(&l->ring, &rec, SHORT_ID, 8, false), 2, context, number);
		epitaph_ring_commit(&rec);
	}
}

static void write_long(struct load *l, u32 words, u32 context, u32 number)
{
	struct epitaph_rec rec;

	fill(epitaph_ring_reserve(&l->ring, &rec, LONG_ID, words * 4, true),
	     words, context, number);
	epitaph_ring_commit(&rec);
}

void load_write(struct load *l, u32 context)
{
	u32 number = l->begun[context];
	u32 words = words_wanted(context, number);

	WRITE_ONCE(l->begun[context], number + 1);
	barrier();
	if (words == 2)
		write_short(l, context, number);
	else
		write_long(l, words, context, number);
	barrier();
	WRITE_ONCE(l->done[context], number + 1);
}

static bool event_is_right(char *why, const struct reader_event *e,
			   u32 *context, u32 *number)
{
	const u32 *payload = (const u32 *)e->payload;
	u32 words = e->words - e->before;
	u32 i;

	*context = payload[0] >> 28;
	*number = payload[0] & 0xfffffff;
	if (*context >= LOAD_CONTEXTS || words != words_wanted(*context, *number) ||
	    e->id != (words == 2 ? SHORT_ID : LONG_ID)) {
		complain(why, "context %u number %u: id %u, %u words", *context,
			 *number, e->id, words);
		return false;
	}
	for (i = 1; i < words; i++) {
		if (payload[i] != word_wanted(*context, *number, i)) {
			complain(why, "context %u number %u: word %u is wrong",
				 *context, *number, i);
			return false;
		}
	}
	return true;
}

/* Within a sub-buffer, the numbers of a context follow one another. */
static void append(struct load *l, struct load_run *run, u32 context, u32 number)
{
	if (run->first == LOAD_NONE)
		run->first = number;
	else if (number != run->last + 1)
		complain(l->why, "context %u: number %u after %u", context, number,
			 run->last);
	run->last = number;
}

static void read_sub(struct load *l, u32 i)
{
	struct load_sub *s = &l->subs[i];
	u32 size = l->ring.sub_size;
	u32 j, context, number;

	for (j = 0; j < LOAD_CONTEXTS; j++)
		s->runs[j].first = LOAD_NONE;
	reader_sub(s->read, l->copy + i * size, size, i * size, l->ring.salt, words_of);
	if (s->read->verdict == READER_DAMAGED)
		complain(l->why, "sub-buffer %u: %s", i, s->read->why);
	if (s->read->verdict != READER_GOOD)
		return;
	for (j = 0; j < s->read->nr_events; j++)
		if (event_is_right(l->why, &s->read->events[j], &context, &number))
			append(l, &s->runs[context], context, number);
	l->torn += s->read->nr_torn;
}

/* From the oldest of the chain to the newest, and then what was done since. */
static void compare_context(struct load *l, u32 context, const u32 *chain, u32 n)
{
	u32 begun = l->begun[context], done = l->done[context];
	u32 next = LOAD_NONE;

	while (n--) {
		const struct load_run *run = &l->subs[chain[n]].runs[context];

		if (run->first == LOAD_NONE)
			continue;
		if (next != LOAD_NONE && run->first != next)
			complain(l->why, "context %u: number %u, wanted %u", context,
				 run->first, next);
		next = run->last + 1;
	}
	if (next != LOAD_NONE && (next < done || next > begun))
		complain(l->why, "context %u: ends with %u, %u begun, %u done", context,
			 next, begun, done);
}

bool load_compare(struct load *l)
{
	struct reader_sub *read[READER_MAX_SUBS];
	u32 chain[READER_MAX_SUBS];
	u32 size = l->ring.sub_size;
	u32 i, n, torn = 0, open = 0;

	l->points++;
	for (i = 0; i < l->nr_subs; i++) {
		read[i] = l->subs[i].read;
		if (!memcmp(l->copy + i * size, l->ring.data + i * size, size))
			continue;
		memcpy(l->copy + i * size, l->ring.data + i * size, size);
		read_sub(l, i);
	}
	n = reader_chain(read, l->nr_subs, chain);
	for (i = 0; i < l->nr_subs; i++)
		torn += read[i]->verdict == READER_GOOD ? read[i]->nr_torn : 0;
	for (i = 0; i < LOAD_CONTEXTS; i++) {
		compare_context(l, i, chain, n);
		open += l->begun[i] - l->done[i];
	}
	if (torn > open)
		complain(l->why, "%u torn events, %u begun and not done", torn, open);
	return !l->why[0];
}

/*
 * The race that is meant: words of a ring are loaded while they are stored.
 * In this order, so that the sums are older than the events.
 */
static noinline __attribute__((no_sanitize("thread"))) void copy_words(u8 *to, const u8 *from, u32 size)
{
	u32 i;

	for (i = 0; i < size; i += 8)
		*(u64 *)(to + i) = *(const volatile u64 *)(from + i);
}

static bool peek_once(struct load *l, u32 i, u8 *copy, struct reader_sub *sub,
		      bool *vouched)
{
	u32 size = l->ring.sub_size;
	u8 again[sizeof(struct epitaph_sub)];

	copy_words(copy, l->ring.data + i * size, size);
	copy_words(again, l->ring.data + i * size, sizeof(again));
	if (memcmp(copy + 32, again + 32, 8))
		return false;
	reader_sub(sub, copy, size, i * size, l->ring.salt, words_of);
	if (sub->verdict == READER_EMPTY)
		return true;
	return sub->seq && reader_vouched(sub, copy, vouched);
}

void load_peek(struct load *l, u8 *copy, struct reader_sub *sub)
{
	bool vouched[READER_MAX_EVENTS];
	u32 i, j, tries, context, number;

	for (i = 0; i < l->nr_subs; i++) {
		for (tries = 0; tries < PEEK_TRIES; tries++)
			if (peek_once(l, i, copy, sub, vouched))
				break;
		l->retries += tries;
		if (tries == PEEK_TRIES)
			complain(l->peek_why, "sub-buffer %u never comes to rest: %s", i,
				 sub->why ? sub->why : "");
		for (j = 0; tries < PEEK_TRIES && j < sub->nr_events; j++)
			if (vouched[j])
				l->events += event_is_right(l->peek_why, &sub->events[j],
							    &context, &number);
	}
}
