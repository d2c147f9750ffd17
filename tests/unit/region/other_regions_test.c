// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory in which several recorders left their regions: it is read by the newest, wherever it lies,
 * and the others are named.
 *
 * build: @extractor
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checksum.h"
#include "region/generation.h"
#include "tap.h"

#define SIZE		(1U << 20)	/* of a generation */
#define TABLE_SIZE	4096U
#define MAX_REGIONS	12

static int fd;

static u64 place(u32 i)
{
	return (2ULL << 20) * (i + 1);
}

static void write_header(u64 base, u32 index, u64 start_real_ns)
{
	static u8 table[TABLE_SIZE];
	struct epitaph_header *h = (void *)table;
	u64 self[] = { 0, SIZE - TABLE_SIZE };
	u32 i;

	for (i = 0; i < 2; i++) {
		*h = (struct epitaph_header){
			.magic = htole64(~EPITAPH_MAGIC_INVERTED), .major = htole16(EPITAPH_MAJOR),
			.header_size = htole32(sizeof(*h)), .section_size = htole32(sizeof(struct epitaph_section)),
			.region_size = htole64(2 * SIZE), .gen_size = htole64(SIZE),
			.gen_index = htole32(index), .nr_gens = htole32(2), .number = htole64(index + 1),
			.self_off = htole64(self[i]), .copy_off = htole64(SIZE - TABLE_SIZE),
			.table_size = htole32(TABLE_SIZE), .salt = htole64(base + index + 77), .clock_khz = htole32(1000),
			.phys_addr = htole64(base), .start_real_ns = htole64(start_real_ns),
		};
		h->check = htole64(checksum(0, h, TABLE_SIZE));
		if (pwrite(fd, table, sizeof(table), base + (u64)index * SIZE + self[i]) != sizeof(table))
			abort();
	}
}

/* Regions whose first generations began at 1, and whose second ones at @starts. */
static void check_region(const u64 *starts, u32 nr, u32 wanted)
{
	struct generation_set *set = NULL;
	struct dump *in = NULL;
	u32 i, nr_named;

	if (ftruncate(fd, 0) || ftruncate(fd, place(nr + 1)))
		abort();
	for (i = 0; i < nr; i++) {
		write_header(place(i), 0, 1);
		write_header(place(i), 1, starts[i]);
	}
	if (dump_open_fd(&in, dup(fd), NULL) || generation_set_find(&set, in, NULL))
		abort();
	CHECK(set->start == place(wanted) && set->nr == 2, "%u generations at 0x%llx", set->nr, set->start);
	CHECK(set->others.nr == nr - 1, "%u others", set->others.nr);
	nr_named = nr - 1 < MAX_OTHER_REGIONS ? nr - 1 : MAX_OTHER_REGIONS;
	for (i = 0; i < nr_named; i++) {
		u64 at = set->others.region[i].addr, start = set->others.region[i].start_real_ns;

		CHECK(at != place(wanted) && start == starts[at / place(0) - 1], "0x%llx began at %llu", at, start);
	}
	generation_set_free(set);
	dump_close(in);
}

static void other_regions__the_newest_is_read_wherever_it_lies(void)
{
	check_region((u64[]){ 10 }, 1, 0);
	check_region((u64[]){ 10, 20 }, 2, 1);
	check_region((u64[]){ 20, 10 }, 2, 0);
	check_region((u64[]){ 10, 30, 20 }, 3, 1);
}

static void other_regions__more_than_are_kept(void)
{
	u64 starts[MAX_REGIONS];
	u32 i;

	for (i = 0; i < MAX_REGIONS; i++)
		starts[i] = 100 + i;
	check_region(starts, MAX_REGIONS, MAX_REGIONS - 1);
	for (i = 0; i < MAX_REGIONS; i++)
		starts[i] = 100 - i;
	check_region(starts, MAX_REGIONS, 0);
}

int main(void)
{
	fd = memfd_create("memory", 0);
	if (fd < 0)
		return 99;
	TAP_RUN(other_regions__the_newest_is_read_wherever_it_lies);
	TAP_RUN(other_regions__more_than_are_kept);
	return tap_done();
}
