// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ring's core against the limit, which is a timestamp and a plain store of
 * 12 bytes: both in each of 301 rounds, so that they see the same machine.  A line
 * for each round: ns of an event, ns of the limit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

#include <epitaph/ring.h>
#include <epitaph/ring_fast.h>

#define ROUNDS	301
#define EVENTS	100000
#define SIZE	(256 << 10)

u64 epitaph_clock(void)
{
	return __rdtsc();
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static noinline void write_slowly(struct epitaph_ring *ring, u32 id,
				  const void *payload, u32 bytes)
{
	struct epitaph_rec rec;

	memcpy(epitaph_ring_reserve(ring, &rec, id, bytes, false), payload, bytes);
	epitaph_ring_commit(&rec);
}

static double time_ring(struct epitaph_ring *ring)
{
	double begin = now_ns();
	u64 i;

	for (i = 0; i < EVENTS; i++) {
		struct epitaph_fast fast;

		if (epitaph_fast_claim(ring, &fast, 3)) {
			memcpy(fast.w + 1, &i, sizeof(i));
			epitaph_fast_commit(ring, &fast, 20 << EPITAPH_ID_SHIFT, 3);
		} else {
			write_slowly(ring, 20, &i, sizeof(i));
		}
	}
	return (now_ns() - begin) / EVENTS;
}

static double time_limit(volatile u8 *buffer)
{
	double begin = now_ns();
	u64 i, at = 0;

	for (i = 0; i < EVENTS; i++) {
		*(volatile u32 *)(buffer + at) = __rdtsc();
		*(volatile u64 *)(buffer + at + 4) = i;
		at += 12;
		if (at + 12 > SIZE)
			at = 0;
	}
	return (now_ns() - begin) / EVENTS;
}

int main(void)
{
	static struct epitaph_counters counters;
	struct epitaph_ring ring = {
		.size = SIZE, .sub_size = 4096, .salt = 0x5eed, .shift = 4,
		.counters = &counters,
	};
	u8 *buffer = aligned_alloc(4096, SIZE);
	int i;

	ring.data = aligned_alloc(4096, SIZE);
	if (!buffer || !ring.data || epitaph_ring_init(&ring))
		return 1;
	time_ring(&ring);
	for (i = 0; i < ROUNDS; i++) {
		double ours = time_ring(&ring);

		printf("%.2f %.2f\n", ours, time_limit(buffer));
	}
	free(ring.data);
	free(buffer);
	return 0;
}
