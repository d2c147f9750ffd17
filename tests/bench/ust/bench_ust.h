/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bench's events as LTTng-UST has them: what guest/bench_trace.h has for the kernel. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./bench_ust.h"

#if !defined(_BENCH_UST_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define _BENCH_UST_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(bench, u64,
	LTTNG_UST_TP_ARGS(uint64_t, value),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, value, value)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(bench, switch,
	LTTNG_UST_TP_ARGS(const char *, prev, int, prev_pid, const char *, next, int, next_pid,
			  long, state),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_array_text(char, prev_comm, prev, 16)
		lttng_ust_field_integer(int, prev_pid, prev_pid)
		lttng_ust_field_integer(int, prev_prio, 120)
		lttng_ust_field_integer(long, prev_state, state)
		lttng_ust_field_array_text(char, next_comm, next, 16)
		lttng_ust_field_integer(int, next_pid, next_pid)
		lttng_ust_field_integer(int, next_prio, 120)
	)
)

#endif

#include <lttng/tracepoint-event.h>
