// SPDX-License-Identifier: GPL-2.0-or-later
/* Apart from the rest: the extractor's types are not the recorder's. */
#include "ring_second.h"
#include "region/subbuf.h"

static struct ids ids;

static void set_ids(const uint16_t *words)
{
	u32 i;

	if (ids.state[EPITAPH_ID_FIRST] == ID_KNOWN)
		return;
	ids.crc = true;
	for (i = EPITAPH_ID_FIRST; i < IDS_MAX; i++) {
		ids.state[i] = ID_KNOWN;
		ids.words[i] = i <= EPITAPH_ID_SHORT_MAX ? words[i] : 0;
	}
}

static const char *compare_event(const struct reader_event *a,
				 const struct subbuf_event *b)
{
	if (a->off != b->off || a->words != b->words || a->before != b->before)
		return "where an event is";
	if (a->id != b->id || a->level != b->level)
		return "what an event is";
	return a->time != b->time ? "when an event was" : NULL;
}

static const char *compare_walk(const struct reader_sub *first,
				const struct subbuf *sub, const uint8_t *data)
{
	struct subbuf_cursor cur = subbuf_begin(sub);
	u32 events = 0, torn = 0, taken = 0;
	struct subbuf_event ev;
	const char *why = NULL;

	while (!why) {
		subbuf_next(sub, data, &cur, &ids, &ev);
		if (ev.kind == SUBBUF_END)
			break;
		if (ev.kind == SUBBUF_BROKEN)
			return "whether it can be walked";
		if (ev.kind == SUBBUF_COMMITTED)
			why = events == first->nr_events ? "how many events there are" :
			      compare_event(&first->events[events], &ev);
		else if (ev.kind == SUBBUF_TORN && torn < first->nr_torn &&
			 (first->torn[torn].off != ev.off ||
			  first->torn[torn].words != ev.words))
			why = "where a torn event is";
		events += ev.kind == SUBBUF_COMMITTED;
		torn += ev.kind == SUBBUF_TORN;
		taken += ev.kind == SUBBUF_TAKEN;
	}
	if (why)
		return why;
	if (events != first->nr_events || torn != first->nr_torn || taken != first->nr_gaps)
		return "how much there is";
	return NULL;
}

const char *second_opinion(const struct reader_sub *first, const uint8_t *data,
			   uint32_t size, uint32_t off, uint64_t salt,
			   const uint16_t *words)
{
	struct subbuf sub;

	set_ids(words);
	subbuf_check(&sub, data, size, salt, off, &ids);
	if (first->verdict == READER_EMPTY)
		return sub.state == SUBBUF_EMPTY ? NULL : "whether it is empty";
	if (first->verdict == READER_DAMAGED)
		return sub.state == SUBBUF_DAMAGED || sub.state == SUBBUF_LOST ? NULL :
		       "whether it is damaged";
	if (sub.state != SUBBUF_GOOD)
		return sub.why ? sub.why : "whether it is good";
	if (sub.bad_end || sub.closed != first->closed ||
	    (sub.closed && sub.end != first->used))
		return "where it ends";
	if (sub.seq != first->seq || sub.prev != first->prev || sub.pid != first->pid ||
	    sub.time != first->time || sub.lost != first->lost)
		return "its header";
	return compare_walk(first, &sub, data);
}
