// SPDX-License-Identifier: GPL-2.0-or-later
#include "subbuf.h"

#include <endian.h>
#include <string.h>

#include <epitaph/crc32c.h>

#include "base/checksum.h"

#define SUBBUF_BEGIN	((u32)sizeof(struct epitaph_sub))

#ifdef __x86_64__
#define HAS_CRC32	__builtin_cpu_supports("sse4.2")
#else
#define HAS_CRC32	false
#endif

static u32 subbuf_word(const void *data, u32 off)
{
	u32 word;

	memcpy(&word, (const u8 *)data + off, sizeof(word));
	return le32toh(word);
}

/* The first offset from @off on whose word is not zero, or @end. */
static u32 skip_zeroes(const void *data, u32 off, u32 end)
{
	while (off < end && !subbuf_word(data, off))
		off += 4;
	return off;
}

/* The next time from @time on with @low in its low @bits. */
static u64 unwrap(u64 time, u64 low, u32 bits)
{
	return time + ((low - time) & ((1ULL << bits) - 1));
}

/* The time nearest to @time with @low in its low 52 bits: the clock may have gone back. */
static u64 unwrap_full(u64 time, u64 low)
{
	u64 ahead = (low - time) & ((1ULL << 52) - 1);

	if (ahead < 1ULL << 51)
		return time + ahead;
	ahead = (1ULL << 52) - ahead;
	return time > ahead ? time - ahead : 0;
}

static bool end_is_plausible(u32 used, u32 size)
{
	return used >= SUBBUF_BEGIN && used < size && used % 4 == 0;
}

void subbuf_header(struct subbuf *sub, const void *data, u32 size, u64 salt, u64 off)
{
	struct epitaph_sub raw;
	u32 used, used_not;
	u64 check;

	memset(sub, 0, sizeof(*sub));
	memcpy(&raw, data, sizeof(raw));
	check = le64toh(raw.check);
	if (!check) {
		sub->state = SUBBUF_EMPTY;
		return;
	}
	if (!checksum_ok(checksum(salt ^ off, &raw, offsetof(struct epitaph_sub, check)), check)) {
		sub->state = SUBBUF_LOST;
		sub->why = "its header does not check";
		return;
	}
	sub->state = SUBBUF_GOOD;
	sub->seq = le64toh(raw.seq);
	sub->prev = le32toh(raw.prev);
	sub->pid = le32toh(raw.pid);
	sub->time = le64toh(raw.time);
	sub->lost = le64toh(raw.lost);
	sub->seed = check;
	sub->first = sub->last = sub->least = sub->most = sub->time;
	/*
	 * order:later is after the end: all stores of the CPU before some moment that it has shown.
	 * The end counts only with its complement. A writer that stopped before the second store,
	 * or before both, leaves the end unknown; any other value is damage.
	 */
	used = le32toh(raw.used);
	used_not = le32toh(raw.used_not);
	sub->end = size;
	if (used_not == ~used && end_is_plausible(used, size)) {
		sub->end = used;
		sub->closed = true;
	} else if (used_not || (used && !end_is_plausible(used, size))) {
		sub->bad_end = true;
	}
}

struct subbuf_cursor subbuf_begin(const struct subbuf *sub)
{
	return (struct subbuf_cursor){ .off = SUBBUF_BEGIN, .time = sub->time,
				    .sure = sub->time };
}

static void broken(struct subbuf_event *ev, const char *why)
{
	ev->kind = SUBBUF_BROKEN;
	ev->why = why;
}

/* Reads the second word, and the third, of an event with an explicit length. */
static void read_long_header(const struct subbuf *sub, const void *data,
			     struct subbuf_event *ev, u32 word)
{
	u32 second;

	ev->before = ev->id == EPITAPH_ID_LONG ? 2 : 3;
	if (ev->off + ev->before * 4 > sub->end)
		return broken(ev, "an event runs over the end");
	second = subbuf_word(data, ev->off + 4);
	ev->words = second >> 16;
	if (ev->before == 3)
		ev->time = unwrap_full(ev->time,
				       (u64)subbuf_word(data, ev->off + 8) << EPITAPH_TIME_BITS |
				       (word & ((1U << EPITAPH_TIME_BITS) - 1)));
	ev->id = second & 0xffff;
	if (ev->words < ev->before)
		broken(ev, "an event is shorter than its header");
}

