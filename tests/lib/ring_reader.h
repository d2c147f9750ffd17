/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of rings for tests: written from docs/format.md, and sharing no
 * code with the recorder or the extractor, so that it shares no mistake with
 * them either.  It sees bytes and nothing else.
 */
#ifndef _EPITAPH_RING_READER_H
#define _EPITAPH_RING_READER_H

#include <stdbool.h>
#include <stdint.h>

#define READER_MAX_SUBS		128
#define READER_MAX_EVENTS	4096	/* of a sub-buffer of 16 KiB */
#define READER_NO_WORDS 0xffff
#define READER_MAX_TORN		64

struct reader_event {
	uint32_t off;		/* of the first word in the sub-buffer */
	uint32_t words;		/* all of it */
	uint32_t before;	/* words before the payload */
	uint32_t id;
	uint32_t level;
	uint64_t time;
	uint64_t sum;		/* of its level, behind it */
	const uint8_t *payload;
};

struct reader_torn {
	uint32_t off;
	uint32_t words;
};

enum reader_verdict {
	READER_EMPTY,		/* its check is 0 */
	READER_DAMAGED,		/* @why says how */
	READER_GOOD,
};

struct reader_sub {
	enum reader_verdict verdict;
	const char *why;
	uint64_t seq;
	uint64_t time;
	uint64_t lost;
	uint64_t first_sum;	/* of a level without events */
	uint32_t prev;
	uint32_t pid;
	bool closed;
	uint32_t used;		/* if closed */
	uint32_t nr_events;
	uint32_t nr_torn;
	uint32_t nr_gaps;	/* runs of zeroes before something, or before @used */
	struct reader_event events[READER_MAX_EVENTS];
	struct reader_torn torn[READER_MAX_TORN];
};

/**
 * reader_sub() - read one sub-buffer
 * @sub: filled in; its payloads point into @data
 * @data: of @size bytes
 * @size: of the sub-buffer
 * @off: of the sub-buffer in its section
 * @salt: of the generation
 * @words: payload words by id, up to 511; 0: no such id, or it varies; READER_NO_WORDS: there are none
 */
void reader_sub(struct reader_sub *sub, const uint8_t *data, uint32_t size,
		uint32_t off, uint64_t salt, const uint16_t *words);

/**
 * reader_vouched() - which events of a copy the sums speak of
 * @sub: read from @data, which was copied while a writer went on: the sums
 *	first, then the events; its verdict may be READER_DAMAGED
 * @data: as for reader_sub()
 * @vouched: filled in: for each of @sub's events, whether they do
 *
 * Return: the sums of all levels are those of some of their first events.
 */
bool reader_vouched(const struct reader_sub *sub, const uint8_t *data,
		    bool *vouched);

/**
 * reader_chain() - the sub-buffers that were in use one after the other
 * @subs: of one ring, read
 * @nr: of them
 * @chain: filled in with indices, the newest first
 *
 * Return: the number of entries in @chain.
 */
uint32_t reader_chain(struct reader_sub *const *subs, uint32_t nr,
		      uint32_t *chain);

#endif /* _EPITAPH_RING_READER_H */
