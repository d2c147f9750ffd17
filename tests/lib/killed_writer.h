/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that writes to a ring of its own until it is killed, and what its ring has then.  It goes
 * behind <epitaph-ring.h>; its parent has named the types, so that the ids are the same.
 */
#ifndef _EPITAPH_KILLED_WRITER_H
#define _EPITAPH_KILLED_WRITER_H

#include <signal.h>
#include <sys/time.h>

#include "ring_reader.h"
#include "tap.h"

#define NR_SUBS	((EPITAPH_SLOT_SIZE - EPITAPH_SLOT_DATA) / EPITAPH_SLOT_SUB_SIZE)

EPITAPH_EVENT(number, (uint64_t, value), (uint64_t, check));
EPITAPH_EVENT(nested, (uint64_t, value), (uint64_t, check));

/*
 * Of the child.
 * @committed: events that were written, of the thread and of its handler
 * @salt: of its ring, where it is not known
 */
static struct {
	volatile uint64_t committed[2];
	volatile bool runs;
	volatile bool refuse;
	uint64_t salt;
} *shared;

static uint64_t mixed(uint64_t value)
{
	return (value ^ 0x6a09e667f3bcc908ULL) * 0x9e3779b97f4a7c15ULL;
}

static void on_timer(int signal)
{
	uint64_t value = shared->committed[1];

	(void)signal;
	EPITAPH_WRITE(nested, .value = value, .check = mixed(value));
	shared->committed[1] = value + 1;
}

/* Numbers, and now and then a text, so that a sub-buffer ends at any place. */
static void write_for_ever(bool with_signals)
{
	static char text[EPITAPH_TEXT_MAX];
	struct itimerval often = { { 0, 10 }, { 0, 10 } };
	uint64_t value;

	memset(text, 'x', sizeof(text));
	epitaph_ring_open("test");
	if (with_signals) {
		signal(SIGALRM, on_timer);
		setitimer(ITIMER_REAL, &often, NULL);
	}
	shared->runs = true;
	for (value = 0;; value++) {
		EPITAPH_WRITE(number, .value = value, .check = mixed(value));
		shared->committed[0] = value + 1;
		if (value % 5 == 0)
			epitaph_ring_text(6, text, value * 37 % sizeof(text));
	}
}

struct found {
	uint64_t first[2];
	uint64_t next[2];	/* after the last number */
	bool any[2];
	uint32_t torn;
};

static void look_at_event(struct found *found, const struct reader_event *ev)
{
	struct epitaph_event_number event;
	int which;

	if (ev->id == epitaph_type_number.id)
		which = 0;
	else if (ev->id == epitaph_type_nested.id)
		which = 1;
	else
		return;
	memcpy(&event, ev->payload, sizeof(event));
	CHECK(event.check == mixed(event.value), "invented: %llu", (unsigned long long)event.value);
	CHECK(!found->any[which] || event.value == found->next[which], "lost between %llu and %llu",
	      (unsigned long long)found->next[which], (unsigned long long)event.value);
	if (!found->any[which])
		found->first[which] = event.value;
	found->any[which] = true;
	found->next[which] = event.value + 1;
}

static struct reader_sub subs[NR_SUBS];

/* @data: of the sub-buffers.  Their chain, the oldest first: behind a break of it is what the ring went around. */
static struct found read_ring(const uint8_t *data, uint64_t salt)
{
	static uint16_t words[EPITAPH_ID_SHORT_MAX + 1];
	struct reader_sub *all[NR_SUBS];
	struct found found = { .torn = 0 };
	uint32_t chain[NR_SUBS], i, k, off;

	words[epitaph_type_number.id] = words[epitaph_type_nested.id] = sizeof(struct epitaph_event_number) / 4;
	for (i = 0; i < NR_SUBS; i++) {
		off = i * EPITAPH_SLOT_SUB_SIZE;
		all[i] = &subs[i];
		reader_sub(&subs[i], data + off, EPITAPH_SLOT_SUB_SIZE, off, salt, words);
		CHECK(subs[i].verdict != READER_DAMAGED, "damaged: %s", subs[i].why);
	}
	for (i = reader_chain(all, NR_SUBS, chain); i-- > 0;) {
		const struct reader_sub *sub = &subs[chain[i]];

		for (k = 0; k < sub->nr_events; k++)
			look_at_event(&found, &sub->events[k]);
		found.torn += sub->nr_torn + sub->nr_gaps;
	}
	return found;
}

/* @committed: by the child; one more may be there, whose writer did not come to say so. */
static void judge_numbers(const struct found *found, int which)
{
	uint64_t committed = shared->committed[which];

	/* The thread may have gone around the ring since the last signal. */
	CHECK(found->any[which] || !committed || (which && found->first[0]), "all %llu are lost",
	      (unsigned long long)committed);
	if (found->any[which])
		CHECK(found->next[which] == committed || found->next[which] == committed + 1,
		      "%llu were committed, there are %llu", (unsigned long long)committed,
		      (unsigned long long)found->next[which]);
}

#endif /* _EPITAPH_KILLED_WRITER_H */
