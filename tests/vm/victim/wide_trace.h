/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM wide

#if !defined(_WIDE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _WIDE_TRACE_H

#include <linux/tracepoint.h>
#include "compat.h"

#ifndef _WIDE_EVENT_BETWEEN
#define _WIDE_EVENT_BETWEEN
/* Emits inner: of the same CPU, before outer is recorded. */
void wide_event_between(void);
#endif

TRACE_EVENT(outer,
	TP_PROTO(u32 value, const char *text),
	TP_ARGS(value, text),
	TP_STRUCT__entry(
		__field(u32, value)
		__string(text, text)
	),
	TP_fast_assign(
		__entry->value = value;
		victim_assign_str(text, text);
		wide_event_between();
	),
	TP_printk("value=%u text=%s", __entry->value, __get_str(text))
);

TRACE_EVENT(inner,
	TP_PROTO(u32 value, const char *text),
	TP_ARGS(value, text),
	TP_STRUCT__entry(
		__field(u32, value)
		__string(text, text)
	),
	TP_fast_assign(
		__entry->value = value;
		victim_assign_str(text, text);
	),
	TP_printk("value=%u text=%s", __entry->value, __get_str(text))
);

#endif /* _WIDE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE wide_trace
#include <trace/define_trace.h>