/* Sets or verifies @ev->words by the size of its kind. An explicit length has set it before. */
static void check_event_size(struct subbuf_event *ev, const struct ids *ids)
{
	bool varies = false;
	u32 words = 1;

	if (ev->id != EPITAPH_ID_PID) {
		if (ids->state[ev->id] == ID_DAMAGED)
			return broken(ev, "the size of an event's kind is lost");
		if (ids->state[ev->id] == ID_UNKNOWN)
			return broken(ev, "an event of a kind that was not given out");
		words = ids->words[ev->id];
		varies = !words && ids->state[ev->id] != ID_EMPTY;
	}
	if (!ev->words && varies)
		return broken(ev, "an event of no certain length");
	if (ev->words && !varies && ev->words != ev->before + words)
		return broken(ev, "an event has not the size of its kind");
	if (!ev->words)
		ev->words = ev->before + words;
}

static void read_event(const struct subbuf *sub, const void *data,
		       struct subbuf_event *ev, u32 word, const struct ids *ids)
{
	ev->kind = SUBBUF_COMMITTED;
	ev->id = word >> EPITAPH_ID_SHIFT;
	ev->level = word >> EPITAPH_LEVEL_SHIFT & EPITAPH_LEVEL_MASK;
	ev->before = 1;
	ev->words = 0;
	if (ev->level >= EPITAPH_LEVELS)
		return broken(ev, "an event of a level that there is not");
	if (ev->id != EPITAPH_ID_LONG_TIME)
		ev->time = unwrap(ev->time, word, EPITAPH_TIME_BITS);
	if (ev->id == EPITAPH_ID_LONG || ev->id == EPITAPH_ID_LONG_TIME)
		read_long_header(sub, data, ev, word);
	if (ev->kind == SUBBUF_COMMITTED)
		check_event_size(ev, ids);
}

static bool is_silent_event(const void *data, u32 id, u32 payload)
{
	return id_is_packed(id) ? !((const u8 *)data)[payload] : id < EPITAPH_ID_FIRST;
}

/*
 * The words of the event at @off, if its first word alone says so, as nearly all do; else 0. The last
 * word of an open sub-buffer is zero: no event reaches its end.
 */
static inline u32 plain_words(const struct subbuf *sub, const struct ids *ids, u32 word, u32 off)
{
	u32 id = word >> EPITAPH_ID_SHIFT, words = ids->words[id] + 1;
	bool is_plain = id >= EPITAPH_ID_PACKED &&
			(ids->state[id] == ID_EMPTY || (ids->state[id] == ID_KNOWN && words > 1)) &&
			(word >> EPITAPH_LEVEL_SHIFT & EPITAPH_LEVEL_MASK) < EPITAPH_LEVELS &&
			words * 4 <= sub->end - off - (sub->closed ? 0 : 4);

	return is_plain ? words : 0;
}

static inline void next_plain(const struct subbuf *sub, const void *data, struct subbuf_cursor *cur,
			      struct subbuf_event *ev, u32 word, u32 words)
{
	u32 id = word >> EPITAPH_ID_SHIFT, level = word >> EPITAPH_LEVEL_SHIFT & EPITAPH_LEVEL_MASK;
	u64 time = unwrap(cur->time, word, EPITAPH_TIME_BITS);

	cur->sure = unwrap(cur->sure, word, EPITAPH_TIME_BITS);
	*ev = (struct subbuf_event){
		.kind = SUBBUF_COMMITTED, .off = cur->off, .words = words, .before = 1, .id = id, .level = level,
		.time = time, .is_silent = is_silent_event(data, id, cur->off + 4),
		.unproven = sub->unproven[level] == cur->off, .doubtful = cur->sure != time,
	};
	cur->off += words * 4;
	cur->time = time;
}

