/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What memory must say.  The oracle follows the writers of one ring by the
 * labels they pass, keeps what they write in memory of its own, and at any
 * label compares that with what ring_reader makes of a copy of ring->data.
 *
 * It looks into struct epitaph_ring for one thing: where the head went when a
 * claim was made.
 */
#ifndef _EPITAPH_RING_ORACLE_H
#define _EPITAPH_RING_ORACLE_H

#include <epitaph/ring.h>

#include "ring_reader.h"

#define ORACLE_MAX_EVENTS	32768	/* of one run */
#define ORACLE_MAX_CLAIMS	READER_MAX_EVENTS
#define ORACLE_NONE		0xffffffffU

enum oracle_state {
	ORACLE_BEGUN,
	ORACLE_TAKEN,		/* passed reserve:D */
	ORACLE_CLAIMED,		/* passed reserve:E */
	ORACLE_DONE,		/* passed commit:B */
};

/* One event, as the writer wanted it. */
struct oracle_event {
	u32 id;
	u32 bytes;
	u32 seed;		/* of the payload */
	u32 level;
	u32 words;		/* of the claim */
	u32 off;		/* in its sub-buffer */
	u64 time;
	enum oracle_state state;
};

struct oracle_sub {
	bool dead;		/* from switch:A to switch:B */
	bool ready;		/* was prepared at least once */
	bool closed;
	bool dirty;		/* not compared since it changed */
	u32 used;		/* where the head left it */
	u32 pid;		/* when it was prepared */
	u64 stamp;		/* number of the switch that began it; 0: not in use */
	u32 nr;
	u32 claims[ORACLE_MAX_CLAIMS];
};

/* A writer that is under way. */
struct oracle_writer {
	u32 event;
	u32 saw;		/* the head's sub-buffer at reserve:B */
	u64 clock;		/* what the clock said last */
	u32 pid;		/* that went into the header it filled in */
};

struct oracle {
	struct epitaph_ring ring;
	u32 nr_subs;
	u32 depth;		/* writers under way */
	struct oracle_writer writers[EPITAPH_LEVELS + 1];
	u32 holds[EPITAPH_LEVELS + 1];	/* sub-buffers, kept as the ring keeps them */
	u32 prepares[EPITAPH_LEVELS + 1];
	u32 head_sub;
	u32 head_off;
	u64 switches;
	u64 clock;
	u64 failures;
	u64 points;		/* labels at which memory was compared */
	u32 nr_events;
	struct oracle_event events[ORACLE_MAX_EVENTS];
	struct oracle_sub subs[READER_MAX_SUBS];
	struct reader_sub *read[READER_MAX_SUBS];
	u8 *seen;		/* the copy of ring.data that was compared last */
};

/**
 * oracle_new() - a ring and its oracle
 * @sub_size: bytes
 * @nr_subs: at most READER_MAX_SUBS
 * @shift: of the clock
 * @stale: fills the memory before the ring is begun; NULL: zeroes
 *
 * Return: to be freed with oracle_free(); NULL if the ring refuses.
 */
struct oracle *oracle_new(u32 sub_size, u32 nr_subs, u32 shift,
			  void (*stale)(u8 *data, u32 size));
void oracle_free(struct oracle *o);

/**
 * oracle_copy() - go back to where a ring was, or keep where it is
 * @to: of the same shape
 * @from: no writer is under way
 */
void oracle_copy(struct oracle *to, const struct oracle *from);

/* Between the two, a writer is under way; @bytes as for the ring. */
void oracle_begin(struct oracle *o, u32 id, u32 bytes, u32 seed);
void oracle_end(struct oracle *o);

/* What one passes crash_point() on to.  Return: the label is known. */
bool oracle_step(struct oracle *o, const char *label);

/* The clock as the writer sees it, noted. */
u64 oracle_clock(struct oracle *o);

/* Compares the memory as it is now.  Complaints go to stdout and @failures. */
void oracle_compare(struct oracle *o);

/* Payload bytes: what a writer stores, and what must come back. */
u8 oracle_byte(u32 seed, u32 i);

/* Payload words of the ids that tests use: 16 + n has n words, n up to 480. */
extern const u16 oracle_words[512];

#endif /* _EPITAPH_RING_ORACLE_H */
