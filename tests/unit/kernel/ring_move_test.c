// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring moves to other memory while it is written: at every label, for every nesting of
 * interrupts, what its old and its new memory hold together has each event once; and when the old
 * memory is gone, the new one has the newest of them.
 *
 * build: kernel/core/ring.c kernel/core/history.c kernel/core/subbuf_copy.c kernel/core/subbuf_walk.c
 * build: tests/lib/ring_reader.c -DEPITAPH_CRASH_POINTS -I tests/lib/kernel -I kernel
 * build: -include kernel/include/epitaph/plat.h
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epitaph/ring.h>

#include "core/history.h"
#include "core/subbuf_walk.h"
#include "events/pack.h"
#include "recorder.h"
#include "ring_reader.h"
#include "tap.h"

#define U64	(EPITAPH_ID_FIRST + 2)
#define TEXT	700
#define MOST	40000	/* events of a run */
#define SALT	7
#define ROOM	(256 << 10)

enum fate {
	NONE,
	COMES,			/* begun, and not ended */
	WRITTEN,
	DROPPED,
};

/* A place of the ring, as a reader finds it in the table. */
struct place {
	u8 *data;
	u32 size;
	u32 sub_size;
	bool is_there;
};

static const u16 words_of[512] = { [U64] = 2 };
static struct epitaph_event_size sizes[U64 + 1];
static struct epitaph_counters counters;
static struct epitaph_ring ring, old;
static struct place places[2];
static struct reader_sub subs[2 * READER_MAX_SUBS];
static u64 clock_now;

/*
 * @fate: of each event, by its number, which is its payload
 * @first: of those that must be there; what is older may be
 * @depth: writers under way
 * @rng: xorshift; 0: no interrupts
 * @moves: epitaph_ring_move() is under way
 */
static struct {
	u8 fate[MOST];
	u32 number;
	u32 first;
	u32 dropped;
	u32 depth;
	u32 rng;
	u64 looks;
	bool moves;
	u32 refused;
	bool move_a, move_c, put;
} run;

u64 epitaph_clock(void)
{
	return ++clock_now;
}

bool epitaph_packs(void)
{
	return false;
}

void *epitaph_section(unsigned int type, size_t *size)
{
	(void)type;
	*size = sizeof(sizes);
	return sizes;
}

static u32 pick(u32 below)
{
	run.rng ^= run.rng << 13;
	run.rng ^= run.rng >> 17;
	run.rng ^= run.rng << 5;
	return run.rng % below;
}

static u32 read_places(void)
{
	u32 i, off, nr = 0, torn = 0;

	for (i = 0; i < 2; i++)
		for (off = 0; places[i].is_there && off < places[i].size; off += places[i].sub_size) {
			reader_sub(&subs[nr], places[i].data + off, places[i].sub_size, off, SALT, words_of);
			CHECK(subs[nr].verdict != READER_DAMAGED, "place %u, %u: %s", i, off, subs[nr].why);
			torn += subs[nr].nr_torn + subs[nr].nr_gaps;
			nr += subs[nr].verdict == READER_GOOD;
		}
	CHECK(torn <= EPITAPH_LEVELS, "%u torn", torn);
	return nr;
}

/* Both places have it: the one that has more of it counts. */
static bool is_repeated(u32 at, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (i != at && subs[i].seq == subs[at].seq && subs[i].time == subs[at].time &&
		    (subs[i].nr_events > subs[at].nr_events ||
		     (subs[i].nr_events == subs[at].nr_events && i < at)))
			return true;
	return false;
}

/* Return: the event from which on all are there. What a ring went around may be older. */
static u32 look(void)
{
	static u8 seen[MOST];
	u32 nr = read_places(), i, k, from = 0;
	u64 number;

	run.looks++;
	memset(seen, 0, run.number);
	for (i = 0; i < nr; i++) {
		if (is_repeated(i, nr))
			continue;
		for (k = 0; k < subs[i].nr_events; k++) {
			memcpy(&number, subs[i].events[k].payload, 8);
			CHECK(number < run.number && run.fate[number] != DROPPED && !seen[number],
			      "%llu is there, and it is %u", (unsigned long long)number,
			      run.fate[number % MOST]);
			seen[number % MOST] = true;
		}
	}
	for (i = 0; i < run.number; i++) {
		bool is_gone = run.fate[i] == WRITTEN && !seen[i];

		CHECK(i < run.first || !is_gone, "%u is gone", i);
		from = is_gone ? i + 1 : from;
	}
	CHECK(le64_to_cpu(counters.too_deep) <= run.dropped + run.depth, "more were dropped than came");
	return from;
}

