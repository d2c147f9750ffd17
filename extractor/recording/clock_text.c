// SPDX-License-Identifier: GPL-2.0-or-later
#include "clock_text.h"

#include <stdio.h>
#include <string.h>

const char *text_clock(u32 clock_id)
{
	static _Thread_local char other[32];

	switch (clock_id) {
	case EPITAPH_CLOCK_TSC:
		return "TSC";
	case EPITAPH_CLOCK_LOCAL:
		return "trace_clock_local";
	case EPITAPH_CLOCK_CNTVCT:
		return "cntvct_el0";
	case EPITAPH_CLOCK_MONO:
		return "CLOCK_MONOTONIC";
	case EPITAPH_CLOCK_BOOT:
		return "CLOCK_BOOTTIME";
	case EPITAPH_CLOCK_TAI:
		return "CLOCK_TAI";
	case EPITAPH_CLOCK_TOD:
		return "TOD clock";
	case EPITAPH_CLOCK_TEST:
		return "a test's counter";
	}
	snprintf(other, sizeof(other), "clock %u", clock_id);
	return other;
}

void text_bound(char *buf, size_t size, const struct recording *recording)
{
	const struct clock *clock = &recording->clock;
	u64 unit = clock_units_ns(clock, 1);
	size_t used;

	if (clock->from_header)
		snprintf(buf, size, "no anchor is good: monotonic time from the start of recording, its error is unknown");
	else
		snprintf(buf, size, "monotonic and wall time within %llu ns, %u anchor%s; unit %llu ns",
			 clock->bound_ns, clock->nr, clock->nr == 1 ? "" : "s", unit);
	used = strlen(buf);
	if (clock->is_unstable)
		snprintf(buf + used, size - used,
			 "; the kernel found this clock unstable by %llu.%03llu s: CPUs may differ",
			 clock->unstable_ns / 1000000000,
			 clock->unstable_ns / 1000000 % 1000);
}

void text_distance(char *buf, size_t size, u64 ns)
{
	if (ns < 1000)
		snprintf(buf, size, "%llu ns", ns);
	else if (ns < 1000000)
		snprintf(buf, size, "%llu.%03llu us", ns / 1000, ns % 1000);
	else if (ns < 1000000000)
		snprintf(buf, size, "%llu.%03llu ms", ns / 1000000, ns / 1000 % 1000);
	else
		snprintf(buf, size, "%llu.%03llu s", ns / 1000000000, ns / 1000000 % 1000);
}

void text_skew(char *buf, size_t size, const struct clock *clock, const struct skew_entry *entry)
{
	char offset[32], bound[32];

	text_distance(offset, sizeof(offset), clock_ticks_ns(clock, entry->offset < 0 ? -(u64)entry->offset : (u64)entry->offset));
	text_distance(bound, sizeof(bound), clock_ticks_ns(clock, entry->bound));
	snprintf(buf, size, "CPU %u was %s %s (within %s)", entry->cpu, offset,
		 entry->offset < 0 ? "behind" : "ahead", bound);
}
