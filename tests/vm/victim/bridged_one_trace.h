/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bridged

#if !defined(_BRIDGED_ONE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BRIDGED_ONE_TRACE_H

#include <linux/tracepoint.h>
#include "compat.h"

/* Of a fixed size. */
TRACE_EVENT(bridged_one,
	TP_PROTO(int n),
	TP_ARGS(n),
	TP_STRUCT__entry(
		__field(int, n)
		__field(u64, square)
	),
	TP_fast_assign(
		__entry->n = n;
		__entry->square = (u64)n * n;
	),
	TP_printk("n=%d square=%llu", __entry->n, __entry->square)
);

#endif /* _BRIDGED_ONE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bridged_one_trace
#include <trace/define_trace.h>
