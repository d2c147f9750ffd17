/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes one sub-buffer: bytes in, events and a verdict out. See docs/format.md, "Event". */
#ifndef EPITAPH_REGION_SUBBUF_H
#define EPITAPH_REGION_SUBBUF_H

#include <epitaph/format.h>

#include "base/types.h"

#define SUBBUF_MIN		512
#define SUBBUF_MAX		65536
#define IDS_MAX		65536

enum id_state {
	ID_UNKNOWN,		/* not assigned */
	ID_KNOWN,
	ID_EMPTY,		/* known, without payload */
	ID_DAMAGED,		/* assigned, but its entry is damaged: the size is unknown */
};

/**
 * struct ids - what a generation says of its events: the length of those of each id
 * @state: enum id_state
 * @words: of the payload; 0: variable, unless ID_EMPTY
 * @console: the id of printk:console; 0: none
 * @crc: their sums are as EPITAPH_INCOMPAT_CRC says
 */
struct ids {
	u8 state[IDS_MAX];
	u16 words[IDS_MAX];
	u32 console;
	bool crc;
};

enum subbuf_state {
	SUBBUF_EMPTY,		/* never used, or being made ready */
	SUBBUF_LOST,		/* the header is damaged */
	SUBBUF_DAMAGED,		/* an event is damaged: none of the events is certain */
	SUBBUF_GOOD,
};

/**
 * struct subbuf - the verdict on one sub-buffer
 * @seq: from 1, growing along the ring
 * @prev: low half of the predecessor's seq
 * @pid: the running thread when this sub-buffer was begun
 * @time: the time when this sub-buffer was begun
 * @lost: events of the ring lost until @time
 * @seed: of the sums: the check of the header
 * @end: bytes that may hold events: the used bytes, or all bytes while not closed
 * @closed: the writer has finished the sub-buffer
 * @state: see enum subbuf_state
 * @bad_end: the recorded end is damaged; the events are not
 * @in_use: not empty
 * @goes_back: the time of an event is before that of its predecessor
 * @why: the damage, a constant string; NULL if there is none
 * @why_off: offset of the damage
 * @nr_events: committed events without the silent ones; of SUBBUF_DAMAGED, those before the
 *	damage
 * @nr_torn: events claimed and not committed
 * @nr_taken: claimed stretches that are still zero
 * @first: time of the first event
 * @last: time of the last event
 * @least, @most: of its own time and those of all events, torn ones too
 * @unproven: by level, the offset of the last event if no sum covers it, else 0
 * @has_console: the sub-buffer contains a console line
 */
struct subbuf {
	u64 seq;
	u32 prev;
	u32 pid;
	u64 time;
	u64 lost;
	u64 seed;
	u32 end;
	bool closed;
	enum subbuf_state state;
	bool bad_end;
	bool in_use;
	bool goes_back;
	const char *why;
	u32 why_off;
	u32 nr_events;
	u32 nr_torn;
	u32 nr_taken;
	u64 first;
	u64 last;
	u64 least;
	u64 most;
	u32 unproven[EPITAPH_LEVELS];
	bool has_console;
};

enum subbuf_kind {
	SUBBUF_COMMITTED,
	SUBBUF_TORN,		/* claimed; @words is its length */
	SUBBUF_TAKEN,		/* @words zero words before an event */
	SUBBUF_END,
	SUBBUF_BROKEN,		/* invalid; see @why */
};

/**
 * struct subbuf_event - one step of a walk along a sub-buffer
 * @off: offset in the sub-buffer
 * @words: length of the whole event
 * @before: words before the payload
 * @time: of SUBBUF_TORN, only the upper bits; of SUBBUF_TAKEN, the time of its predecessor
 * @is_silent: committed, but internal to the format: a pid, a definition for packed events, an
 *	unused claim
 * @unproven: whole, but no sum covers it: the writer was stopped, or this is damage
 * @doubtful: @time depends on a torn event, which no sum covers
 */
struct subbuf_event {
	enum subbuf_kind kind;
	u32 off;
	u32 words;
	u32 before;
	u32 id;
	u32 level;
	u64 time;
	bool is_silent;
	bool unproven;
	bool doubtful;
	const char *why;
};

/**
 * struct subbuf_cursor - the position of a walk
 * @time: of the last event
 * @sure: the same, computed without the torn events
 */
struct subbuf_cursor {
	u32 off;
	u64 time;
	u64 sure;
};

/**
 * subbuf_check() - verify one sub-buffer with all its events
 * @sub: filled in
 * @data: @size bytes
 * @size: from SUBBUF_MIN to SUBBUF_MAX, a power of two
 * @salt: of the generation
 * @off: of the sub-buffer in its section
 * @ids: sizes of events
 */
void subbuf_check(struct subbuf *sub, const void *data, u32 size, u64 salt, u64 off,
		  const struct ids *ids);

/* As subbuf_check(), but verifies only the header: SUBBUF_GOOD says nothing about the events. */
void subbuf_header(struct subbuf *sub, const void *data, u32 size, u64 salt, u64 off);

struct subbuf_cursor subbuf_begin(const struct subbuf *sub);

/**
 * subbuf_next() - go on to the next event
 * @sub: as subbuf_check() or subbuf_header() left it, with the same @data
 * @cur: moves
 * @ev: filled in; after SUBBUF_END or SUBBUF_BROKEN the next call gives the same again
 */
void subbuf_next(const struct subbuf *sub, const void *data, struct subbuf_cursor *cur,
		 const struct ids *ids, struct subbuf_event *ev);

/* The sum of a level without events. */
static inline u64 subbuf_first_sum(const struct subbuf *sub, const struct ids *ids)
{
	return ids->crc ? (u32)sub->seed : 0;
}

/* The sum of a level after the committed event @ev. @before: the sum in front of @ev. */
u64 subbuf_event_sum(const struct subbuf *sub, const void *data, const struct ids *ids,
		     const struct subbuf_event *ev, u64 before);

/* The sum of a level as it is in @data, of which the header is enough. */
u64 subbuf_stored_sum(const void *data, u32 level);

/* Do the sums speak of an event? @data: the header is enough. */
bool subbuf_has_sum(const struct subbuf *sub, const void *data, const struct ids *ids);

/* Takes all events out of @data, and the sums and the end with them. */
void subbuf_empty(const struct subbuf *sub, void *data, u32 size, const struct ids *ids);

/* Is @id the id of a packed event? */
static inline bool id_is_packed(u32 id)
{
	return id >= EPITAPH_ID_PACKED && id <= EPITAPH_ID_PACKED_LAST;
}

/* Is @id the id of a small event, if the generation has any? */
static inline bool id_is_small(u32 id)
{
	return id >= EPITAPH_ID_SMALL && id <= EPITAPH_ID_SMALL_LAST;
}

/* Sets the sizes of the ids that docs/packing.md defines. */
void ids_of_packed(struct ids *ids);

#endif
