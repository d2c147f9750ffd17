// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The promises of ring.h to its callers.
 *
 * build: kernel/core/ring.c tests/lib/ring_reader.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <epitaph/ring_fast.h>

#include "ring_reader.h"
#include "tap.h"

#define SUB	4096
#define U64	(EPITAPH_ID_FIRST + 2)
#define TEXT	700

static const u16 words_of[512] = { [U64] = 2 };
static u64 clock_now = 1000;

/* Of a clock that is a function: who is called at its entry writes into the same ring. */
static struct epitaph_ring *written_by_clock;
static u64 nr_by_clock;

u64 epitaph_clock(void)
{
	struct epitaph_ring *ring = written_by_clock;
	struct epitaph_rec rec;
	u64 payload = 0;
	void *to;

	if (!ring)
		return ++clock_now;
	written_by_clock = NULL;
	to = epitaph_ring_reserve(ring, &rec, U64, sizeof(payload), false);
	if (to) {
		memcpy(to, &payload, sizeof(payload));
		epitaph_ring_commit(&rec);
		nr_by_clock++;
	}
	written_by_clock = ring;
	return ++clock_now;
}

static struct epitaph_counters counters;

static struct epitaph_ring ring_of(u32 sub_size, u32 size)
{
	return (struct epitaph_ring){
		.data = aligned_alloc(SUB, 64 * SUB), .sub_size = sub_size,
		.size = size, .salt = 7, .pid = 42, .counters = &counters,
	};
}

static struct epitaph_ring begin(void)
{
	struct epitaph_ring ring = ring_of(SUB, EPITAPH_MIN_SUBS * SUB);

	CHECK(!epitaph_ring_init(&ring), "refused");
	return ring;
}

static void *reserve(struct epitaph_ring *ring, u32 id, u32 bytes, bool varies)
{
	struct epitaph_rec rec;
	void *to = epitaph_ring_reserve(ring, &rec, id, bytes, varies);

	if (!to)
		return NULL;
	memset(to, 0x5a, bytes);
	epitaph_ring_commit(&rec);
	return to;
}

static struct reader_sub *read_at(const struct epitaph_ring *ring, u32 off)
{
	static struct reader_sub sub;

	reader_sub(&sub, ring->data + off, ring->sub_size, off, ring->salt, words_of);
	return &sub;
}

static void ring__refuses_shapes_that_do_not_work(void)
{
	static const struct {
		u32 sub_size, size, shift_data;
	} shapes[] = {
		{ 256, 256 * 64, 0 }, { 32768, 32768 * 64, 0 },
		{ 4096, 4096 * (EPITAPH_MIN_SUBS - 1), 0 }, { 4096, 0, 0 },
		{ 3000, 3000 * 64, 0 }, { 4096, 4096 * 40 + 512, 0 },
		{ 4096, 4096 * 20, 512 }, { 4096, 0x80001000U, 0 },
	};
	u32 i;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		struct epitaph_ring ring = ring_of(shapes[i].sub_size, shapes[i].size);
		u8 *data = ring.data;

		ring.data += shapes[i].shift_data;
		CHECK(epitaph_ring_init(&ring) == -EINVAL, "shape %u", i);
		free(data);
	}
}

static void ring__u64_event_takes_12_bytes(void)
{
	struct epitaph_ring ring = begin();
	u64 head = ring.head;

	reserve(&ring, U64, 8, false);
	CHECK(ring.head - head == 12, "%u bytes", (u32)(ring.head - head));
	free(ring.data);
}

/* As a probe does.  Return: it went the fast path. */
static bool write_fast(struct epitaph_ring *ring, u64 value)
{
	struct epitaph_fast fast;
	struct epitaph_rec rec;
	u64 now = clock_now;

	if (epitaph_fast_claim(ring, &fast, 3)) {
		memcpy(fast.w + 1, &value, 8);
		epitaph_fast_commit(ring, &fast, U64 << EPITAPH_ID_SHIFT, 3);
		return true;
	}
	clock_now = now;
	memcpy(epitaph_ring_reserve(ring, &rec, U64, 8, false), &value, 8);
	epitaph_ring_commit(&rec);
	return false;
}

static void ring__fast_path_writes_what_the_other_does(void)
{
	struct epitaph_ring a = begin(), b = begin();
	u64 start = clock_now;
	u32 i, nr_fast = 0;

	for (i = 0; i < 3000; i++) {
		u64 value = i * 0x123456789ULL;
		struct epitaph_rec rec;

		clock_now = start + i;
		nr_fast += write_fast(&a, value);
		clock_now = start + i;
		memcpy(epitaph_ring_reserve(&b, &rec, U64, 8, false), &value, 8);
		epitaph_ring_commit(&rec);
	}
	/* But for the times of the sub-buffers, which the clock gave at the start. */
	CHECK(nr_fast > 2900, "%u", nr_fast);
	CHECK(read_at(&a, SUB)->nr_events == read_at(&b, SUB)->nr_events, "events");
	CHECK(a.head == b.head, "%llx, %llx", (unsigned long long)a.head,
	      (unsigned long long)b.head);
	CHECK(!memcmp(a.data + SUB + 96, b.data + SUB + 96, SUB - 96), "content");
	free(a.data);
	free(b.data);
}

