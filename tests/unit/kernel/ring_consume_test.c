// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring with a reader: each event is read once, or is in the ring, or was counted as dropped,
 * for every nesting of interrupts, every moment in which the reader comes, and every stop of the
 * CPU.  What is ready never changes.
 *
 * build: kernel/core/ring.c tests/lib/ring_reader.c -DEPITAPH_CRASH_POINTS
 */
#include <stdio.h>
#include <stdlib.h>

#include <epitaph/ring_fast.h>

#include "ring_reader.h"
#include "tap.h"

#define SUB	512
#define NR_SUBS	EPITAPH_MIN_SUBS
#define SIZE	(NR_SUBS * SUB)
#define U64	(EPITAPH_ID_FIRST + 2)
#define TEXT	700
#define MOST	8192	/* events of a run */

enum fate {
	COMES,			/* begun, and not ended */
	WRITTEN,
	READ,
	DROPPED,
};

static const u16 words_of[512] = { [U64] = 2 };
static struct epitaph_counters counters;
static struct epitaph_consumed consumed;
static struct epitaph_ring ring;
static struct reader_sub sub;
static u8 copy[SUB];
static u64 clock_now;

/*
 * @fate: of each event, by its number, which is its payload
 * @depth: writers under way
 * @rng: xorshift; 0: no interrupts
 * @seq: of the newest sub-buffer that was read
 * @reads: the reader comes at random; @in_reader: it is here
 * @room_comes: while a writer ends a full ring, the reader makes room and another one writes
 */
static struct {
	u8 fate[MOST];
	bool is_text[MOST];
	u32 number;
	u32 dropped, dropped_text;
	u32 depth;
	u32 rng;
	u64 seq;
	u32 read, empty, stale;
	u64 points;
	bool reads, in_reader, room_comes;
	bool stop_a, drop_a, give_a, give_b;
} run;

u64 epitaph_clock(void)
{
	return ++clock_now;
}

static u32 pick(u32 below)
{
	run.rng ^= run.rng << 13;
	run.rng ^= run.rng >> 17;
	run.rng ^= run.rng << 5;
	return run.rng % below;
}

static void write_one(void);

static void read_slot(u32 off)
{
	u64 number;
	u32 i;

	memcpy(copy, ring.data + off, SUB);
	reader_sub(&sub, copy, SUB, off, ring.salt, words_of);
	CHECK(sub.verdict != READER_DAMAGED, "%u is ready, and %s", off, sub.why);
	/* The ring went around it: a writer underneath held it, or was about to make it ready. */
	if (sub.verdict == READER_EMPTY || sub.seq <= run.seq) {
		run.stale++;
		return;
	}
	run.seq = sub.seq;
	run.empty += !sub.nr_events;
	CHECK(!sub.nr_torn && !sub.nr_gaps, "%u is ready, and not finished", off);
	CHECK(!sub.nr_events || sub.closed, "%u is ready, and open", off);
	for (i = 0; i < sub.nr_events; i++) {
		memcpy(&number, sub.events[i].payload, 8);
		/* COMES: it is committed, and the writer has not returned. */
		CHECK(number < run.number && run.fate[number] <= WRITTEN, "%llu is read, and it is %u",
		      (unsigned long long)number, run.fate[number]);
		run.fate[number] = READ;
		run.read++;
	}
}

/* As the interrupt on the ring's CPU does it, and then the reader on another one. */
static void read_ready(u32 most, bool close)
{
	u32 off = ring.position, end;

	run.in_reader = true;
	run.depth++;
	if (close)
		epitaph_ring_close(&ring);
	run.depth--;
	end = epitaph_ring_ready(&ring);
	for (; off != end && most--; off = (off + SUB) % SIZE)
		read_slot(off);
	epitaph_ring_give(&ring, off);
	CHECK(consumed.seq == run.seq && consumed.seq_not == ~run.seq, "the region says %llu, not %llu",
	      (unsigned long long)consumed.seq, (unsigned long long)run.seq);
	run.in_reader = false;
}

/* As a reader of the dump sees it: no event that was not written, each once, and all that was not read. */
static void look(void)
{
	static bool seen[MOST];
	u64 number, given = consumed.seq == ~consumed.seq_not ? consumed.seq : 0;
	u32 i, k, torn = 0;

	run.points++;
	CHECK(given <= run.seq, "%llu was given back, %llu was read", (unsigned long long)given,
	      (unsigned long long)run.seq);
	memset(seen, 0, sizeof(seen));
	for (i = 0; i < NR_SUBS; i++) {
		reader_sub(&sub, ring.data + i * SUB, SUB, i * SUB, ring.salt, words_of);
		CHECK(sub.verdict != READER_DAMAGED, "%u: %s", i, sub.why);
		torn += sub.nr_torn + sub.nr_gaps;
		for (k = 0; k < sub.nr_events; k++) {
			memcpy(&number, sub.events[k].payload, 8);
			CHECK(number < run.number && run.fate[number] != DROPPED && !seen[number],
			      "%llu is there, and it is %u", (unsigned long long)number, run.fate[number]);
			seen[number] = true;
		}
	}
	CHECK(torn <= EPITAPH_LEVELS, "%u torn", torn);
	for (i = 0; i < run.number; i++)
		CHECK(run.fate[i] != WRITTEN || seen[i], "%u is gone, and was never read", i);
}

