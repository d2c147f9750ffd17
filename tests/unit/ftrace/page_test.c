// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sub-buffers of the kernel's ring buffer, written here word by word after
 * Documentation/trace/ring-buffer-design.rst and the kernel's own header_event.
 *
 * build: @extractor
 */
#include <stdlib.h>
#include <string.h>

#include "ftrace/subbuf.h"
#include "tap.h"

#define UNIT	4096

/* What is being written. */
struct writer {
	u8 data[UNIT];
	size_t at;
	bool big;
};

static void put(struct writer *w, size_t at, u64 value, u32 width)
{
	for (u32 i = 0; i < width; i++)
		w->data[at + (w->big ? width - 1 - i : i)] = value >> 8 * i;
}

static void begin(struct writer *w, bool big, u64 time)
{
	memset(w, 0, sizeof(*w));
	w->big = big;
	w->at = 16;
	put(w, 0, time, 8);
}

static void put_word(struct writer *w, u32 word)
{
	put(w, w->at, word, 4);
	w->at += 4;
}

/* type_len:5, time_delta:27; bit fields begin at the other end on big-endian machines. */
static void put_header(struct writer *w, u32 type, u32 delta)
{
	put_word(w, w->big ? type << 27 | delta : delta << 5 | type);
}

static void put_short(struct writer *w, u32 words, u32 delta, u32 fill)
{
	put_header(w, words, delta);
	for (u32 i = 0; i < words; i++)
		put_word(w, fill);
}

static void commit(struct writer *w, u64 flags)
{
	put(w, 8, (w->at - 16) | flags, 8);
}

static bool open_it(struct writer *w, struct ftrace_page *page)
{
	return ftrace_page_open(page, w->data, UNIT, UNIT, w->big ? ORDER_BIG : ORDER_LITTLE);
}

#define IS_EVENT(page, want_time, want_size) do {						\
	struct ftrace_event ev_ = { 0 };							\
	enum ftrace_page_step step_ = ftrace_page_next(page, &ev_);				\
	CHECK(step_ == FTRACE_PAGE_EVENT && ev_.time == (want_time) && ev_.size == (want_size),	\
	      "step %d, time %llx, %u bytes", step_, ev_.time, ev_.size);			\
} while (0)

#define IS_STEP(page, want) do {								\
	struct ftrace_event ev_ = { 0 };							\
	enum ftrace_page_step step_ = ftrace_page_next(page, &ev_);				\
	CHECK(step_ == (want), "step %d", step_);						\
} while (0)

static void ftrace_page__events_have_the_time_and_size_that_was_written(void)
{
	for (int big = 0; big < 2; big++) {
		struct ftrace_page page;
		struct writer w;

		begin(&w, big, 1000);
		put_short(&w, 3, 0, 0x11111111);
		put_short(&w, 28, 7, 0x22222222);
		put_header(&w, 0, 5);		/* long: the length counts its own word */
		put_word(&w, 4 + 200);
		w.at += 200;
		commit(&w, 0);
		CHECK(open_it(&w, &page), "refused");
		CHECK(page.start == 1000 && !page.missed, "start %llu", page.start);
		IS_EVENT(&page, 1000ULL, 12U);
		IS_EVENT(&page, 1007ULL, 112U);
		IS_EVENT(&page, 1012ULL, 200U);
		IS_STEP(&page, FTRACE_PAGE_END);
		IS_STEP(&page, FTRACE_PAGE_END);
	}
}

static void ftrace_page__a_time_extend_adds_its_59_bits(void)
{
	for (int big = 0; big < 2; big++) {
		struct ftrace_page page;
		struct writer w;

		begin(&w, big, 5);
		put_header(&w, 30, 0x7ffffff);
		put_word(&w, 0x12);
		put_short(&w, 2, 3, 0);
		commit(&w, 0);
		CHECK(open_it(&w, &page), "refused");
		IS_EVENT(&page, 5 + (0x12ULL << 27 | 0x7ffffff) + 3, 8U);
	}
}

static void ftrace_page__an_absolute_time_takes_its_upper_bits_from_before(void)
{
	const u64 top = 1ULL << 60;
	struct ftrace_page page;
	struct writer w;

	begin(&w, false, top + 100);
	put_header(&w, 31, 200);
	put_word(&w, 0);
	put_short(&w, 2, 0, 0);
	put_header(&w, 31, 50);		/* less than before: the bits in between have wrapped */
	put_word(&w, 0);
	put_short(&w, 2, 1, 0);
	commit(&w, 0);
	CHECK(open_it(&w, &page), "refused");
	IS_EVENT(&page, top + 200, 8U);
	IS_EVENT(&page, top + (1ULL << 59) + 51, 8U);
}

