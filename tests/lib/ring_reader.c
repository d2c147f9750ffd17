// SPDX-License-Identifier: GPL-2.0-or-later
/* From docs/format.md, with numbers where the recorder has names. */
#include <stddef.h>
#include <string.h>

#include "ring_reader.h"

#define SUB_HEADER	96
#define NR_LEVELS	5

/* In a form that compilers know for one load. */
static uint32_t le32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t le64(const uint8_t *p)
{
	return le32(p) | (uint64_t)le32(p + 4) << 32;
}

static uint64_t mix(uint64_t h, uint64_t w)
{
	h ^= w;
	h = h << 32 | h >> 32;
	h *= 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 29;
}

static uint64_t header_check(const uint8_t *data, uint64_t seed)
{
	uint64_t h = seed ^ 32;
	int i;

	for (i = 0; i < 4; i++)
		h = mix(h, le64(data + 8 * i));
	return h ^ h >> 32;
}

/* Of a byte with so many behind it. */
static uint32_t crc_of_byte[4][256];

__attribute__((constructor)) static void make_crc_tables(void)
{
	uint32_t i, bit, behind, rest;

	for (i = 0; i < 256; i++) {
		for (rest = i, bit = 0; bit < 8; bit++)
			rest = rest >> 1 ^ (rest & 1 ? 0x82f63b78 : 0);
		crc_of_byte[0][i] = rest;
	}
	for (behind = 1; behind < 4; behind++)
		for (i = 0; i < 256; i++) {
			rest = crc_of_byte[behind - 1][i];
			crc_of_byte[behind][i] = rest >> 8 ^ crc_of_byte[0][rest & 0xff];
		}
}

/* CRC-32C of four bytes more. */
static uint32_t crc32c(uint32_t crc, uint32_t word)
{
	crc ^= word;
	return crc_of_byte[3][crc & 0xff] ^ crc_of_byte[2][crc >> 8 & 0xff] ^
	       crc_of_byte[1][crc >> 16 & 0xff] ^ crc_of_byte[0][crc >> 24];
}

/* What walking needs to know and what it finds out. */
struct walk {
	struct reader_sub *sub;
	const uint8_t *data;
	const uint16_t *words;
	uint64_t check;
	uint64_t time;
	uint32_t size;
	uint32_t off;
	uint64_t sum[NR_LEVELS];
	uint64_t before[NR_LEVELS];	/* the sum before the last event */
};

static uint32_t word_at(const struct walk *w, uint32_t off)
{
	return le32(w->data + off);
}

static uint64_t sum_of(const struct walk *w, uint32_t words, uint64_t before)
{
	uint32_t crc = before, i;

	for (i = 0; i < words; i++)
		crc = crc32c(crc, word_at(w, w->off + 4 * i));
	return crc;
}

/* The first time not before @time that has @value in its bits @lo .. @hi - 1. */
static uint64_t forward(uint64_t time, uint64_t value, int lo, int hi)
{
	uint64_t period = 1ULL << hi;
	uint64_t t = (time & ~(period - 1)) | value << lo;

	if (time >> lo == t >> lo)
		return time;
	return t < time ? t + period : t;
}

/* The time nearest to @time whose low 52 bits are @value. */
static uint64_t nearest(uint64_t time, uint64_t value)
{
	uint64_t t = forward(time, value, 0, 52);

	return t - time > 1ULL << 51 ? t - (1ULL << 52) : t;
}

static const char *read_torn(struct walk *w)
{
	uint32_t word = word_at(w, w->off);
	uint32_t words = word >> 11 & 0xfff;
	struct reader_sub *sub = w->sub;

	if (!words || w->off + 4 * words >= w->size)
		return "a claim longer than the sub-buffer";
	if (sub->nr_torn == READER_MAX_TORN)
		return "too many claims";
	w->time = forward(w->time, word & 0x7ff, 9, 20);
	sub->torn[sub->nr_torn++] = (struct reader_torn){ w->off, words };
	w->off += 4 * words;
	return NULL;
}

static const char *read_length(struct walk *w, struct reader_event *e)
{
	uint32_t word = word_at(w, w->off);

	e->id = word >> 23;
	e->before = 1;
	if (e->id == 1 || e->id == 2) {
		e->before = e->id + 1;
		if (w->off + 4 * e->before >= w->size)
			return "a header past the end";
		e->id = word_at(w, w->off + 4) & 0xffff;
		e->words = word_at(w, w->off + 4) >> 16;
	} else if (!w->words[e->id]) {
		return "an unknown id";
	} else {
		e->words = 1 + (w->words[e->id] == READER_NO_WORDS ? 0 : w->words[e->id]);
	}
	if (e->words < e->before || w->off + 4 * e->words >= w->size)
		return "an event longer than the sub-buffer";
	return NULL;
}