static void ring__payload_is_zero_when_it_is_reserved(void)
{
	struct epitaph_ring ring = begin();
	u32 i, j;

	for (i = 0; i < 20000; i++) {
		u32 bytes = i * 7 % 300;
		struct epitaph_rec rec;
		u8 *to = epitaph_ring_reserve(&ring, &rec, TEXT, bytes, true);

		if (!CHECK(to && (uintptr_t)to % 4 == 0, "%p", (void *)to))
			break;
		for (j = 0; j < bytes; j++)
			CHECK(!to[j], "event %u byte %u", i, j);
		memset(to, 0xff, bytes);
		epitaph_ring_commit(&rec);
	}
	free(ring.data);
}

static void ring__largest_event_fits_and_a_larger_one_is_counted(void)
{
	struct epitaph_ring ring = begin();
	u32 max = epitaph_ring_max_payload(&ring);
	u32 i;

	for (i = 0; i < 40; i++) {
		clock_now += 1 << 21;
		CHECK(reserve(&ring, TEXT, max, true), "event %u", i);
		CHECK(!reserve(&ring, TEXT, max + 1, true), "event %u", i);
		CHECK(reserve(&ring, U64, 8, false), "event %u", i);
	}
	CHECK(counters.too_large == cpu_to_le64(40) &&
	      counters.too_large_not == cpu_to_le64(~40ULL), "%llu",
	      (unsigned long long)le64_to_cpu(counters.too_large));
	CHECK(ring.lost == 40, "%llu", (unsigned long long)ring.lost);
	CHECK(!ring.nest, "%lu", ring.nest);
	free(ring.data);
}

static void ring__new_ring_has_lost_nothing_and_says_so(void)
{
	struct epitaph_ring ring;

	memset(&counters, 0x77, sizeof(counters));
	ring = begin();
	CHECK(!counters.too_large && !~counters.too_large_not, "too_large");
	CHECK(!counters.too_deep && !~counters.too_deep_not, "too_deep");
	free(ring.data);
}

static void ring__sub_buffer_says_who_ran_and_what_was_lost(void)
{
	struct epitaph_ring ring = begin();
	struct reader_sub *sub;

	CHECK(read_at(&ring, 0)->pid == 42, "%u", read_at(&ring, 0)->pid);
	ring.pid = 43;
	reserve(&ring, TEXT, 1 << 20, true);
	while (ring.seq == 1)
		reserve(&ring, U64, 8, false);
	sub = read_at(&ring, SUB);
	CHECK(sub->verdict == READER_GOOD, "%s", sub->why);
	CHECK(sub->pid == 43 && sub->lost == 1 && sub->prev == 1 && sub->seq == 2,
	      "pid %u lost %llu prev %u seq %llu", sub->pid,
	      (unsigned long long)sub->lost, sub->prev, (unsigned long long)sub->seq);
	CHECK(sub->time <= clock_now && sub->time > 1000, "%llu",
	      (unsigned long long)sub->time);
	free(ring.data);
}

static void ring__clock_that_goes_back_is_told_as_it_was(void)
{
	struct epitaph_ring ring = begin();
	const struct reader_sub *sub;
	u64 times[4];
	u32 i;

	for (i = 0; i < 4; i++) {
		clock_now += i == 2 ? -500 : 50;
		reserve(&ring, U64, 8, false);
		times[i] = clock_now;
	}
	sub = read_at(&ring, 0);
	for (i = 0; i < 4 && i < sub->nr_events; i++)
		CHECK(sub->events[i].time == times[i], "event %u: %llu, wanted %llu", i,
		      (unsigned long long)sub->events[i].time,
		      (unsigned long long)times[i]);
	CHECK(sub->nr_events == 4, "%u", sub->nr_events);
	free(ring.data);
}

static void ring__clock_that_is_recorded_ends_no_writer(void)
{
	struct epitaph_ring ring = begin();
	u64 all = 0;
	u32 i;

	/* It would go on for ever. */
	alarm(10);
	for (i = 0; i < 1000; i++) {
		written_by_clock = &ring;
		CHECK(!reserve(&ring, U64, 8, false), "%u", i);
		written_by_clock = NULL;
		CHECK(le64_to_cpu(counters.too_deep) == i + 1 && counters.too_deep_not == ~counters.too_deep, "%u", i);
		/* What is behind it is written, on the level that was given back. */
		CHECK(ring.nest == 0 && reserve(&ring, U64, 8, false), "%u: level %lu", i, (unsigned long)ring.nest);
	}
	alarm(0);
	for (i = 0; i < ring.size; i += SUB) {
		const struct reader_sub *sub = read_at(&ring, i);

		CHECK(sub->verdict == READER_GOOD, "%u: %s", i, sub->why);
		all += sub->nr_events;
	}
	CHECK(all && nr_by_clock >= 1000, "%llu events, %llu by the clock", (unsigned long long)all,
	      (unsigned long long)nr_by_clock);
	free(ring.data);
}

int main(void)
{
	TAP_RUN(ring__refuses_shapes_that_do_not_work);
	TAP_RUN(ring__u64_event_takes_12_bytes);
	TAP_RUN(ring__fast_path_writes_what_the_other_does);
	TAP_RUN(ring__payload_is_zero_when_it_is_reserved);
	TAP_RUN(ring__largest_event_fits_and_a_larger_one_is_counted);
	TAP_RUN(ring__new_ring_has_lost_nothing_and_says_so);
	TAP_RUN(ring__sub_buffer_says_who_ran_and_what_was_lost);
	TAP_RUN(ring__clock_that_goes_back_is_told_as_it_was);
	TAP_RUN(ring__clock_that_is_recorded_ends_no_writer);
	return tap_done();
}