static void write_as(bool is_text)
{
	struct epitaph_rec rec;
	u64 number = run.number++;
	void *to;

	run.fate[number] = COMES;
	run.depth++;
	to = epitaph_ring_reserve(&ring, &rec, is_text ? TEXT : U64, is_text ? 60 : 8, is_text);
	if (to) {
		memcpy(to, &number, 8);
		epitaph_ring_commit(&rec);
	}
	run.fate[number] = to ? WRITTEN : DROPPED;
	run.dropped += !to;
	CHECK(to || run.moves, "an event was dropped for nothing");
	run.depth--;
}

static void write_one(void)
{
	write_as(run.rng && !pick(5));
}

/* An interrupt that comes to move a ring whose writer it interrupted. */
static void move_in_vain(void)
{
	struct epitaph_ring before = ring, to = { .data = places[1].data, .size = 64 * 512,
						  .sub_size = 512 }, none;

	CHECK(epitaph_ring_move(&ring, &to, &none) == -EAGAIN, "moved under a writer");
	CHECK(!memcmp(&before, &ring, sizeof(ring)), "it changed");
	run.refused++;
}

void crash_point(const char *label)
{
	if (!run.rng)
		return;
	run.move_a |= !strcmp(label, "move:A");
	run.move_c |= !strcmp(label, "move:C");
	run.put |= !strcmp(label, "put:filled");
	if (run.moves ? !pick(3) : !pick(64))
		look();
	if (run.depth && ring.nest && !run.moves && !pick(200))
		move_in_vain();
	if (strcmp(label, "commit:D") && run.depth < EPITAPH_LEVELS && !pick(run.moves ? 25 : 30))
		write_one();
}

static void begin(u32 rng, u32 nr, u32 sub_size)
{
	u32 i;

	memset(&run, 0, sizeof(run));
	for (i = 0; i < 2; i++) {
		u8 *data = places[i].data ?: aligned_alloc(65536, ROOM);

		places[i] = (struct place){ .data = data };
		memset(data, 0x5a, ROOM);
	}
	places[0].size = nr * sub_size;
	places[0].sub_size = sub_size;
	places[0].is_there = true;
	ring = (struct epitaph_ring){
		.data = places[0].data, .sub_size = sub_size, .size = nr * sub_size, .salt = SALT,
		.counters = &counters,
	};
	CHECK(!epitaph_ring_init(&ring), "refused");
	run.first = MOST;
	run.rng = rng;
}

/* What the ring holds at least, from here on; interrupts while it moves may recycle a few. */
static void settle(u32 events)
{
	while (events--)
		write_one();
	run.first = look();
	run.first += run.first ? 100 : 0;
}

static bool is_in_place(u32 i, u64 number)
{
	bool was = places[!i].is_there, found = false;
	u32 nr, k, n;
	u64 is;

	places[!i].is_there = false;
	nr = read_places();
	for (k = 0; k < nr; k++)
		for (n = 0; n < subs[k].nr_events; n++) {
			memcpy(&is, subs[k].events[n].payload, 8);
			found |= is == number;
		}
	places[!i].is_there = was;
	return found;
}

