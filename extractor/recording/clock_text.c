// SPDX-License-Identifier: GPL-2.0-or-later
#include "clock_text.h"

#include <stdio.h>
#include <string.h>

const char *text_clock(u32 clock_id)
{
	static char other[32];

	switch (clock_id) {
	case EPITAPH_CLOCK_TSC:
		return "TSC";
	case EPITAPH_CLOCK_LOCAL:
		return "trace_clock_local";
	case EPITAPH_CLOCK_CNTVCT:
		return "cntvct_el0";
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
