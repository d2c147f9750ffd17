// SPDX-License-Identifier: GPL-2.0-only
/* Its events, made recordable. */
#define EPITAPH_TRACE_HEADER "wide_trace.h"
#include <epitaph/probes.h>

#include "wide.h"

int wide_record(void)
{
	return epitaph_events_register(epitaph_events, epitaph_nr_events());
}

void wide_record_stop(void)
{
	epitaph_events_unregister(epitaph_events, epitaph_nr_events());
}
