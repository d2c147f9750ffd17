/* SPDX-License-Identifier: GPL-2.0-only */
/* The bench's events as LTTng-modules has them, with the fields of guest/bench_trace.h. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench

#if !defined(_BENCH_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BENCH_EVENTS_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT(bench_u64,
	TP_PROTO(u64 value),
	TP_ARGS(value),
	TP_FIELDS(
		ctf_integer(u64, value, value)
	)
)

LTTNG_TRACEPOINT_EVENT(bench_switch,
	TP_PROTO(const char *prev, int prev_pid, const char *next, int next_pid, long state),
	TP_ARGS(prev, prev_pid, next, next_pid, state),
	TP_FIELDS(
		ctf_array_text(char, prev_comm, prev, 16)
		ctf_integer(int, prev_pid, prev_pid)
		ctf_integer(int, prev_prio, 120)
		ctf_integer(long, prev_state, state)
		ctf_array_text(char, next_comm, next, 16)
		ctf_integer(int, next_pid, next_pid)
		ctf_integer(int, next_prio, 120)
	)
)

LTTNG_TRACEPOINT_EVENT(bench_string,
	TP_PROTO(const char *text),
	TP_ARGS(text),
	TP_FIELDS(
		ctf_string(text, text)
	)
)

LTTNG_TRACEPOINT_EVENT(bench_block,
	TP_PROTO(u32 dev, u64 sector, u32 bytes, const char *comm),
	TP_ARGS(dev, sector, bytes, comm),
	TP_FIELDS(
		ctf_integer(u32, dev, dev)
		ctf_integer(u64, sector, sector)
		ctf_integer(unsigned int, nr_sector, bytes >> 9)
		ctf_integer(unsigned int, bytes, bytes)
		ctf_array_text(char, rwbs, "R\0\0\0\0\0\0\0\0", 10)
		ctf_array_text(char, comm, comm, 16)
		ctf_sequence(char, cmd, "", unsigned int, 1)
	)
)

#endif

#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bench_events
#include <lttng/define_trace.h>
