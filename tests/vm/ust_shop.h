/* SPDX-License-Identifier: GPL-2.0-only */
/* A program's tracepoints for LTTng-UST, with each kind of field: half by the old names, half by the new. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER ust_shop
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./ust_shop.h"

#if !defined(UST_SHOP_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define UST_SHOP_H

#include <lttng/tracepoint.h>

TRACEPOINT_EVENT(TRACEPOINT_PROVIDER, order,
	TP_ARGS(int, id, const char *, who, double, price, const uint16_t *, items, size_t, nr),
	TP_FIELDS(
		ctf_integer(int, id, id)
		ctf_string(who, who)
		ctf_float(double, price, price)
		ctf_integer_hex(uint64_t, mask, 0xfeedULL << id)
		ctf_integer_network(uint16_t, port, htobe16(8080))
		ctf_sequence(uint16_t, items, items, size_t, nr)
		ctf_integer_nowrite(int, only_for_filters, id)
	)
)
TRACEPOINT_LOGLEVEL(ust_shop, order, TRACE_INFO)

LTTNG_UST_TRACEPOINT_EVENT_CLASS(ust_shop, step,
	LTTNG_UST_TP_ARGS(long, n, const char *, tag),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(long, n, n)
		lttng_ust_field_array_text(char, tag, tag, 4)
	)
)
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(ust_shop, step, begin, LTTNG_UST_TP_ARGS(long, n, const char *, tag))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(ust_shop, step, end, LTTNG_UST_TP_ARGS(long, n, const char *, tag))
TRACEPOINT_EVENT(ust_shop, number, TP_ARGS(uint64_t, value), TP_FIELDS(ctf_integer(uint64_t, value, value)))

#endif

#include <lttng/tracepoint-event.h>
