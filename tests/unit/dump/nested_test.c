// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory of a guest in the dump of its host.
 *
 * build: @extractor
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dump/dump_impl.h"
#include "dump/nested.h"
#include "tap.h"

#define PAGE		((u64)DUMP_PAGE)
#define HOST_PAGES	16
#define USER		0x7f0000000000ULL

static u32 nr_closed;
static struct dump *test_host;	/* the last one */

/*
 * Page n of the process is page 2n of the host up to 5, backwards from 13 then, and page 7 is not there.
 * The host has 16 pages: that of page 9 lies behind them.
 */
static bool find_test_page(void *priv, u64 host, u64 *paddr, u64 *len)
{
	static const u64 pages[10] = { 0, 2, 4, 6, 8, 10, 13, 0, 11, 20 };
	u64 page = (host - USER) / PAGE;

	(void)priv;
	*len = PAGE - host % PAGE;
	if (!CHECK(host >= USER && page < ARRAY_SIZE(pages), "%#llx is asked for", host))
		exit(99);
	*paddr = pages[page] * PAGE + host % PAGE;
	return page != 7;
}

static void close_test_memory(void *priv)
{
	dump_close(priv);
	nr_closed++;
}

/* Each word of the host's memory is its address. */
static struct dump *open_test_host(void)
{
	int fd = memfd_create("host", MFD_CLOEXEC);
	struct dump *host = NULL;

	for (u64 at = 0; at < HOST_PAGES * PAGE; at += 8)
		if (write(fd, &at, 8) != 8)
			exit(99);
	if (!CHECK(!dump_open_fd(&host, fd, NULL), "host"))
		exit(99);
	test_host = host;
	return host;
}

static int open_test_slots(struct dump **ret, const struct nested_slot *slots, u32 nr, const struct nested_amounts *amounts,
			   struct err *err)
{
	struct nested_memory memory = {
		.kind = "memory of a test", .host = open_test_host(), .nr_slots = nr,
		.slots = malloc(nr * sizeof(*slots) + 1), .find = find_test_page, .close = close_test_memory,
	};
	int res;

	if (nr)
		memcpy(memory.slots, slots, nr * sizeof(*slots));
	memory.priv = memory.host;
	if (amounts)
		memory.amounts = *amounts;
	res = dump_open_nested(ret, &memory, err);
	if (res) {
		dump_close(memory.host);
		free(memory.slots);
	}
	return res;
}

/* Pages 0 to 3 at 0, 4 and 5 behind them, 6 to 9 at 1 MiB. */
static const struct nested_slot three[] = {
	{ 0, 4 * PAGE, USER }, { 4 * PAGE, 2 * PAGE, USER + 4 * PAGE }, { 1 << 20, 4 * PAGE, USER + 6 * PAGE },
};

static struct dump *open_three(void)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (!CHECK(!open_test_slots(&in, three, 3, NULL, &err), "%s", err.msg))
		exit(99);
	return in;
}

static void check_word(struct dump *in, u64 paddr, u64 host)
{
	u64 word = 0, peeked = 0;

	CHECK(dump_read(in, paddr, &word, 8, NULL) == 8 && word == host, "%#llx: %#llx, not %#llx", paddr, word, host);
	if (paddr % PAGE == 0)
		CHECK(dump_peek(in, paddr, (u8 *)&peeked) && peeked == host, "%#llx: %#llx", paddr, peeked);
}

static void nested__each_page_is_where_the_process_has_it(void)
{
	struct dump *in = open_three();

	check_word(in, 0, 0);
	check_word(in, PAGE + 8, 2 * PAGE + 8);
	check_word(in, 5 * PAGE, 10 * PAGE);
	check_word(in, 1 << 20, 13 * PAGE);
	check_word(in, (1 << 20) + 2 * PAGE, 11 * PAGE);
	CHECK(!strcmp(dump_kind(in), "memory of a test") && dump_file_size(in) == 10 * PAGE, "%s", dump_kind(in));
	CHECK(dump_nr_segments(in) == 2 && dump_segment(in, 0).size == 6 * PAGE && dump_segment(in, 1).paddr == 1 << 20 &&
	      dump_end(in) == (1 << 20) + 4 * PAGE, "segments");
	dump_close(in);
}

static void check_length(struct dump *in, u64 paddr, size_t size, ssize_t there)
{
	static u8 buf[64 * DUMP_PAGE];
	ssize_t n = dump_read(in, paddr, buf, size, NULL);

	CHECK(n == there, "%zd of %zu at %#llx, not %zd", n, size, paddr, there);
}

static void nested__a_read_goes_over_pages_and_slots_up_to_a_hole(void)
{
	u64 words[2 * DUMP_PAGE / 8];
	struct dump *in = open_three();

	check_length(in, 0, 8 * PAGE, 6 * PAGE);
	check_length(in, PAGE - 8, 16, 16);
	check_length(in, 6 * PAGE, 8, 0);
	check_length(in, (1 << 20) + 8, 2 * PAGE, PAGE - 8);
	check_length(in, (1 << 20) + PAGE, 8, 0);
	check_length(in, (1 << 20) + 2 * PAGE, 2 * PAGE, PAGE);
	check_length(in, ~0ULL - 3, 8, 0);
	CHECK(dump_read(in, 3 * PAGE, words, sizeof(words), NULL) == sizeof(words) &&
	      words[DUMP_PAGE / 8 - 1] == 7 * PAGE - 8 && words[DUMP_PAGE / 8] == 8 * PAGE, "over a border of slots");
	dump_close(in);
}

static void check_next(struct dump *in, u64 from, u64 at, u64 size)
{
	u64 next = 0, len = 0;

	CHECK(dump_next_data(in, from, &next, &len) && next == at && len == size, "from %#llx: %#llx, %llu bytes", from,
	      next, len);
}