static void ftrace_page__discarded_events_are_stepped_over_with_their_time(void)
{
	struct ftrace_page page;
	struct writer w;

	begin(&w, false, 100);
	put_short(&w, 1, 1, 0);
	put_header(&w, 29, 40);		/* discarded, 12 bytes behind its header */
	put_word(&w, 12);
	w.at += 8;
	put_short(&w, 1, 2, 0);
	put_header(&w, 29, 0);		/* the rest is unused */
	w.at += 400;
	commit(&w, 0);
	CHECK(open_it(&w, &page), "refused");
	IS_EVENT(&page, 101ULL, 4U);
	IS_EVENT(&page, 103ULL, 4U);
	IS_STEP(&page, FTRACE_PAGE_END);
}

static void ftrace_page__lost_events_are_told_with_their_number_if_it_is_there(void)
{
	struct ftrace_page page;
	struct writer w;

	begin(&w, false, 0);
	put_short(&w, 1, 0, 0);
	commit(&w, 1U << 31);
	CHECK(open_it(&w, &page) && page.missed && !page.counted, "%d %d", page.missed, page.counted);
	commit(&w, 3U << 30);
	put(&w, w.at, 12345, 8);
	CHECK(open_it(&w, &page) && page.counted && page.nr_missed == 12345, "%llu", page.nr_missed);
	IS_EVENT(&page, 0ULL, 4U);
	IS_STEP(&page, FTRACE_PAGE_END);
}

static void ftrace_page__what_cannot_be_is_refused_or_ends_it(void)
{
	struct ftrace_page page;
	struct writer w;

	begin(&w, false, 0);
	put(&w, 8, UNIT - 15, 8);
	CHECK(!open_it(&w, &page), "more committed than there is room");
	put(&w, 8, 1ULL << 40, 8);
	CHECK(!open_it(&w, &page), "a count of 64 bits");
	CHECK(!ftrace_page_open(&page, w.data, 15, UNIT, ORDER_LITTLE), "half a header");
	begin(&w, false, 0);
	put_short(&w, 1, 0, 0);
	put_header(&w, 0, 1);
	put_word(&w, 2);		/* less than its own word */
	commit(&w, 0);
	CHECK(open_it(&w, &page), "refused");
	IS_EVENT(&page, 0ULL, 4U);
	IS_STEP(&page, FTRACE_PAGE_BROKEN);
	IS_STEP(&page, FTRACE_PAGE_BROKEN);
}

static void ftrace_page__half_a_page_gives_the_events_that_are_whole(void)
{
	struct ftrace_page page;
	struct writer w;

	begin(&w, false, 0);
	put_short(&w, 3, 1, 0);
	put_short(&w, 3, 1, 0);
	commit(&w, 0);
	CHECK(ftrace_page_open(&page, w.data, 40, UNIT, ORDER_LITTLE), "refused");
	IS_EVENT(&page, 1ULL, 12U);
	IS_STEP(&page, FTRACE_PAGE_BROKEN);
}

static void ftrace_page__a_reader_goes_on_behind_what_was_read(void)
{
	struct ftrace_page page;
	struct writer w;

	begin(&w, false, 10);
	put_short(&w, 3, 1, 0);
	put_short(&w, 3, 1, 0);
	commit(&w, 0);
	CHECK(open_it(&w, &page) && ftrace_page_skip(&page, 16), "16 bytes are an event");
	IS_EVENT(&page, 12ULL, 12U);
	CHECK(open_it(&w, &page) && ftrace_page_skip(&page, 32), "all of them");
	IS_STEP(&page, FTRACE_PAGE_END);
	CHECK(open_it(&w, &page) && !ftrace_page_skip(&page, 48), "more than there are");
}

/* Under the sanitizers: nothing outside is read, and every walk comes to an end. */
static void ftrace_page__any_bytes_are_read_to_an_end(void)
{
	u64 random = 88172645463325252ULL;
	u32 i;

	for (i = 0; i < 20000; i++) {
		size_t size = random % 600;
		u8 *data = malloc(size + 1);
		struct ftrace_event event;
		struct ftrace_page page;
		u32 n = 0;

		for (size_t k = 0; k < size; k++) {
			random ^= random << 13, random ^= random >> 7, random ^= random << 17;
			data[k] = random;
		}
		if (size > 16)
			memset(data + 9, 0, 7);
		if (ftrace_page_open(&page, data, size, UNIT, i % 2 ? ORDER_BIG : ORDER_LITTLE))
			while (ftrace_page_next(&page, &event) == FTRACE_PAGE_EVENT)
				n += event.data >= data && event.data + event.size <= data + size;
		CHECK(n < 600 / 4, "%u events in %zu bytes", n, size);
		free(data);
	}
}

