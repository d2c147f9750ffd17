// SPDX-License-Identifier: GPL-2.0-or-later
/* Search for the data that the kernel's clocks are read from; see timekeeping.h. */
#include <string.h>

#include "data_search_impl.h"

/* A clocksource has a name, which is in the image as well. */
static bool is_clocksource(const struct data_search_image *image, u64 va)
{
	char name[DATA_SEARCH_NAME_MAX];
	u64 name_va;
	ssize_t len;
	u32 off;

	if (!data_search_offset(image, "clocksource", "name", KKIND_POINTER, &off) ||
	    !data_search_pointer(image, va + off, &name_va) || !data_search_is_in(image, name_va))
		return false;
	len = vmem_string(image->vmem, name_va, name, sizeof(name));
	return len > 1 && data_search_is_word(name, len);
}

/* Offsets of members of struct tk_fast and struct timekeeper. */
struct time_layout {
	struct btf_member_place bases;
	u32 tkr, clock, base, real;
};

static bool time_layout(const struct data_search_image *image, struct time_layout *at)
{
	return kernel_btf_member(image->ktypes, "tk_fast", "base", &at->bases) && at->bases.nr == 2 &&
	       data_search_offset(image, "timekeeper", "tkr_mono", KKIND_STRUCT, &at->tkr) &&
	       data_search_offset(image, "tk_read_base", "clock", KKIND_POINTER, &at->clock) &&
	       data_search_offset(image, "tk_read_base", "base", KKIND_INT, &at->base) &&
	       data_search_offset(image, "tk_read_base", "base_real", KKIND_INT, &at->real);
}

/* Two times at @off that count by the same clocksource. Return: its address, or 0 */
static u64 clock_of_pair(struct data_search_image *image, const struct time_layout *at, u64 off)
{
	struct bytes *b = &image->bytes;
	u64 two = off + at->bases.size / 2, clock = bytes_u64(b, off + at->clock);

	return data_search_is_in(image, clock) && bytes_u64(b, two + at->clock) == clock &&
	       bytes_u64(b, off + at->base) && bytes_u64(b, two + at->base) &&
	       bytes_u64(b, off + at->real) ? clock : 0;
}

/*
 * Two times of CLOCK_MONOTONIC side by side are tk_fast_mono, which NMIs read. A time of
 * CLOCK_MONOTONIC beside a time of CLOCK_MONOTONIC_RAW, which has no UTC, is the timekeeper.
 */
static void learn_time(struct data_search_image *image)
{
	u64 off, one, clock, known = 0, room;
	struct time_layout at;
	bool is_mono;

	if (!time_layout(image, &at) || image->bytes.size < at.bases.offset + at.bases.size)
		return;
	room = image->bytes.size - at.bases.offset - at.bases.size;
	for (off = 0; off <= room; off += 8) {
		one = off + at.bases.offset;
		clock = clock_of_pair(image, &at, one);
		if (!clock)
			continue;
		is_mono = bytes_u64(&image->bytes, one + at.bases.size / 2 + at.real);
		if (!known && is_mono && is_clocksource(image, clock)) {
			known = clock;
			data_search_learn(image, "tk_fast_mono", image->start + off);
			off = 0;
		} else if (known == clock && !is_mono) {
			return data_search_learn(image, "tk_core", image->start + one - at.tkr - 8);
		}
	}
}

/* Two times without UTC side by side, by the clock source that tk_fast_mono has. */
static void learn_raw_time(struct data_search_image *image)
{
	u64 fast, clock, off, one, two;
	struct time_layout at;

	if (data_search_knows(image, "tk_fast_raw") || !time_layout(image, &at) ||
	    !kallsyms_address(image->kallsyms, "tk_fast_mono", &fast) ||
	    !vmem_u64(image->vmem, fast + at.bases.offset + at.clock, &clock) ||
	    image->bytes.size < at.bases.offset + at.bases.size)
		return;
	for (off = 0; off <= image->bytes.size - at.bases.offset - at.bases.size; off += 8) {
		one = off + at.bases.offset;
		two = one + at.bases.size / 2;
		if (bytes_u64(&image->bytes, one + at.clock) == clock &&
		    bytes_u64(&image->bytes, two + at.clock) == clock &&
		    bytes_u64(&image->bytes, one + at.base) && bytes_u64(&image->bytes, two + at.base) &&
		    !bytes_u64(&image->bytes, one + at.real) && !bytes_u64(&image->bytes, two + at.real))
			return data_search_learn(image, "tk_fast_raw", image->start + off);
	}
}

/* sched_clock() by the counter of a driver has two copies of its data, with the same function. */
static void learn_sched_clock(struct data_search_image *image)
{
	struct btf_member_place copies;
	struct ksym sym;
	u64 off, func;
	u32 read;

	if (!kernel_btf_member(image->ktypes, "clock_data", "read_data", &copies) || copies.nr != 2 ||
	    !data_search_offset(image, "clock_read_data", "read_sched_clock", KKIND_POINTER, &read))
		return;
	for (off = 0; off + copies.offset + copies.size <= image->bytes.size; off += 8) {
		u64 at = off + copies.offset + read;

		func = bytes_u64(&image->bytes, at);
		if (data_search_is_in(image, func) && bytes_u64(&image->bytes, at + copies.size / 2) == func &&
		    kallsyms_find(image->kallsyms, func, &sym) && sym.start == func &&
		    strstr(sym.name, "counter"))
			return data_search_learn(image, "cd", image->start + off);
	}
}

void data_search_clocks(struct data_search_image *image)
{
	learn_time(image);
	learn_raw_time(image);
	learn_sched_clock(image);
}
