// SPDX-License-Identifier: GPL-2.0-only
/* The victim's events, made recordable. */
#define EPITAPH_TRACE_HEADER "victim_trace.h"
#include <epitaph/probes.h>

#include "victim.h"

int victim_record(void)
{
	return epitaph_events_register(epitaph_events, epitaph_nr_events());
}

void victim_record_stop(void)
{
	epitaph_events_unregister(epitaph_events, epitaph_nr_events());
}