/*
 * The first bytes of a sub-buffer of a guest of 6.12, and what its trace file said:
 *
 *	init-140 [000] .....  5.795879: hrtimer_init: ... clockid=CLOCK_MONOTONIC mode=REL|HARD
 *	init-140 [000] .....  5.796338: hrtimer_init: ... clockid=CLOCK_MONOTONIC mode=REL|HARD
 *	init-140 [000] .....  5.796422: hrtimer_init: ... clockid=CLOCK_MONOTONIC mode=REL
 *	init-140 [000] d.h..  5.796688: hrtimer_expire_entry: ... now=5608114679
 */
static void ftrace_page__a_page_of_a_guest_is_what_its_trace_file_said(void)
{
	static const u8 raw[] = {
		0x44, 0x19, 0x76, 0x59, 0x01, 0, 0, 0,		/* 5795879236 ns */
		0xf0, 0x0f, 0, 0, 0, 0, 0, 0,			/* full: 4080 bytes of events */

		0x06, 0, 0, 0,					/* 24 bytes, 0 ns after */
		0x9d, 0x01, 0, 0, 0x8c, 0, 0, 0,		/* id 413, pid 140 */
		0x08, 0x02, 0x3e, 0x17, 0x95, 0x17, 0x1c, 0xff, 1, 0, 0, 0, 9, 0, 0, 0,

		0x06, 0x20, 0xe0, 0,				/* 24 bytes, 459008 ns after */
		0x9d, 0x01, 0, 0, 0x8c, 0, 0, 0,
		0x48, 0x02, 0x3e, 0x17, 0x95, 0x17, 0x1c, 0xff, 1, 0, 0, 0, 9, 0, 0, 0,

		0x26, 0xde, 0x28, 0,				/* 83697 ns after */
		0x9d, 0x01, 0, 0, 0x8c, 0, 0, 0,
		0x90, 0x09, 0xf1, 0x01, 0x95, 0x17, 0x1c, 0xff, 1, 0, 0, 0, 1, 0, 0, 0,

		0xa8, 0x0a, 0x82, 0,				/* 32 bytes, 266325 ns after */
		0x9b, 0x01, 0x09, 0, 0x8c, 0, 0, 0,		/* id 411, irqs off, hardirq */
		0x18, 0x64, 0xc2, 0x15, 0x95, 0x17, 0x1c, 0xff,
		0xf7, 0x09, 0x45, 0x4e, 0x01, 0, 0, 0, 0xf0, 0x92, 0x7c, 0xad, 0xff, 0xff, 0xff, 0xff,
	};
	static const struct {
		u64 us;
		u16 id;
		u8 flags;
		u32 size;
	} expected[] = {
		{ 5795879, 413, 0, 24 }, { 5796338, 413, 0, 24 }, { 5796422, 413, 0, 24 }, { 5796688, 411, 9, 32 },
	};
	struct ftrace_event event;
	struct ftrace_page page;

	CHECK(ftrace_page_open(&page, raw, sizeof(raw), UNIT, ORDER_LITTLE) && page.commit == 4080, "%u", page.commit);
	for (u32 i = 0; i < ARRAY_SIZE(expected); i++) {
		struct bytes b;

		if (!CHECK(ftrace_page_next(&page, &event) == FTRACE_PAGE_EVENT, "%u", i))
			return;
		b = bytes_of(event.data, event.size, ORDER_LITTLE);
		CHECK((event.time + 500) / 1000 == expected[i].us && event.size == expected[i].size &&
		      bytes_u16(&b, 0) == expected[i].id && bytes_u8(&b, 2) == expected[i].flags &&
		      bytes_u32(&b, 4) == 140, "%u: %llu", i, event.time);
	}
	IS_STEP(&page, FTRACE_PAGE_BROKEN);
}

int main(void)
{
	TAP_RUN(ftrace_page__events_have_the_time_and_size_that_was_written);
	TAP_RUN(ftrace_page__a_time_extend_adds_its_59_bits);
	TAP_RUN(ftrace_page__an_absolute_time_takes_its_upper_bits_from_before);
	TAP_RUN(ftrace_page__discarded_events_are_stepped_over_with_their_time);
	TAP_RUN(ftrace_page__lost_events_are_told_with_their_number_if_it_is_there);
	TAP_RUN(ftrace_page__what_cannot_be_is_refused_or_ends_it);
	TAP_RUN(ftrace_page__half_a_page_gives_the_events_that_are_whole);
	TAP_RUN(ftrace_page__a_reader_goes_on_behind_what_was_read);
	TAP_RUN(ftrace_page__a_page_of_a_guest_is_what_its_trace_file_said);
	TAP_RUN(ftrace_page__any_bytes_are_read_to_an_end);
	return tap_done();
}