/* As resize.c does it for one CPU.  Return: sub-buffers that were kept. */
static u32 move(u32 nr, u32 sub_size)
{
	static u64 room[65536 / 8];
	u32 size = nr * sub_size, off, had;
	struct epitaph_ring to = { .data = places[1].data, .sub_size = sub_size, .pid = 9 };
	struct epitaph_history history;
	bool more;
	int err;

	for (off = 0; off < size; off += sub_size)
		((struct epitaph_sub *)(places[1].data + off))->check = 0;
	places[1].size = size;
	places[1].sub_size = sub_size;
	to.size = size;
	places[1].is_there = true;
	run.moves = true;
	had = run.number;
	err = epitaph_ring_move(&ring, &to, &old);
	/* Writers that came in each of its tries. */
	while (err == -EAGAIN)
		err = epitaph_ring_move(&ring, &to, &old);
	run.moves = false;
	CHECK(!err && !ring.nest && ring.data == places[1].data && old.data == places[0].data, "%d", err);
	CHECK(counters.too_deep == cpu_to_le64(run.dropped), "%u were dropped, %llu are counted of %u",
	      run.dropped, (unsigned long long)counters.too_deep, run.number - had);
	write_one();
	CHECK(!run.rng || run.fate[run.number - 1] != WRITTEN || is_in_place(1, run.number - 1),
	      "it goes on elsewhere");
	memset(room, 0, sizeof(room));
	more = epitaph_history_start(&history, &old, &ring, room);
	while (more) {
		if (!epitaph_history_has_room(&history) && !epitaph_history_narrow(&history, &ring))
			break;
		more = epitaph_history_step(&history);
		/* Between two batches writers may go anywhere. */
		if (!epitaph_history_has_room(&history))
			ring.size = size;
		if (!pick(3))
			write_one();
		if (!pick(8))
			look();
	}
	ring.size = size;
	look();
	places[0].is_there = false;
	memset(places[0].data, 0xa5, ROOM);
	return history.nr;
}

static u32 chained(void)
{
	struct reader_sub *all[2 * READER_MAX_SUBS];
	u32 chain[2 * READER_MAX_SUBS], nr = read_places(), i;

	for (i = 0; i < nr; i++)
		all[i] = &subs[i];
	return reader_chain(all, nr, chain);
}

static void move__to_a_larger_ring_keeps_all(void)
{
	u32 seed, looks = 0, i;

	for (seed = 1; seed <= 20; seed++) {
		begin(seed * 2654435761U, EPITAPH_MIN_SUBS + seed % 9, 512);
		settle(seed * 40);
		move(64 + seed, 512);
		look();
		/* It fills up, and only then the oldest goes. */
		for (i = 0; i < 200; i++)
			write_one();
		look();
		run.first = MOST;
		for (i = 0; i < 3000; i++)
			write_one();
		run.first = run.number - 300;
		look();
		CHECK(run.move_a && run.move_c, "a label was never met");
		looks += run.looks;
	}
	printf("# %u looks\n", looks);
}

static void move__to_a_smaller_ring_keeps_the_newest(void)
{
	u32 seed, kept, nr;

	for (seed = 1; seed <= 20; seed++) {
		nr = EPITAPH_MIN_SUBS + 4 + seed % 20;
		begin(seed * 2654435761U, 80, 512);
		settle(3000);
		/* What cannot stay: all but what the kept sub-buffers hold. */
		kept = move(nr, 512);
		run.first = MOST;
		CHECK(kept < nr - EPITAPH_MIN_SUBS && kept + 5 > nr - EPITAPH_MIN_SUBS, "%u of %u", kept, nr);
		run.first = look();
		CHECK(chained() >= kept, "%u in a chain of %u", kept, chained());
		CHECK(run.number - run.first > kept * 8, "%u events", run.number - run.first);
	}
}

static void move__to_other_sub_buffers_keeps_what_fits(void)
{
	u32 kept;

	begin(77, 32, 1024);
	settle(3000);
	kept = move(40, 4096);
	CHECK(kept >= 22, "%u", kept);
	run.first = MOST;
	look();
	begin(78, 32, 4096);
	settle(6000);
	/* The newest one is not full: it may fit, those before do not. */
	kept = move(64, 1024);
	CHECK(kept <= 1, "%u", kept);
}

/* Its last event begins where it would fit, ends behind that, and all of that are zeroes. */
static void move__does_not_cut_an_event_that_ends_in_zeroes(void)
{
	u32 from, kept;

	for (from = 900; from < 1100; from += 8) {
		begin(0, 16, 4096);
		while (((u32)ring.head & 4095) < from)
			write_as(false);
		write_as(true);
		kept = ((u32)ring.head & 4095) <= 1024 - 4;
		run.first = kept ? 0 : MOST;
		CHECK(move(32, 1024) == kept, "one that begins at %u: not %u", from, kept);
		look();
	}
}

