// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bitmap of a file, against counting bit by bit.
 *
 * build: @extractor
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "dump/pfn_bitmap.h"
#include "tap.h"

#define BASE 12345			/* of the bitmap in the file: aligned to nothing */

/* A file with a bitmap, and where each run of the naive count stands. */
struct naive {
	u8 *bits;
	u64 nr_bits;
	u64 *before;			/* bits set before each byte */
};

static struct dump *make_input(const struct naive *naive, u64 nr_bytes)
{
	int fd = memfd_create("bitmap", MFD_CLOEXEC);
	struct dump *in = NULL;

	/* Zeroes stay holes of the file, as in a sparse copy. */
	CHECK(!ftruncate(fd, BASE + nr_bytes), "ftruncate");
	for (u64 i = 0; i < nr_bytes; i += 4096) {
		size_t len = nr_bytes - i < 4096 ? nr_bytes - i : 4096;

		if (naive->before[i + len] != naive->before[i])
			CHECK(pwrite(fd, naive->bits + i, len, BASE + i) == (ssize_t)len, "pwrite");
	}
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	return in;
}

/* @nr_bits of which runs are set, all set, or clear; bits behind the last are set. */
static struct naive make_naive(u64 nr_bits, unsigned int seed)
{
	struct naive naive = { .nr_bits = nr_bits };
	u64 nr = nr_bits / 8 + 1;

	naive.bits = calloc(1, nr);
	naive.before = calloc(nr + 1, sizeof(u64));
	srand(seed);
	for (u64 i = 0; i < nr; ) {
		u64 end = i + 1 + rand() % (nr / 16 + 1);
		int kind = rand() % 3;

		for (; i < end && i < nr; i++)
			naive.bits[i] = kind == 0 ? 0 : kind == 1 ? 0xff : rand();
	}
	naive.bits[nr - 1] = 0xff;
	for (u64 i = 0; i < nr; i++)
		naive.before[i + 1] = naive.before[i] + __builtin_popcount(naive.bits[i]);
	return naive;
}

static u64 naive_rank(const struct naive *naive, u64 bit)
{
	return naive->before[bit / 8] +
	       __builtin_popcount(naive->bits[bit / 8] & ((1U << bit % 8) - 1));
}

static u64 naive_find(const struct naive *naive, u64 bit, bool set)
{
	while (bit < naive->nr_bits && (naive->bits[bit / 8] >> bit % 8 & 1) != set)
		bit++;
	return bit;
}

static void check_bitmap(u64 nr_bits, unsigned int seed, int nr_queries)
{
	struct naive naive = make_naive(nr_bits, seed);
	struct dump *in = make_input(&naive, nr_bits / 8 + 1);
	struct pfn_bitmap *map = calloc(1, sizeof(*map));

	map->off = BASE;
	map->nr_bits = nr_bits;
	pfn_bitmap_count(in, map);
	CHECK(map->nr_set == naive_rank(&naive, nr_bits), "%llu set, not %llu", map->nr_set,
	      naive_rank(&naive, nr_bits));
	for (int i = 0; i < nr_queries; i++) {
		u64 bit = ((u64)rand() << 16 ^ rand()) % nr_bits;
		bool set = naive.bits[bit / 8] >> bit % 8 & 1;
		u64 run = naive_find(&naive, bit, false) - bit, max = rand() % 300;

		CHECK(pfn_bitmap_test(in, map, bit) == set, "bit %llu", bit);
		CHECK(pfn_bitmap_rank(in, map, bit) == naive_rank(&naive, bit), "rank of %llu: %llu, not %llu",
		      bit, pfn_bitmap_rank(in, map, bit), naive_rank(&naive, bit));
		CHECK(pfn_bitmap_find(in, map, bit, i & 1) == naive_find(&naive, bit, i & 1),
		      "%d from %llu: %llu, not %llu", i & 1, bit,
		      pfn_bitmap_find(in, map, bit, i & 1), naive_find(&naive, bit, i & 1));
		CHECK(pfn_bitmap_run(in, map, bit, max) == (run < max ? run : max), "%llu from %llu of %llu",
		      pfn_bitmap_run(in, map, bit, max), bit, run);
	}
	CHECK(!pfn_bitmap_test(in, map, nr_bits), "a bit behind the last");
	CHECK(pfn_bitmap_find(in, map, nr_bits, true) == nr_bits, "found behind the last");
	CHECK(!pfn_bitmap_run(in, map, nr_bits, 9), "a run behind the last");
	for (u64 far = nr_bits; far < 1ULL << 60; far *= 3)
		CHECK(pfn_bitmap_rank(in, map, far) == map->nr_set, "rank of %llu: %llu, not %llu", far,
		      pfn_bitmap_rank(in, map, far), map->nr_set);
	dump_close(in);
	free(map);
	free(naive.bits);
	free(naive.before);
}