void crash_point(const char *label)
{
	if (run.room_comes && !strcmp(label, "stop:judge")) {
		run.room_comes = false;
		read_ready(NR_SUBS, false);
		write_one();
	}
	if (!run.rng)
		return;
	run.stop_a |= !strcmp(label, "stop:A");
	run.drop_a |= !strcmp(label, "drop:A");
	run.give_a |= !strcmp(label, "give:A");
	run.give_b |= !strcmp(label, "give:B");
	if (!pick(64) || !strcmp(label, "give:A") || !strcmp(label, "give:B") || !strcmp(label, "give:C"))
		look();
	if (strcmp(label, "commit:D") && run.depth < EPITAPH_LEVELS && !pick(24))
		write_one();
	if (run.reads && !run.in_reader && run.depth < EPITAPH_LEVELS && !pick(100))
		read_ready(1 + pick(NR_SUBS), !pick(3));
}

static void write_one(void)
{
	bool is_text = run.rng && !pick(5);
	struct epitaph_rec rec;
	u64 number = run.number++;
	void *to;

	if (number >= MOST) {
		run.number--;
		return;
	}
	run.depth++;
	to = epitaph_ring_reserve(&ring, &rec, is_text ? TEXT : U64, is_text ? 60 : 8, is_text);
	if (to) {
		memcpy(to, &number, 8);
		run.fate[number] = COMES;
		epitaph_ring_commit(&rec);
		if (run.fate[number] == COMES)
			run.fate[number] = WRITTEN;
	} else {
		run.fate[number] = DROPPED;
		run.dropped++;
		run.dropped_text += is_text;
	}
	run.depth--;
}

static void begin(u32 rng, bool reads)
{
	memset(&run, 0, sizeof(run));
	memset(&consumed, 0x55, sizeof(consumed));
	ring = (struct epitaph_ring){
		.data = ring.data ?: aligned_alloc(SUB, SIZE), .sub_size = SUB, .size = SIZE,
		.salt = 7, .counters = &counters, .consumed = &consumed,
	};
	CHECK(!epitaph_ring_init(&ring), "refused");
	run.rng = rng;
	run.reads = reads;
}

static u64 dropped_of(u32 id)
{
	u32 i;

	for (i = 0; i < EPITAPH_NR_DROPPED; i++) {
		const struct epitaph_dropped *d = &consumed.dropped[i];

		if (d->id == id) {
			CHECK(d->id_not == ~id && d->nr_not == ~d->nr, "no pair");
			return d->nr;
		}
	}
	return 0;
}

/* All that was not dropped was read, once, when the reader has come to the end. */
static void check_all_read(void)
{
	u32 i;

	run.reads = false;
	run.rng = 0;
	for (i = 0; i < 3; i++)
		read_ready(NR_SUBS, true);
	for (i = 0; i < run.number; i++)
		CHECK(run.fate[i] == READ || run.fate[i] == DROPPED, "%u is %u", i, run.fate[i]);
	CHECK(run.read + run.dropped == run.number, "%u and %u of %u", run.read, run.dropped, run.number);
	CHECK(counters.full == run.dropped, "%llu of %u", (unsigned long long)counters.full, run.dropped);
	CHECK(dropped_of(TEXT) == run.dropped_text, "%llu of %u", (unsigned long long)dropped_of(TEXT),
	      run.dropped_text);
	CHECK(dropped_of(U64) == run.dropped - run.dropped_text, "%llu", (unsigned long long)dropped_of(U64));
}

static void consume__without_a_reader_keeps_the_first_and_counts_the_rest(void)
{
	u32 i;

	begin(0, false);
	for (i = 0; i < 3000; i++)
		write_one();
	for (i = 0; i < 3000; i++)
		CHECK((run.fate[i] == DROPPED) == (i >= 3000 - run.dropped), "%u is %u", i, run.fate[i]);
	CHECK(run.dropped && run.dropped < 3000 && epitaph_ring_waits(&ring), "never full");
	check_all_read();
}

static void consume__goes_on_when_there_is_room(void)
{
	u32 i, full = 0;

	begin(0, false);
	for (i = 0; i < 6000; i++) {
		write_one();
		if (epitaph_ring_waits(&ring) && run.dropped % 7 == 6) {
			full++;
			read_ready(1 + full % 5, false);
			CHECK(run.read, "nothing was ready");
		}
	}
	CHECK(full > 20, "%u", full);
	check_all_read();
}

