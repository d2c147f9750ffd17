/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench

#if !defined(_BENCH_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BENCH_TRACE_H

#include <linux/tracepoint.h>
#include "compat.h"

#ifndef BENCH_REQUEST
#define BENCH_REQUEST
struct bench_request {
	struct {
		u32	first;
		u16	nr;
	} at;
	u64	cookie;
	u8	flags[5];
};
#endif

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
		bench_assign_str(text, text);
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

/* Numbers of odd sizes, and bytes between them. */
TRACE_EVENT(bench_odd,
	TP_PROTO(u8 kind, u16 flags, const u8 *address, u64 value),
	TP_ARGS(kind, flags, address, value),
	TP_STRUCT__entry(
		__field(u8, kind)
		__field(u16, flags)
		__array(u8, address, 7)
		__field(u64, value)
		__field(bool, is_last)
	),
	TP_fast_assign(
		__entry->kind = kind;
		__entry->flags = flags;
		memcpy(__entry->address, address, 7);
		__entry->value = value;
		__entry->is_last = value & 1;
	),
	TP_printk("%u %x %*phC %llu %d", __entry->kind, __entry->flags, 7, __entry->address,
		  __entry->value, __entry->is_last)
);

/* Three texts. */
TRACE_EVENT(bench_strings,
	TP_PROTO(const char *device, const char *driver, const char *message, int error),
	TP_ARGS(device, driver, message, error),
	TP_STRUCT__entry(
		__string(device, device)
		__string(driver, driver)
		__field(int, error)
		__string(message, message)
	),
	TP_fast_assign(
		bench_assign_str(device, device);
		bench_assign_str(driver, driver);
		__entry->error = error;
		bench_assign_str(message, message);
	),
	TP_printk("%s %s: %s (%d)", __get_str(device), __get_str(driver), __get_str(message),
		  __entry->error)
);

/* A struct within. */
TRACE_EVENT(bench_nested,
	TP_PROTO(const struct bench_request *request, int tag),
	TP_ARGS(request, tag),
	TP_STRUCT__entry(
		__field(int, tag)
		__field_struct(struct bench_request, request)
	),
	TP_fast_assign(
		__entry->tag = tag;
		__entry->request = *request;
	),
	TP_printk("%d %u+%u %llu", __entry->tag, __entry->request.at.first, __entry->request.at.nr,
		  __entry->request.cookie)
);

/* Numbers, as many as there are. */
TRACE_EVENT(bench_array,
	TP_PROTO(const u32 *values, int nr),
	TP_ARGS(values, nr),
	TP_STRUCT__entry(
		__field(int, nr)
		__dynamic_array(u32, values, nr)
	),
	TP_fast_assign(
		__entry->nr = nr;
		memcpy(__get_dynamic_array(values), values, nr * sizeof(*values));
	),
	TP_printk("%d: %s", __entry->nr, __print_array(__get_dynamic_array(values), __entry->nr, 4))
);

#endif /* _BENCH_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bench_trace
#include <trace/define_trace.h>
