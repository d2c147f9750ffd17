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

/* A text of any length. */
TRACE_EVENT(bench_string,
	TP_PROTO(const char *text),
	TP_ARGS(text),
	TP_STRUCT__entry(
		__string(text, text)
	),
	TP_fast_assign(
		__assign_str(text, text);
	),
	TP_printk("%s", __get_str(text))
);

/* block_rq_issue in size and kind: numbers, two names, and an array that is mostly empty. */
TRACE_EVENT(bench_block,
	TP_PROTO(u32 dev, u64 sector, u32 bytes, const char *comm),
	TP_ARGS(dev, sector, bytes, comm),
	TP_STRUCT__entry(
		__field(u32, dev)
		__field(u64, sector)
		__field(unsigned int, nr_sector)
		__field(unsigned int, bytes)
		__array(char, rwbs, 10)
		__array(char, comm, 16)
		__dynamic_array(char, cmd, 1)
	),
	TP_fast_assign(
		__entry->dev = dev;
		__entry->sector = sector;
		__entry->nr_sector = bytes >> 9;
		__entry->bytes = bytes;
		__entry->rwbs[0] = 'R';
		__entry->rwbs[1] = '\0';
		__get_str(cmd)[0] = '\0';
		memcpy(__entry->comm, comm, 16);
	),
	TP_printk("%u %s %llu + %u %s", __entry->dev, __entry->rwbs, __entry->sector,
		  __entry->nr_sector, __entry->comm)
);

#endif /* _BENCH_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bench_trace
#include <trace/define_trace.h>