static void consume__loses_nothing_while_the_reader_keeps_up(void)
{
	u32 i;

	begin(0, false);
	for (i = 0; i < 8000; i++) {
		write_one();
		if (i % 200 == 199)
			read_ready(NR_SUBS, false);
	}
	CHECK(!run.dropped && run.read > 7000, "%u dropped, %u read", run.dropped, run.read);
	check_all_read();
}

/* The loss stands where it happened: in the next sub-buffer, and no smaller event is before it. */
static void consume__takes_no_smaller_event_after_one_that_did_not_fit(void)
{
	struct epitaph_rec rec;
	u32 i, was;

	begin(0, false);
	while (!counters.full) {
		void *to = epitaph_ring_reserve(&ring, &rec, TEXT, 390, true);

		if (to)
			epitaph_ring_commit(&rec);
	}
	for (i = 0; i < 10; i++) {
		struct epitaph_fast fast;

		CHECK(!epitaph_fast_claim(&ring, &fast, 3), "taken");
		CHECK(!epitaph_ring_claim(&ring, U64, 2, false).w, "taken");
	}
	CHECK(counters.full == 11 && !ring.nest, "%llu", (unsigned long long)counters.full);
	was = (u32)ring.head / SUB;
	epitaph_ring_give(&ring, SUB);
	CHECK(epitaph_ring_reserve(&ring, &rec, U64, 8, false), "no room");
	epitaph_ring_commit(&rec);
	reader_sub(&sub, ring.data, SUB, 0, ring.salt, words_of);
	CHECK(was == NR_SUBS - 1 && (u32)ring.head / SUB == 0 && sub.lost == 11, "%llu",
	      (unsigned long long)sub.lost);
}

static bool is_almost_full(void)
{
	return (u32)ring.head / SUB == NR_SUBS - 1;
}

static void consume__no_close_ends_a_ring_that_has_room(void)
{
	begin(0, false);
	while (!is_almost_full())
		write_one();
	write_one();
	read_ready(0, true);
	write_one();
	CHECK(!run.dropped && !epitaph_ring_waits(&ring), "%u dropped", run.dropped);
	check_all_read();
}

static void consume__who_ends_a_ring_ends_the_sub_buffer_that_was_full(void)
{
	u32 was;

	begin(0, false);
	run.room_comes = true;
	while (run.room_comes)
		write_one();
	was = run.number;
	CHECK(run.read && !run.dropped && !epitaph_ring_waits(&ring), "%u of %u dropped", run.dropped, was);
	check_all_read();
}

static void consume__more_kinds_than_there_is_room_for_are_counted_together(void)
{
	u64 sum = 0;
	u32 i;

	begin(0, false);
	while (!counters.full)
		epitaph_ring_claim(&ring, U64, 2, false).w ? (void)(ring.nest = 0) : (void)0;
	for (i = 0; i < 300; i++)
		CHECK(!epitaph_ring_claim(&ring, 1000 + i, 2, false).w, "taken");
	for (i = 0; i < EPITAPH_NR_DROPPED; i++)
		sum += consumed.dropped[i].nr;
	CHECK(sum == EPITAPH_NR_DROPPED && counters.full == 301, "%llu of %llu", (unsigned long long)sum,
	      (unsigned long long)counters.full);
}

static void consume__each_event_once_at_every_label_with_interrupts(void)
{
	bool stop_a = false, drop_a = false, give_a = false, give_b = false;
	u32 seed, i, read = 0, dropped = 0, empty = 0, stale = 0;
	u64 points = 0;

	for (seed = 1; seed <= 120; seed++) {
		begin(seed * 2654435761U, seed % 4);
		for (i = 0; i < 600 && run.number < MOST - 100; i++)
			write_one();
		stop_a |= run.stop_a;
		drop_a |= run.drop_a;
		give_a |= run.give_a;
		give_b |= run.give_b;
		points += run.points;
		check_all_read();
		read += run.read;
		dropped += run.dropped;
		empty += run.empty;
		stale += run.stale;
	}
	CHECK(stop_a && drop_a && give_a && give_b, "a label was never met");
	CHECK(read > 20000 && dropped > 2000, "%u read, %u dropped", read, dropped);
	printf("# %llu crash points, %u read, %u dropped; %u empty, %u of an earlier lap\n",
	       (unsigned long long)points, read, dropped, empty, stale);
}

int main(void)
{
	TAP_RUN(consume__without_a_reader_keeps_the_first_and_counts_the_rest);
	TAP_RUN(consume__goes_on_when_there_is_room);
	TAP_RUN(consume__loses_nothing_while_the_reader_keeps_up);
	TAP_RUN(consume__takes_no_smaller_event_after_one_that_did_not_fit);
	TAP_RUN(consume__no_close_ends_a_ring_that_has_room);
	TAP_RUN(consume__who_ends_a_ring_ends_the_sub_buffer_that_was_full);
	TAP_RUN(consume__more_kinds_than_there_is_room_for_are_counted_together);
	TAP_RUN(consume__each_event_once_at_every_label_with_interrupts);
	free(ring.data);
	return tap_done();
}
