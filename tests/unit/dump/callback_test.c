// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that somebody else reads.
 *
 * build: @extractor
 */
#include <string.h>

#include "dump/callback.h"
#include "tap.h"

#define BASE	0x100000ULL
#define PAGES	8

/* Of which page 5 is not there. */
static u8 memory[PAGES * DUMP_PAGE];
static u64 nr_crossing;

static int read_memory(void *priv, uint64_t paddr, void *buf, size_t size)
{
	u64 off = paddr - BASE;

	nr_crossing += paddr / DUMP_PAGE != (paddr + size - 1) / DUMP_PAGE;
	if (!CHECK(priv == memory && paddr >= BASE && size <= sizeof(memory) - off,
		   "%llx+%zx", (u64)paddr, size) || off / DUMP_PAGE == 5)
		return false;
	memcpy(buf, memory + off, size);
	return true;
}

/* Pages 0 and 1, 3 to 6, and part of 7. */
static const struct epitaph_segment segments[] = {
	{ BASE, 2 * DUMP_PAGE },
	{ BASE + 3 * DUMP_PAGE, 4 * DUMP_PAGE },
	{ BASE + 7 * DUMP_PAGE, 100 },
};

static const struct epitaph_memory_reader all = {
	.name = "the session", .kind = "memory of a test", .big_endian = 1,
	.segments = segments, .nr_segments = ARRAY_SIZE(segments),
	.vmcoreinfo = "OSRELEASE=6.1\n", .read = read_memory, .arg = memory,
};

static struct dump *open_all(void)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	for (size_t i = 0; i < sizeof(memory); i++)
		memory[i] = i * 7 + i / DUMP_PAGE;
	CHECK(!dump_open_callback(&in, &all, &err), "%s", err.msg);
	return in;
}

static void check_read(struct dump *in, u64 off, size_t size, ssize_t there)
{
	static u8 buf[sizeof(memory)];
	ssize_t n = dump_read(in, BASE + off, buf, size, NULL);

	CHECK(n == there, "%zd of %zu at %llx, not %zd", n, size, off, there);
	CHECK(n < 0 || !memcmp(buf, memory + off, n), "%zu at %llx", size, off);
}

static void input_memory__is_read_as_far_as_it_is_there(void)
{
	struct dump *in = open_all();

	check_read(in, 0, 100, 100);
	check_read(in, 4000, 200, 200);
	check_read(in, 0, 3 * DUMP_PAGE, 2 * DUMP_PAGE);
	check_read(in, 2 * DUMP_PAGE, 8, 0);
	check_read(in, 3 * DUMP_PAGE + 1, 3 * DUMP_PAGE, 2 * DUMP_PAGE - 1);
	check_read(in, 6 * DUMP_PAGE, 2 * DUMP_PAGE, DUMP_PAGE + 100);
	check_read(in, 8 * DUMP_PAGE, 1, 0);
	CHECK(dump_read(in, 0, memory, 1, NULL) == 0, "below");
	CHECK(dump_read(in, ~0ULL, memory, 1, NULL) == 0, "at the end of all");
	CHECK(!nr_crossing, "%llu reads across pages", nr_crossing);
	dump_close(in);
}

static void input_memory__is_stepped_through_by_segments(void)
{
	static const u64 pages[] = { 0, 1, 3, 4, 5, 6, 7 };
	struct dump *in = open_all();
	u64 addr = 0, next, len;
	u8 first[8];
	size_t nr = 0;

	for (; dump_next_data(in, addr, &next, &len); addr = next + DUMP_PAGE, nr++) {
		CHECK(nr < ARRAY_SIZE(pages) && next == BASE + pages[nr] * DUMP_PAGE, "%llx", next);
		CHECK(dump_peek(in, next, first) == (nr != 4), "page %zu", nr);
	}
	CHECK(nr == ARRAY_SIZE(pages), "%zu pages", nr);
	dump_close(in);
}

static void input_memory__is_what_its_owner_says(void)
{
	struct dump *in = open_all();
	size_t len;

	CHECK(!strcmp(dump_kind(in), "memory of a test"), "%s", dump_kind(in));
	CHECK(dump_byte_order(in) == ORDER_BIG, "%d", dump_byte_order(in));
	CHECK(dump_nr_segments(in) == 3 && dump_segment(in, 1).size == 4 * DUMP_PAGE, "segments");
	CHECK(!strcmp(dump_vmcoreinfo(in, &len), "OSRELEASE=6.1\n") && len == 14, "%zu", len);
	CHECK(dump_file_size(in) == 6 * DUMP_PAGE + 100, "%llu", dump_file_size(in));
	CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
	dump_close(in);
}

static void input_memory__without_a_segment_is_refused(void)
{
	struct epitaph_memory_reader none = all;
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	none.nr_segments = 0;
	CHECK(dump_open_callback(&in, &none, &err) == -ERR_NOT_OURS && !in, "%s", err.msg);
}

static void input_memory__is_opened_by_the_name_it_is_offered_under(void)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	CHECK(dump_open(&in, all.name, &err), "before it is offered");
	dump_offer_callback(&all);
	err = (struct err)ERR_INIT;
	if (CHECK(!dump_open(&in, "the session", &err), "%s", err.msg))
		dump_close(in);
	CHECK(dump_open(&in, "another", &err), "another name");
	dump_offer_callback(NULL);
	CHECK(dump_open(&in, all.name, &err), "when it is no longer offered");
}

int main(void)
{
	TAP_RUN(input_memory__is_read_as_far_as_it_is_there);
	TAP_RUN(input_memory__is_stepped_through_by_segments);
	TAP_RUN(input_memory__is_what_its_owner_says);
	TAP_RUN(input_memory__without_a_segment_is_refused);
	TAP_RUN(input_memory__is_opened_by_the_name_it_is_offered_under);
	return tap_done();
}