void subbuf_next(const struct subbuf *sub, const void *data, struct subbuf_cursor *cur,
		 const struct ids *ids, struct subbuf_event *ev)
{
	u32 word, words;

	if (cur->off >= sub->end) {
		*ev = (struct subbuf_event){ .kind = SUBBUF_END, .off = cur->off, .time = cur->time };
		return;
	}
	word = subbuf_word(data, cur->off);
	words = plain_words(sub, ids, word, cur->off);
	if (words) {
		next_plain(sub, data, cur, ev, word, words);
		return;
	}
	*ev = (struct subbuf_event){ .off = cur->off, .time = cur->time };
	if (!word) {
		u32 next = skip_zeroes(data, cur->off, sub->end);

		ev->kind = next == sub->end && !sub->closed ? SUBBUF_END : SUBBUF_TAKEN;
		ev->words = (next - cur->off) / 4;
		cur->off = ev->kind == SUBBUF_END ? cur->off : next;
		return;
	}
	if (word >> EPITAPH_ID_SHIFT == EPITAPH_ID_CLAIMED) {
		u64 coarse = ev->time >> EPITAPH_CLAIM_TIME_SHIFT;
		u64 later = unwrap(coarse, word, EPITAPH_CLAIM_TIME_BITS);

		ev->kind = SUBBUF_TORN;
		ev->words = word >> EPITAPH_CLAIM_WORDS_SHIFT & EPITAPH_CLAIM_WORDS_MASK;
		if (later != coarse)
			ev->time = later << EPITAPH_CLAIM_TIME_SHIFT;
		if (!ev->words)
			broken(ev, "a claim of no words");
	} else {
		read_event(sub, data, ev, word, ids);
	}
	if (ev->kind != SUBBUF_BROKEN &&
	    ev->words * 4 > sub->end - cur->off - (sub->closed ? 0 : 4))
		broken(ev, "an event runs over the end");
	if (ev->kind == SUBBUF_BROKEN)
		return;
	cur->off += ev->words * 4;
	cur->time = ev->time;
	if (ev->kind != SUBBUF_COMMITTED)
		return;
	ev->is_silent = is_silent_event(data, ev->id, ev->off + ev->before * 4);
	ev->unproven = sub->unproven[ev->level] == ev->off;
	cur->sure = word >> EPITAPH_ID_SHIFT == EPITAPH_ID_LONG_TIME ? ev->time :
		    unwrap(cur->sure, word, EPITAPH_TIME_BITS);
	ev->doubtful = cur->sure != cur->time;
}

void ids_of_packed(struct ids *ids)
{
	u32 id;

	for (id = EPITAPH_ID_PACKED; id <= EPITAPH_ID_PACKED_LAST; id++)
		ids->words[id] = id - EPITAPH_ID_PID;
	ids->words[EPITAPH_ID_TEXT] = EPITAPH_TEXT_WORDS;
	ids->words[EPITAPH_ID_VALUE] = EPITAPH_VALUE_WORDS;
	ids->words[EPITAPH_ID_TASK] = EPITAPH_TASK_WORDS;
	memset(ids->state + EPITAPH_ID_PACKED, ID_KNOWN, EPITAPH_ID_TASK + 1 - EPITAPH_ID_PACKED);
	for (id = EPITAPH_ID_SMALL; id <= EPITAPH_ID_SMALL_LAST; id++) {
		ids->state[id] = ID_EMPTY;
		ids->words[id] = 0;
	}
}

/* Of a generation without EPITAPH_INCOMPAT_CRC. */
static u64 mixed_sum(const struct subbuf *sub, const void *data, const struct subbuf_event *ev, u64 before)
{
	u64 h = mix(sub->seed ^ before, (u64)ev->off << 32 | subbuf_word(data, ev->off));
	u32 off = ev->off + 4;
	u32 end = ev->off + ev->words * 4;

	for (; off + 4 < end; off += 8)
		h = mix(h, (u64)subbuf_word(data, off + 4) << 32 | subbuf_word(data, off));
	return off < end ? mix(h, subbuf_word(data, off)) : h;
}

static inline u64 event_sum(const struct subbuf *sub, const void *data, const struct ids *ids,
			    const struct subbuf_event *ev, u64 before)
{
	if (!ids->crc)
		return mixed_sum(sub, data, ev, before);
	return epitaph_crc32c(HAS_CRC32, before, (const u8 *)data + ev->off, ev->words * 4);
}

u64 subbuf_event_sum(const struct subbuf *sub, const void *data, const struct ids *ids,
		     const struct subbuf_event *ev, u64 before)
{
	return event_sum(sub, data, ids, ev, before);
}

u64 subbuf_stored_sum(const void *data, u32 level)
{
	u32 at = offsetof(struct epitaph_sub, sum) + level * 8;

	return (u64)subbuf_word(data, at + 4) << 32 | subbuf_word(data, at);
}

bool subbuf_has_sum(const struct subbuf *sub, const void *data, const struct ids *ids)
{
	u32 i;

	for (i = 0; i < EPITAPH_LEVELS; i++)
		if (subbuf_stored_sum(data, i) != subbuf_first_sum(sub, ids))
			return true;
	return false;
}

void subbuf_empty(const struct subbuf *sub, void *data, u32 size, const struct ids *ids)
{
	u32 end = offsetof(struct epitaph_sub, used), i;
	__le64 first = htole64(subbuf_first_sum(sub, ids));

	memset((u8 *)data + end, 0, size - end);
	for (i = 0; i < EPITAPH_LEVELS; i++)
		memcpy((u8 *)data + offsetof(struct epitaph_sub, sum) + i * sizeof(first), &first, sizeof(first));
}

