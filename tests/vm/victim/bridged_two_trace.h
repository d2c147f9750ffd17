/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bridged

#if !defined(_BRIDGED_TWO_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BRIDGED_TWO_TRACE_H

#include <linux/tracepoint.h>
#include "compat.h"

/* Of a length that varies, and with its number at another place. */
TRACE_EVENT(bridged_two,
	TP_PROTO(int n),
	TP_ARGS(n),
	TP_STRUCT__entry(
		__string(text, n % 2 ? "an odd number" : "even")
		__field(int, n)
	),
	TP_fast_assign(
		victim_assign_str(text, n % 2 ? "an odd number" : "even");
		__entry->n = n;
	),
	TP_printk("text=%s n=%d", __get_str(text), __entry->n)
);

#endif /* _BRIDGED_TWO_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bridged_two_trace
#include <trace/define_trace.h>
