// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that is kept when the kernel dies: what a reader finds, also when the CPU stops between any two
 * stores. The memory that is read is a double; the reader here knows docs/format.md alone.
 *
 * build: kernel/crash/kept_pieces.c -I kernel -DEPITAPH_CRASH_POINTS
 */
#include <setjmp.h>
#include <stdlib.h>

#include <epitaph/check.h>

#include "crash/kept_pieces.h"
#include "tap.h"

#define SIZE	4096
#define SALT	0x1234567890abcdefULL

static u8 section[SIZE] __attribute__((aligned(64)));
static struct epitaph_kept_pieces pieces;
static jmp_buf stopped;
static u64 stops_at, nr_points;
static u64 hole_from = ~0ULL, hole_to;

void crash_point(const char *label)
{
	(void)label;
	if (nr_points++ == stops_at)
		longjmp(stopped, 1);
}

/* The byte at an address is its low one, and nothing is in the hole. Some of what cannot be read is written all the same. */
size_t epitaph_kept_read(void *to, u64 addr, size_t size)
{
	size_t i;

	for (i = 0; i < size && !(addr + i >= hole_from && addr + i < hole_to); i++)
		((u8 *)to)[i] = (u8)(addr + i);
	if (i < size)
		memset((u8 *)to + i, 0xee, size - i < 16 ? size - i : 16);
	return i;
}

static void begin(size_t size)
{
	memset(&pieces, 0, sizeof(pieces));
	pieces = (struct epitaph_kept_pieces){ .base = section, .size = size, .salt = SALT, .clock = 77, .cpu = 1, .pid = 42 };
	epitaph_kept_begin(&pieces);
}

/* Pieces up to the first without a check. Return: how many; -1: one is damaged. */
static int read_all(u64 *bytes, u64 clock)
{
	struct epitaph_kept head;
	size_t off = 0;
	int nr = 0;
	u64 check;

	*bytes = 0;
	while (off + sizeof(head) <= SIZE) {
		memcpy(&head, section + off, sizeof(head));
		if (!head.check)
			break;
		if (le32_to_cpu(head.size) > SIZE - off - sizeof(head))
			return -1;
		check = epitaph_check(SALT, &head, offsetof(struct epitaph_kept, check));
		check = epitaph_check(check, section + off + sizeof(head), le32_to_cpu(head.size));
		if (check != le64_to_cpu(head.check) || le64_to_cpu(head.clock) != clock)
			return -1;
		for (u32 i = 0; i < le32_to_cpu(head.size); i++)
			if (section[off + sizeof(head) + i] != (u8)(le64_to_cpu(head.addr) + i))
				return -1;
		*bytes += le32_to_cpu(head.size);
		off += sizeof(head) + (le32_to_cpu(head.size) + 7) / 8 * 8;
		nr++;
	}
	return nr;
}

static void pieces__are_read_as_they_were_kept(void)
{
	u64 bytes;

	stops_at = ~0ULL;
	begin(SIZE);
	CHECK(epitaph_kept_add(&pieces, EPITAPH_KEPT_CODE, 0x1000, 33, "f+0x0/0x21 [m]"), "room");
	CHECK(epitaph_kept_add(&pieces, EPITAPH_KEPT_NAME, 0x9000, 0, "g+0x0/0x21"), "room");
	CHECK(epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x2000, 256, ""), "room");
	CHECK(read_all(&bytes, 77) == 3 && bytes == 33 + 256, "%d pieces, %llu bytes", read_all(&bytes, 77), (unsigned long long)bytes);
	CHECK(!strcmp(((struct epitaph_kept *)section)->name, "f+0x0/0x21 [m]"), "the name");
	CHECK(epitaph_kept_add(&pieces, EPITAPH_KEPT_NAME, 0x1008, 0, "h+0x0/0x8 [m]"), "a name where memory is kept");
	CHECK(read_all(&bytes, 77) == 4 && le64_to_cpu(((struct epitaph_kept *)(section + pieces.used - sizeof(struct epitaph_kept)))->addr) == 0x1008,
	      "the address of that name");
	CHECK(epitaph_kept_has(&pieces, 0x20ff) && !epitaph_kept_has(&pieces, 0x2100) && !epitaph_kept_has(&pieces, 0x9000), "which bytes are kept");
}

