/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One sub-buffer: bytes in, events and a verdict out.  Nothing here knows of
 * files; docs/format.md, "Event", is what it implements.
 */
#ifndef EPITAPH_REGION_SUBBUF_H
#define EPITAPH_REGION_SUBBUF_H

#include <epitaph/format.h>

#include "base/types.h"

#define SUBBUF_MIN		512
#define SUBBUF_MAX		16384
#define IDS_MAX		65536

enum id_state {
	ID_UNKNOWN,		/* not given out */
	ID_KNOWN,
	ID_EMPTY,		/* known, and without payload */
	ID_DAMAGED,		/* its entry does not check: its size is lost */
};

/**
 * struct ids - how long the events of each id are
 * @state: enum id_state
 * @words: of the payload; 0: it varies, unless ID_EMPTY
 * @console: the id of printk:console; 0: there is none
 */
struct ids {
	u8 state[IDS_MAX];
	u16 words[IDS_MAX];
	u32 console;
};

enum subbuf_state {
	SUBBUF_EMPTY,		/* never used, or being made ready */
	SUBBUF_LOST,		/* its header does not check */
	SUBBUF_DAMAGED,		/* its events do not: none of them is certain */
	SUBBUF_GOOD,
};

/**
 * struct subbuf - the verdict on one sub-buffer
 * @seq: from 1, growing along the ring
 * @prev: low half of the predecessor's seq
 * @pid: that ran when this one was begun
 * @time: when it was begun
 * @lost: events of the ring lost until then
 * @seed: of the sums
 * @end: bytes that may hold events: used, or all of it while not closed
 * @closed: nothing more was to come
 * @state: what may be believed
 * @bad_end: the note of where it ends is damaged; the events are not
 * @in_use: there is a word in it
 * @goes_back: an event has a time before that of the one in front of it
 * @why: what is wrong, a constant; NULL if nothing
 * @why_off: at which byte
 * @nr_events: committed, without silent ones; those found before the damage
 *	if SUB_DAMAGED
 * @nr_torn: claimed and not committed
 * @nr_taken: stretches claimed of which nothing was stored
 * @first: time of the first event
 * @last: time of the last event
 * @unproven: by level, the byte of the last event if no sum covers it, else 0
 * @has_console: a line of the console is among its events
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
	u32 unproven[EPITAPH_LEVELS];
	bool has_console;
};

enum subbuf_kind {
	SUBBUF_COMMITTED,
	SUBBUF_TORN,		/* claimed; @words is its length */
	SUBBUF_TAKEN,		/* zeroes before something; @words of them */
	SUBBUF_END,
	SUBBUF_BROKEN,		/* nothing can be made of it; @why */
};

/**
 * struct subbuf_event - what the walk met
 * @off: byte of the sub-buffer
 * @words: of all of it
 * @before: words before the payload
 * @time: of SUB_TORN its upper bits; of SUB_TAKEN that of the one before
 * @is_silent: committed, and no event of anybody's: a pid, what packed events refer to, a
 *	claim without use
 * @unproven: whole, but the writer was stopped before it was in the sum: what
 *	looks like it may be damage
 * @doubtful: the time rests on that of a torn event, which nothing vouches for
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
 * struct subbuf_cursor - how far the walk has come
 * @time: so far
 * @sure: the same, as it would be without the torn events
 */
struct subbuf_cursor {
	u32 off;
	u64 time;
	u64 sure;
};

/**
 * subbuf_check() - tell what one sub-buffer is worth
 * @sub: filled in
 * @data: @size bytes
 * @size: from SUB_MIN to SUB_MAX, a power of two
 * @salt: of the generation
 * @off: of the sub-buffer in its section
 * @ids: sizes of events
 */
void subbuf_check(struct subbuf *sub, const void *data, u32 size, u64 salt, u64 off,
		  const struct ids *ids);

/* subbuf_header() - the same, of the header alone: SUB_GOOD says no more than that it checks */
void subbuf_header(struct subbuf *sub, const void *data, u32 size, u64 salt, u64 off);

struct subbuf_cursor subbuf_begin(const struct subbuf *sub);

/**
 * subbuf_next() - go on to the next event
 * @sub: as subbuf_check() or subbuf_header() left it, with the same @data
 * @cur: moves
 * @ev: what was met; SUB_END and SUB_BROKEN come again
 */
void subbuf_next(const struct subbuf *sub, const void *data, struct subbuf_cursor *cur,
		 const struct ids *ids, struct subbuf_event *ev);

/* subbuf_event_sum() - the sum of a level after the event @ev, SUB_COMMITTED; @before it: from 0 */
u64 subbuf_event_sum(const struct subbuf *sub, const void *data, const struct subbuf_event *ev, u64 before);

/* Is @id that of a packed event? */
static inline bool id_is_packed(u32 id)
{
	return id >= EPITAPH_ID_PACKED && id <= EPITAPH_ID_PACKED_LAST;
}

/* Is @id that of a small event, if there are any? */
static inline bool id_is_small(u32 id)
{
	return id >= EPITAPH_ID_SMALL && id <= EPITAPH_ID_SMALL_LAST;
}

/* ids_of_packed() - the sizes of the ids of docs/packing.md */
void ids_of_packed(struct ids *ids);

#endif