static void set_damaged(struct subbuf *sub, u32 off, const char *why)
{
	if (sub->state == SUBBUF_DAMAGED)
		return;
	sub->state = SUBBUF_DAMAGED;
	sub->why = why;
	sub->why_off = off;
}

/* By level: the sum so far, the sum before the last event, and the offset of that event. */
struct level_sums {
	u64 sum[EPITAPH_LEVELS];
	u64 before[EPITAPH_LEVELS];
	u32 last_off[EPITAPH_LEVELS];
};

static inline void add_event(struct subbuf *sub, struct level_sums *sums, const void *data, const struct ids *ids,
			     const struct subbuf_event *ev)
{
	if (!ev->is_silent && !sub->nr_events++)
		sub->first = ev->time;
	sub->has_console |= ev->id == ids->console;
	sums->before[ev->level] = sums->sum[ev->level];
	sums->last_off[ev->level] = ev->off;
	sums->sum[ev->level] = event_sum(sub, data, ids, ev, sums->sum[ev->level]);
}

/* Plain events from @cur on: their times only go on. */
static void add_plain_events(struct subbuf *sub, struct level_sums *sums, const void *data, const struct ids *ids,
			     struct subbuf_cursor *cur)
{
	u32 word, words;

	while (cur->off < sub->end) {
		word = subbuf_word(data, cur->off);
		words = plain_words(sub, ids, word, cur->off);
		if (!words)
			break;
		cur->time = unwrap(cur->time, word, EPITAPH_TIME_BITS);
		add_event(sub, sums, data, ids, &(struct subbuf_event){
			.off = cur->off, .words = words, .id = word >> EPITAPH_ID_SHIFT, .time = cur->time,
			.level = word >> EPITAPH_LEVEL_SHIFT & EPITAPH_LEVEL_MASK,
			.is_silent = is_silent_event(data, word >> EPITAPH_ID_SHIFT, cur->off + 4),
		});
		cur->off += words * 4;
	}
	sub->last = cur->time;
	sub->most = cur->time > sub->most ? cur->time : sub->most;
}

void subbuf_check(struct subbuf *sub, const void *data, u32 size, u64 salt, u64 off,
		  const struct ids *ids)
{
	struct level_sums sums = { 0 };
	struct subbuf_cursor cur;
	struct subbuf_event ev;
	u32 i, at;

	subbuf_header(sub, data, size, salt, off);
	if (sub->state != SUBBUF_GOOD)
		return;
	for (i = 0; i < EPITAPH_LEVELS; i++)
		sums.sum[i] = sums.before[i] = subbuf_first_sum(sub, ids);
	cur = subbuf_begin(sub);
	for (;;) {
		add_plain_events(sub, &sums, data, ids, &cur);
		subbuf_next(sub, data, &cur, ids, &ev);
		if (ev.kind == SUBBUF_END || ev.kind == SUBBUF_BROKEN)
			break;
		sub->nr_taken += ev.kind == SUBBUF_TAKEN;
		sub->nr_torn += ev.kind == SUBBUF_TORN;
		sub->goes_back |= ev.time < sub->last;
		sub->last = ev.time;
		sub->least = ev.time < sub->least ? ev.time : sub->least;
		sub->most = ev.time > sub->most ? ev.time : sub->most;
		if (ev.kind == SUBBUF_COMMITTED)
			add_event(sub, &sums, data, ids, &ev);
	}
	sub->in_use = subbuf_has_sum(sub, data, ids) || skip_zeroes(data, SUBBUF_BEGIN, size) < size;
	if (ev.kind == SUBBUF_BROKEN)
		set_damaged(sub, ev.off, ev.why);
	/*
	 * A stored sum covers all events of its level, or all but the last: the writer was stopped
	 * before the store commit:C (docs/ring.md).
	 */
	for (i = 0; i < EPITAPH_LEVELS; i++) {
		if (checksum_ok(sums.sum[i], subbuf_stored_sum(data, i)))
			continue;
		at = offsetof(struct epitaph_sub, sum) + i * 8;
		if (sums.last_off[i] && subbuf_stored_sum(data, i) == sums.before[i])
			sub->unproven[i] = sums.last_off[i];
		else
			set_damaged(sub, at, "the sum of its events does not hold");
	}
	at = sub->closed ? skip_zeroes(data, sub->end, size) : size;
	if (at < size)
		set_damaged(sub, at, "there is something behind its end");
	if (sub->state == SUBBUF_GOOD && sub->bad_end) {
		sub->why = "its note of where it ends is damaged";
		sub->why_off = offsetof(struct epitaph_sub, used);
	}
}