static void move__of_a_cpu_that_is_off_has_a_time_of_that_cpu(void)
{
	struct epitaph_ring to = { .data = places[1].data, .size = 32 * 512, .sub_size = 512 };
	u64 last;

	begin(0, 32, 512);
	write_one();
	to.last = last = ring.last;
	clock_now += 1000000;
	CHECK(!epitaph_ring_move(&ring, &to, &old) && ring.last == last, "%llu for %llu",
	      (unsigned long long)ring.last, (unsigned long long)last);
	CHECK(((struct epitaph_sub *)ring.data)->time == cpu_to_le64(last), "its first sub-buffer");
}

static void history__takes_few_bytes_from_the_writers_at_once(void)
{
	static const u32 subs[] = { 1024, 4096, 16384, 65536 }, most[] = { 8, 8, 2, 1 };
	u32 i;

	for (i = 0; i < sizeof(subs) / sizeof(*subs); i++) {
		struct epitaph_ring to = { .seq = 2, .sub_size = subs[i], .size = 512 * subs[i] };
		struct epitaph_ring from = { .seq = 1 };
		struct epitaph_history history = { .old = &from, .ring = &to, .off = to.size };

		CHECK(epitaph_history_narrow(&history, &to) &&
		      to.size == (512 - most[i]) * subs[i] && history.end == to.size,
		      "%u of %u bytes", 512 - to.size / subs[i], subs[i]);
	}
}

static void move__refuses_what_is_no_ring(void)
{
	struct epitaph_ring to, before;

	begin(0, 32, 512);
	before = ring;
	to = (struct epitaph_ring){ .data = places[1].data, .size = 8 * 512, .sub_size = 512 };
	CHECK(epitaph_ring_move(&ring, &to, &old) == -EINVAL, "too few");
	to = (struct epitaph_ring){ .data = places[1].data + 512, .size = 65536, .sub_size = 1024 };
	CHECK(epitaph_ring_move(&ring, &to, &old) == -EINVAL, "not aligned");
	to = (struct epitaph_ring){ .data = places[1].data, .size = 32 * 131072, .sub_size = 131072 };
	CHECK(epitaph_ring_move(&ring, &to, &old) == -EINVAL, "too large");
	CHECK(!memcmp(&before, &ring, sizeof(ring)), "it changed");
}

static void ring__with_the_largest_sub_buffers_takes_events_of_16_KiB_at_most(void)
{
	u8 *data = aligned_alloc(65536, 16 * 65536);

	ring = (struct epitaph_ring){ .data = data, .sub_size = 65536, .size = 16 * 65536, .salt = SALT,
				      .counters = &counters };
	CHECK(!epitaph_ring_init(&ring), "refused");
	CHECK(epitaph_ring_max_payload(&ring) / 4 < EPITAPH_CLAIM_WORDS_MASK - 3, "%u",
	      epitaph_ring_max_payload(&ring));
	free(data);
}

int main(void)
{
	u32 i;

	sizes[U64].id = cpu_to_le16(U64);
	sizes[U64].words = cpu_to_le16(2);
	for (i = 0; i < 2; i++)
		places[i].data = NULL;
	TAP_RUN(move__to_a_larger_ring_keeps_all);
	TAP_RUN(move__to_a_smaller_ring_keeps_the_newest);
	TAP_RUN(move__to_other_sub_buffers_keeps_what_fits);
	TAP_RUN(move__does_not_cut_an_event_that_ends_in_zeroes);
	TAP_RUN(move__of_a_cpu_that_is_off_has_a_time_of_that_cpu);
	TAP_RUN(history__takes_few_bytes_from_the_writers_at_once);
	TAP_RUN(move__refuses_what_is_no_ring);
	TAP_RUN(ring__with_the_largest_sub_buffers_takes_events_of_16_KiB_at_most);
	for (i = 0; i < 2; i++)
		free(places[i].data);
	return tap_done();
}