static const char *read_event(struct walk *w)
{
	struct reader_event *e = &w->sub->events[w->sub->nr_events];
	uint32_t word = word_at(w, w->off);
	uint64_t low = word & 0xfffff;
	const char *why = read_length(w, e);

	if (why)
		return why;
	e->level = word >> 20 & 7;
	if (e->level >= NR_LEVELS)
		return "a level that does not exist";
	if (e->before == 3)
		low |= (uint64_t)word_at(w, w->off + 8) << 20;
	w->time = e->before == 3 ? nearest(w->time, low) :
				   forward(w->time, low, 0, 20);
	e->time = w->time;
	e->off = w->off;
	e->payload = w->data + w->off + 4 * e->before;
	w->before[e->level] = w->sum[e->level];
	w->sum[e->level] = sum_of(w, e->words, w->sum[e->level]);
	e->sum = w->sum[e->level];
	w->off += 4 * e->words;
	w->sub->nr_events++;
	return NULL;
}

static const char *walk(struct walk *w)
{
	struct reader_sub *sub = w->sub;

	for (;;) {
		uint32_t from = w->off;
		const char *why;

		while (w->off < w->size && !word_at(w, w->off))
			w->off += 4;
		if (w->off == w->size) {
			w->off = from;
			return NULL;
		}
		sub->nr_gaps += w->off > from;
		why = word_at(w, w->off) >> 23 ? read_event(w) : read_torn(w);
		if (why)
			return why;
	}
}

static const char *check_used(const struct walk *w)
{
	struct reader_sub *sub = w->sub;
	uint32_t used = le32(w->data + 40);
	uint32_t not = le32(w->data + 44);

	sub->closed = used == (uint32_t)~not;
	if (!sub->closed)
		return NULL;
	sub->used = used;
	if (used < w->off || used >= w->size)
		return "used is not where the events end";
	sub->nr_gaps += used > w->off;
	return NULL;
}

static const char *check_sums(const struct walk *w)
{
	int i;

	for (i = 0; i < NR_LEVELS; i++) {
		uint64_t sum = le64(w->data + 56 + 8 * i);

		if (sum != w->sum[i] && sum != w->before[i])
			return "a sum does not hold";
	}
	return NULL;
}

void reader_sub(struct reader_sub *sub, const uint8_t *data, uint32_t size,
		uint32_t off, uint64_t salt, const uint16_t *words)
{
	struct walk w = {
		.sub = sub, .data = data, .words = words, .size = size,
		.off = SUB_HEADER, .check = le64(data + 32),
	};

	int i;

	memset(sub, 0, offsetof(struct reader_sub, events));
	for (i = 0; i < NR_LEVELS; i++)
		w.sum[i] = w.before[i] = sub->first_sum = (uint32_t)w.check;
	if (!w.check) {
		sub->verdict = READER_EMPTY;
		return;
	}
	sub->verdict = READER_DAMAGED;
	sub->why = "its header's check does not hold";
	if (w.check != header_check(data, salt ^ off))
		return;
	sub->seq = le64(data);
	sub->prev = le32(data + 8);
	sub->pid = le32(data + 12);
	w.time = sub->time = le64(data + 16);
	sub->lost = le64(data + 24);
	sub->why = walk(&w);
	if (!sub->why)
		sub->why = check_used(&w);
	if (!sub->why)
		sub->why = check_sums(&w);
	if (!sub->why)
		sub->verdict = READER_GOOD;
}

/* Events come in the order in which the sum ran over them. */
static bool level_vouched(const struct reader_sub *sub, uint32_t level,
			  uint64_t want, bool *vouched)
{
	bool found = want == sub->first_sum;
	uint32_t i = sub->nr_events;

	while (i--) {
		if (sub->events[i].level != level)
			continue;
		found = found || sub->events[i].sum == want;
		vouched[i] = found && want != sub->first_sum;
	}
	return found;
}

bool reader_vouched(const struct reader_sub *sub, const uint8_t *data,
		    bool *vouched)
{
	uint32_t i;

	memset(vouched, 0, sub->nr_events);
	for (i = 0; i < NR_LEVELS; i++)
		if (!level_vouched(sub, i, le64(data + 56 + 8 * i), vouched))
			return false;
	return true;
}

static bool find_seq(struct reader_sub *const *subs, uint32_t nr, uint32_t low,
		     uint64_t before, uint32_t *ret)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		if (subs[i]->verdict == READER_GOOD && subs[i]->seq < before &&
		    (uint32_t)subs[i]->seq == low) {
			*ret = i;
			return true;
		}
	}
	return false;
}

uint32_t reader_chain(struct reader_sub *const *subs, uint32_t nr,
		      uint32_t *chain)
{
	uint32_t n = 0, i, at = nr;

	for (i = 0; i < nr; i++)
		if (subs[i]->verdict == READER_GOOD &&
		    subs[i]->nr_events + subs[i]->nr_torn &&
		    (at == nr || subs[i]->seq > subs[at]->seq))
			at = i;
	if (at == nr)
		return 0;
	do
		chain[n++] = at;
	while (find_seq(subs, nr, subs[at]->prev, subs[at]->seq, &at));
	return n;
}