static void nested__data_is_what_the_host_has(void)
{
	struct dump *in = open_three();

	check_next(in, 0, 0, 4 * PAGE);
	check_next(in, 1, PAGE, 3 * PAGE);
	check_next(in, 4 * PAGE, 4 * PAGE, 2 * PAGE);
	check_next(in, 6 * PAGE, 1 << 20, PAGE);
	check_next(in, (1 << 20) + PAGE, (1 << 20) + 2 * PAGE, PAGE);
	CHECK(!dump_next_data(in, (1 << 20) + 3 * PAGE, &(u64){ 0 }, &(u64){ 0 }), "behind the last one");
	CHECK(!dump_next_data(in, ~0ULL, &(u64){ 0 }, &(u64){ 0 }), "at the end of all");
	dump_close(in);
}

static void check_refused(const struct nested_slot *slots, u32 nr, int code)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	u32 before = nr_closed;
	int ret = open_test_slots(&in, slots, nr, NULL, &err);

	CHECK(ret == -code && *err.msg, "%d: %s", ret, err.msg);
	CHECK(nr_closed == before, "the host stays the caller's");
}

static void nested__slots_that_cannot_be_are_refused(void)
{
	check_refused(NULL, 0, ERR_NOT_OURS);
	check_refused((struct nested_slot[]){ { 0, PAGE, USER }, { 0, PAGE, USER } }, 2, ERR_CORRUPT);
	check_refused((struct nested_slot[]){ { 2 * PAGE, PAGE, USER }, { 0, PAGE, USER } }, 2, ERR_CORRUPT);
	check_refused((struct nested_slot[]){ { 0, 2 * PAGE, USER }, { PAGE, PAGE, USER } }, 2, ERR_CORRUPT);
	check_refused((struct nested_slot[]){ { 8, PAGE, USER } }, 1, ERR_CORRUPT);
	check_refused((struct nested_slot[]){ { 0, 0, USER } }, 1, ERR_CORRUPT);
	check_refused((struct nested_slot[]){ { ~0ULL - PAGE + 1, 2 * PAGE, USER } }, 1, ERR_CORRUPT);
	check_refused((struct nested_slot[]){ { 0, 2 * PAGE, ~0ULL - PAGE + 1 } }, 1, ERR_CORRUPT);
}

static void nested__what_lacks_is_noted_with_its_amount(void)
{
	const struct nested_amounts amounts = {
		.all = 10 * PAGE, .there = 3 * PAGE, .unmapped = PAGE, .swapped = 256 * PAGE, .left_out = 512 * PAGE, .no_table = PAGE,
	};
	struct dump *in = NULL;

	if (!CHECK(!open_test_slots(&in, three, 3, &amounts, NULL), "opens"))
		exit(99);
	CHECK(dump_damage(in, 3) && !dump_damage(in, 4) && strstr(dump_damage(in, 3), "4 KiB of the guest's memory are not mapped") && strstr(dump_damage(in, 0), "1 MiB of the guest's memory were swapped") &&
	      strstr(dump_damage(in, 1), "2 MiB of the guest's memory are not in the host's dump") &&
	      strstr(dump_damage(in, 2), "4 KiB of the guest's memory cannot be found"), "%s", dump_damage(in, 0));
	dump_close(in);
}

static void nested__damage_of_the_host_is_damage_of_the_guest(void)
{
	struct dump *in = open_three();

	CHECK(!dump_incomplete(in) && !dump_is_cut(in), "nothing lacks");
	dump_note_damage(test_host, "a page is damaged");
	CHECK(dump_damage(in, 0) && !strcmp(dump_damage(in, 0), "the host's dump: a page is damaged"), "%s", dump_damage(in, 0));
	dump_note_size(test_host, 1 << 30);
	CHECK(dump_is_cut(in) && dump_damage(in, 1) && strstr(dump_damage(in, 1), "truncated"), "cut");
	dump_close(in);
}

static void nested__what_was_known_of_the_host_before_is_taken_over(void)
{
	struct nested_memory memory = { .kind = "a test's", .find = find_test_page };
	struct nested_slot slot = { 0, 4 * PAGE, USER };
	struct dump *in = NULL;

	memory.host = open_test_host();
	dump_note_size(memory.host, 1 << 30);
	memory.host->changes = true;
	CHECK(dump_open_nested(&in, &memory, NULL) == -ERR_NOT_OURS, "without a slot");
	dump_note_damage(memory.host, "the guest's dump is gone");
	memory.slots = malloc(sizeof(slot));
	*memory.slots = slot;
	memory.nr_slots = 1;
	memory.priv = memory.host;
	memory.close = close_test_memory;
	if (!CHECK(!dump_open_nested(&in, &memory, NULL), "opens"))
		exit(99);
	CHECK(dump_is_cut(in) && dump_changes(in) && dump_damage(in, 1) && !dump_damage(in, 2) &&
	      strstr(dump_damage(in, 0), "the host's dump: the file is truncated"), "%s", dump_damage(in, 0));
	dump_close(in);
}

int main(void)
{
	TAP_RUN(nested__each_page_is_where_the_process_has_it);
	TAP_RUN(nested__a_read_goes_over_pages_and_slots_up_to_a_hole);
	TAP_RUN(nested__data_is_what_the_host_has);
	TAP_RUN(nested__slots_that_cannot_be_are_refused);
	TAP_RUN(nested__what_lacks_is_noted_with_its_amount);
	TAP_RUN(nested__damage_of_the_host_is_damage_of_the_guest);
	TAP_RUN(nested__what_was_known_of_the_host_before_is_taken_over);
	return tap_done();
}
