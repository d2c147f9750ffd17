/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench

#if !defined(_BENCH_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BENCH_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(bench_u64,
	TP_PROTO(u64 value),
	TP_ARGS(value),
	TP_STRUCT__entry(
		__field(u64, value)
	),
	TP_fast_assign(
		__entry->value = value;
	),
	TP_printk("value=%llu", __entry->value)
);

/* sched_switch in size and kind: two names, four numbers, a state. */
TRACE_EVENT(bench_switch,
	TP_PROTO(const char *prev, int prev_pid, const char *next, int next_pid, long state),
	TP_ARGS(prev, prev_pid, next, next_pid, state),
	TP_STRUCT__entry(
		__array(char, prev_comm, 16)
		__field(int, prev_pid)
		__field(int, prev_prio)
		__field(long, prev_state)
		__array(char, next_comm, 16)
		__field(int, next_pid)
		__field(int, next_prio)
	),
	TP_fast_assign(
		memcpy(__entry->next_comm, next, 16);
		__entry->prev_pid = prev_pid;
		__entry->prev_prio = 120;
		__entry->prev_state = state;
		memcpy(__entry->prev_comm, prev, 16);
		__entry->next_pid = next_pid;
		__entry->next_prio = 120;
	),
	TP_printk("%s:%d %ld ==> %s:%d", __entry->prev_comm, __entry->prev_pid,
		  __entry->prev_state, __entry->next_comm, __entry->next_pid)
);

#endif /* _BENCH_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bench_trace
#include <trace/define_trace.h>