static void bitmap__small_ones_answer_as_counting_does(void)
{
	for (u64 nr_bits = 1; nr_bits < 80; nr_bits++)
		check_bitmap(nr_bits, nr_bits, 200);
}

static void bitmap__those_of_several_windows_answer_as_counting_does(void)
{
	for (unsigned int seed = 0; seed < 20; seed++)
		check_bitmap(8 * 4096 * 3 + 8 * 1000 + seed, seed, 1000);
}

/* 20 MiB of bits: chunks of more than a window. */
static void bitmap__those_of_a_tib_of_memory_answer_as_counting_does(void)
{
	check_bitmap(20ULL << 23, 1, 300);
	check_bitmap((20ULL << 23) + 5, 2, 300);
}

static void bitmap__bits_that_the_file_lacks_are_clear(void)
{
	struct naive naive = make_naive(80000, 3);
	struct dump *in = make_input(&naive, 5000);
	struct pfn_bitmap *map = calloc(1, sizeof(*map));

	map->off = BASE;
	map->nr_bits = 80000;
	pfn_bitmap_count(in, map);
	CHECK(map->nr_set == naive.before[5000], "%llu, not %llu", map->nr_set, naive.before[5000]);
	CHECK(!pfn_bitmap_test(in, map, 40000), "a bit that is not there");
	CHECK(pfn_bitmap_find(in, map, 40000, true) == 80000, "found where nothing is");
	CHECK(pfn_bitmap_find(in, map, 40000, false) == 40000, "clear");
	dump_close(in);
	free(map);
	free(naive.bits);
	free(naive.before);
}

/* A header may say that there are 2^40 pages, and a hole have room for their bits. */
static void bitmap__a_huge_hole_is_stepped_over(void)
{
	struct pfn_bitmap *map = calloc(1, sizeof(*map));
	int fd = memfd_create("bitmap", MFD_CLOEXEC);
	struct timespec from, to;
	struct dump *in = NULL;
	u8 one = 0x10;

	CHECK(!ftruncate(fd, BASE + (1ULL << 37)), "ftruncate");
	CHECK(pwrite(fd, &one, 1, BASE + (1ULL << 36)) == 1, "pwrite");
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	map->off = BASE;
	map->nr_bits = 1ULL << 40;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	pfn_bitmap_count(in, map);
	CHECK(map->nr_set == 1, "%llu", map->nr_set);
	CHECK(pfn_bitmap_find(in, map, 0, true) == (8ULL << 36) + 4, "%llu", pfn_bitmap_find(in, map, 0, true));
	CHECK(pfn_bitmap_rank(in, map, (1ULL << 40) - 1) == 1, "rank");
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	CHECK(to.tv_sec - from.tv_sec < 3, "%ld s", (long)(to.tv_sec - from.tv_sec));
	dump_close(in);
	free(map);
}

int main(void)
{
	TAP_RUN(bitmap__small_ones_answer_as_counting_does);
	TAP_RUN(bitmap__those_of_several_windows_answer_as_counting_does);
	TAP_RUN(bitmap__those_of_a_tib_of_memory_answer_as_counting_does);
	TAP_RUN(bitmap__bits_that_the_file_lacks_are_clear);
	TAP_RUN(bitmap__a_huge_hole_is_stepped_over);
	return tap_done();
}
