// SPDX-License-Identifier: GPL-2.0-only
/* The bench's events, made recordable. */
#define EPITAPH_TRACE_HEADER "bench_trace.h"
#include <epitaph/probes.h>

#include "bench.h"

int bench_record(void)
{
	return epitaph_events_register(epitaph_events, epitaph_nr_events());
}

void bench_record_stop(void)
{
	epitaph_events_unregister(epitaph_events, epitaph_nr_events());
}
