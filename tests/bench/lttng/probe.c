// SPDX-License-Identifier: GPL-2.0-only
/* LTTng's probes for the bench's tracepoints. */
#include <linux/module.h>
#include <lttng/tracer.h>

#include "bench_trace.h"

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH events
#include "events/bench_events.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("LTTng's probes for the bench");