static void pieces__keep_no_byte_twice(void)
{
	u64 bytes;

	stops_at = ~0ULL;
	begin(SIZE);
	epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x1040, 32, "");
	epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x1080, 32, "");
	epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x1000, 256, "");
	CHECK(read_all(&bytes, 77) == 5 && bytes == 256, "%llu bytes", (unsigned long long)bytes);
	epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x1010, 64, "");
	CHECK(read_all(&bytes, 77) == 5 && bytes == 256, "%llu bytes", (unsigned long long)bytes);
}

static void pieces__end_where_memory_cannot_be_read(void)
{
	u64 bytes;

	stops_at = ~0ULL;
	begin(SIZE);
	hole_from = 0x1010;
	hole_to = 0x1200;
	epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x1000, 256, "");
	CHECK(read_all(&bytes, 77) == 1 && bytes == 16, "%llu bytes", (unsigned long long)bytes);
	epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x1100, 64, "");
	CHECK(read_all(&bytes, 77) == 1 && bytes == 16, "%llu bytes", (unsigned long long)bytes);
	hole_from = ~0ULL;
	epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x3000, 64, "");
	CHECK(read_all(&bytes, 77) == 2 && bytes == 80, "%llu bytes", (unsigned long long)bytes);
	epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, ~0ULL - 8, 64, "");
	CHECK(read_all(&bytes, 77) == 2, "one that goes round");
}

static void pieces__fit_into_the_section(void)
{
	u64 bytes;
	u32 nr = 0;

	for (size_t size = 0; size < 640; size += 64) {
		memset(section, 0xa5, sizeof(section));
		stops_at = ~0ULL;
		pieces.size = size;
		if (size < sizeof(struct epitaph_kept))
			continue;
		begin(size);
		for (u64 at = 0x1000; epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, at, 40, ""); at += 0x100)
			nr++;
		CHECK(pieces.used <= size && section[size] == 0xa5, "%zu bytes of %zu", pieces.used, size);
	}
	CHECK(nr, "any");
	begin(SIZE);
	for (u64 at = 0x1000; epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, at, 1, ""); at += 0x100)
		;
	CHECK(read_all(&bytes, 77) == (int)(SIZE / (sizeof(struct epitaph_kept) + 8)), "%llu", (unsigned long long)bytes);
}

/* The second death begins over the pieces of the first: those of one are there, whole, and never both. */
static void pieces__are_whole_wherever_the_cpu_stops(void)
{
	volatile bool is_done = false;
	volatile int last = 0;
	u64 bytes;
	int nr;

	for (volatile u64 stop = 0; !is_done; stop++) {
		memset(section, 0, sizeof(section));
		stops_at = ~0ULL;
		begin(SIZE);
		for (u64 at = 0; at < 8; at++)
			epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x1000 + 0x100 * at, 24 + at, "");
		nr_points = 0;
		stops_at = stop;
		pieces.clock = 78;
		if (!setjmp(stopped)) {
			epitaph_kept_begin(&pieces);
			for (u64 at = 0; at < 8; at++)
				epitaph_kept_add(&pieces, EPITAPH_KEPT_DATA, 0x1008 + 0x200 * at, 16 + at, "");
			is_done = true;
		}
		nr = read_all(&bytes, 78);
		if (nr < 0 && !last)
			nr = read_all(&bytes, 77) == 8 ? 0 : -1;
		CHECK(nr >= last && nr <= last + 1, "stop %llu: %d pieces behind %d", (unsigned long long)stop, nr, last);
		last = nr;
	}
	CHECK(last == 8, "%d pieces", last);
}

int main(void)
{
	TAP_RUN(pieces__are_read_as_they_were_kept);
	TAP_RUN(pieces__keep_no_byte_twice);
	TAP_RUN(pieces__end_where_memory_cannot_be_read);
	TAP_RUN(pieces__fit_into_the_section);
	TAP_RUN(pieces__are_whole_wherever_the_cpu_stops);
	return tap_done();
}
