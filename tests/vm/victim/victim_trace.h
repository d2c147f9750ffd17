/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM victim

#if !defined(_VICTIM_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _VICTIM_TRACE_H

#include <linux/tracepoint.h>
#include "compat.h"

/* One number, the smallest event there is with a 64-bit payload. */
TRACE_EVENT(seq,
	TP_PROTO(u64 value),
	TP_ARGS(value),
	TP_STRUCT__entry(
		__field(u64, value)
	),
	TP_fast_assign(
		__entry->value = value;
	),
	TP_printk("value=%llx", __entry->value)
);

/* As large as sched_switch, and with names like it. */
TRACE_EVENT(switch_like,
	TP_PROTO(u64 value, const char *prev, const char *next, int prev_pid, int next_pid),
	TP_ARGS(value, prev, next, prev_pid, next_pid),
	TP_STRUCT__entry(
		__array(char, prev_comm, 16)
		__field(int, prev_pid)
		__field(int, prev_prio)
		__field(u64, value)
		__array(char, next_comm, 16)
		__field(int, next_pid)
		__field(int, next_prio)
	),
	TP_fast_assign(
		memcpy(__entry->prev_comm, prev, 16);
		__entry->prev_pid = prev_pid;
		__entry->prev_prio = prev_pid ^ 120;
		__entry->value = value;
		memcpy(__entry->next_comm, next, 16);
		__entry->next_pid = next_pid;
		__entry->next_prio = next_pid ^ 120;
	),
	TP_printk("prev_comm=%s prev_pid=%d prev_prio=%d value=%llx ==> next_comm=%s next_pid=%d next_prio=%d",
		  __entry->prev_comm, __entry->prev_pid, __entry->prev_prio, __entry->value,
		  __entry->next_comm, __entry->next_pid, __entry->next_prio)
);

/* A string of any length. */
TRACE_EVENT(text,
	TP_PROTO(u64 value, const char *text),
	TP_ARGS(value, text),
	TP_STRUCT__entry(
		__field(u64, value)
		__string(text, text)
	),
	TP_fast_assign(
		__entry->value = value;
		victim_assign_str(text, text);
	),
	TP_printk("value=%llx text=%s", __entry->value, __get_str(text))
);

/* What the demo's bug is about. */
TRACE_EVENT(session,
	TP_PROTO(int id, const char *what, const void *owner),
	TP_ARGS(id, what, owner),
	TP_STRUCT__entry(
		__field(int, id)
		__string(what, what)
		__field(const void *, owner)
	),
	TP_fast_assign(
		__entry->id = id;
		victim_assign_str(what, what);
		__entry->owner = owner;
	),
	TP_printk("id=%d %s owner=%p", __entry->id, __get_str(what), __entry->owner)
);

/* A number as fields of each size and sign have it, and a text of a fixed size. */
TRACE_EVENT(numbers,
	TP_PROTO(unsigned int n, u64 bits, const char *name),
	TP_ARGS(n, bits, name),
	TP_STRUCT__entry(
		__field(s8, s8)
		__field(u8, u8)
		__field(s16, s16)
		__field(u16, u16)
		__array(char, name, 12)
		__field(s32, s32)
		__field(u32, u32)
		__field(s64, s64)
		__field(u64, u64)
		__field(unsigned int, n)
	),
	TP_fast_assign(
		__entry->s8 = bits;
		__entry->u8 = bits;
		__entry->s16 = bits;
		__entry->u16 = bits;
		memcpy(__entry->name, name, 12);
		__entry->s32 = bits;
		__entry->u32 = bits;
		__entry->s64 = bits;
		__entry->u64 = bits;
		__entry->n = n;
	),
	TP_printk("n=%u bits=%llx", __entry->n, __entry->u64)
);

/* Texts of any length; what is in letters has no end. */
TRACE_EVENT(texts,
	TP_PROTO(unsigned int n, s16 number, const char *first, const char *letters,
		 unsigned int nr_letters, const char *last),
	TP_ARGS(n, number, first, letters, nr_letters, last),
	TP_STRUCT__entry(
		__field(s16, number)
		__string(first, first)
		__dynamic_array(char, letters, nr_letters)
		__field(unsigned int, n)
		__string(last, last)
	),
	TP_fast_assign(
		__entry->number = number;
		victim_assign_str(first, first);
		memcpy(__get_dynamic_array(letters), letters, nr_letters);
		__entry->n = n;
		victim_assign_str(last, last);
	),
	TP_printk("n=%u %s, %s", __entry->n, __get_str(first), __get_str(last))
);

/* Emitted in each state that ftrace records with an event. */
TRACE_EVENT(moment,
	TP_PROTO(unsigned int round, const char *state, unsigned int depth),
	TP_ARGS(round, state, depth),
	TP_STRUCT__entry(
		__field(unsigned int, round)
		__string(state, state)
		__field(unsigned int, depth)
	),
	TP_fast_assign(
		__entry->round = round;
		victim_assign_str(state, state);
		__entry->depth = depth;
	),
	TP_printk("round=%u %s depth=%u", __entry->round, __get_str(state), __entry->depth)
);

/* Before and after a write to a port. */
TRACE_EVENT(port,
	TP_PROTO(u32 n, bool done),
	TP_ARGS(n, done),
	TP_STRUCT__entry(
		__field(u32, n)
		__field(u32, done)
	),
	TP_fast_assign(
		__entry->n = n;
		__entry->done = done;
	),
	TP_printk("n=%u %s", __entry->n, __entry->done ? "written" : "to be written")
);

/* Who has the token. */
TRACE_EVENT(token,
	TP_PROTO(u64 n),
	TP_ARGS(n),
	TP_STRUCT__entry(
		__field(u64, n)
	),
	TP_fast_assign(
		__entry->n = n;
	),
	TP_printk("n=%llu", __entry->n)
);

/* What @from points to is read while the event is being written. */
TRACE_EVENT(peek,
	TP_PROTO(const char *from),
	TP_ARGS(from),
	TP_STRUCT__entry(
		__array(char, seen, 24)
	),
	TP_fast_assign(
		memcpy(__entry->seen, from, 24);
	),
	TP_printk("seen=%s", __entry->seen)
);

#endif /* _VICTIM_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE victim_trace
#include <trace/define_trace.h>
