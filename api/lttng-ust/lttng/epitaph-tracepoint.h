/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: LTTng-UST's tracepoints in the flight recorder
 *
 * The header of tracepoints that a program has for LTTng-UST, its TRACEPOINT_EVENT() and tracepoint(),
 * is compiled to events in the program's own rings (docs/rings.md); nothing to link::
 *
 *	cc -std=gnu11 -I /usr/include/epitaph/lttng-ust -I . shop.c
 *
 * with this directory in front of LTTng-UST's.  "-I ." finds the header of tracepoints, as LTTng-UST
 * needs it too.  The old names (TRACEPOINT_EVENT, ctf_integer) and the new ones
 * (LTTNG_UST_TRACEPOINT_EVENT, lttng_ust_field_integer) are both understood.  The rings have the name
 * of the program, an event that of provider and tracepoint, "shop_order".
 *
 * What is different: a floating-point number is a text; together, the texts and arrays of one event
 * have 3 KiB, and what is behind that is cut off; fields that LTTng-UST has for filters alone
 * (nowrite), names of enumerations, log levels and model URIs are left out; no C++.
 */
#ifndef EPITAPH_UST_EPITAPH_H
#define EPITAPH_UST_EPITAPH_H

#include <epitaph-ring.h>

#define EPITAPH_UST_ROOM	3072	/* bytes of one event's texts and arrays */

/* Where the texts and arrays of an event go: behind its fields. */
struct epitaph_ust_room {
	uint8_t *event;
	uint32_t used;
	uint32_t size;
};

/* Return: what a field has that leads to @size bytes there; of a @text, to a NUL behind them. */
__attribute__((__unused__))
static inline uint32_t epitaph_ust_put(struct epitaph_ust_room *room, const void *data, size_t size,
				       uint32_t element, bool is_text)
{
	uint32_t at = (room->used + 7) & ~7U, left = at < room->size ? room->size - at : 0;
	uint32_t length = data ? size : 0;

	if (!left)
		return 8;
	if (size >= left)
		length = data ? (left - 1) / element * element : 0;
	if (length)
		memcpy(room->event + at, data, length);
	if (is_text)
		room->event[at + length++] = 0;
	room->used = at + length;
	/* In front of the fields are 8 bytes that all events have. */
	return length << 16 | (at + 8);
}

__attribute__((__unused__))
static inline uint32_t epitaph_ust_put_text(struct epitaph_ust_room *room, const char *text)
{
	if (!text)
		text = "(null)";
	return epitaph_ust_put(room, text, strlen(text), 1, true);
}

__attribute__((__unused__))
static inline uint32_t epitaph_ust_put_float(struct epitaph_ust_room *room, double value,
					     int digits)
{
	char text[40];
	int n = snprintf(text, sizeof(text), "%.*g", digits, value);

	return epitaph_ust_put(room, text, n < 0 ? 0 : n, 1, true);
}

/* A number as a network has it. */
__attribute__((__unused__))
static inline uint64_t epitaph_ust_network(uint64_t value, size_t size)
{
	return size == 2 ? be16toh(value) : size == 4 ? be32toh(value) : size == 8 ? be64toh(value) : value;
}

/* Before the first event of a kind; another thread may do the same. */
__attribute__((__unused__))
static inline void epitaph_ust_define(struct epitaph_type *type,
				      const struct epitaph_type_field *fields, uint32_t nr_fields)
{
	uint32_t i;

	for (i = 0; i < nr_fields; i++)
		if (epitaph_is_behind(&fields[i]))
			type->varies = true;
	type->nr_fields = nr_fields;
	__atomic_store_n(&type->fields, fields, __ATOMIC_RELEASE);
}

/* The rings are called as the program. */
EPITAPH_SHARED __attribute__((constructor))
void epitaph_ust_begin(void)
{
	char name[EPITAPH_NAME_SIZE];
	size_t i;

	for (i = 0; i + 1 < sizeof(name) && program_invocation_short_name[i]; i++) {
		char c = program_invocation_short_name[i];
		bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

		name[i] = is_letter ? c : '_';
	}
	name[i] = 0;
	epitaph_ring_name(i ? name : "ust");
}

#define EPITAPH_UST_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, count, ...) count
#define EPITAPH_UST_COUNT(...) \
	EPITAPH_UST_COUNT_(__VA_ARGS__, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
/* Of TP_ARGS(): each argument, with a comma in front of it. None, or void, is one word. */
#define EPITAPH_UST_MORE_1(none)
#define EPITAPH_UST_NAMES_1(none)
#define EPITAPH_UST_MORE_2(t, n) , t n
#define EPITAPH_UST_MORE_4(t, n, ...) , t n EPITAPH_UST_MORE_2(__VA_ARGS__)
#define EPITAPH_UST_MORE_6(t, n, ...) , t n EPITAPH_UST_MORE_4(__VA_ARGS__)
#define EPITAPH_UST_MORE_8(t, n, ...) , t n EPITAPH_UST_MORE_6(__VA_ARGS__)
#define EPITAPH_UST_MORE_10(t, n, ...) , t n EPITAPH_UST_MORE_8(__VA_ARGS__)
#define EPITAPH_UST_MORE_12(t, n, ...) , t n EPITAPH_UST_MORE_10(__VA_ARGS__)
#define EPITAPH_UST_MORE_14(t, n, ...) , t n EPITAPH_UST_MORE_12(__VA_ARGS__)
#define EPITAPH_UST_MORE_16(t, n, ...) , t n EPITAPH_UST_MORE_14(__VA_ARGS__)
#define EPITAPH_UST_MORE_18(t, n, ...) , t n EPITAPH_UST_MORE_16(__VA_ARGS__)
#define EPITAPH_UST_MORE_20(t, n, ...) , t n EPITAPH_UST_MORE_18(__VA_ARGS__)
#define EPITAPH_UST_NAMES_2(t, n) , n
#define EPITAPH_UST_NAMES_4(t, n, ...) , n EPITAPH_UST_NAMES_2(__VA_ARGS__)
#define EPITAPH_UST_NAMES_6(t, n, ...) , n EPITAPH_UST_NAMES_4(__VA_ARGS__)
#define EPITAPH_UST_NAMES_8(t, n, ...) , n EPITAPH_UST_NAMES_6(__VA_ARGS__)
#define EPITAPH_UST_NAMES_10(t, n, ...) , n EPITAPH_UST_NAMES_8(__VA_ARGS__)
#define EPITAPH_UST_NAMES_12(t, n, ...) , n EPITAPH_UST_NAMES_10(__VA_ARGS__)
#define EPITAPH_UST_NAMES_14(t, n, ...) , n EPITAPH_UST_NAMES_12(__VA_ARGS__)
#define EPITAPH_UST_NAMES_16(t, n, ...) , n EPITAPH_UST_NAMES_14(__VA_ARGS__)
#define EPITAPH_UST_NAMES_18(t, n, ...) , n EPITAPH_UST_NAMES_16(__VA_ARGS__)
#define EPITAPH_UST_NAMES_20(t, n, ...) , n EPITAPH_UST_NAMES_18(__VA_ARGS__)
#define EPITAPH_UST_MORE(...) EPITAPH_JOIN(EPITAPH_UST_MORE_, EPITAPH_UST_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define EPITAPH_UST_NAMES(...) EPITAPH_JOIN(EPITAPH_UST_NAMES_, EPITAPH_UST_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define EPITAPH_UST_CALL(provider, name, ...) epitaph_ust_##provider##_##name(0, ##__VA_ARGS__)

#define TP_ARGS(...) (__VA_ARGS__)
#define TP_FIELDS(...) __VA_ARGS__
#define TP_ENUM_VALUES(...)
#define TRACEPOINT_LOGLEVEL(...)
#define TRACEPOINT_MODEL_EMF_URI(...)
#define TRACEPOINT_ENUM(...)
#define tracepoint(provider, name, ...) EPITAPH_UST_CALL(provider, name, ##__VA_ARGS__)
#define do_tracepoint(provider, name, ...) EPITAPH_UST_CALL(provider, name, ##__VA_ARGS__)
#define tracepoint_enabled(provider, name) 1

#define LTTNG_UST_TP_ARGS TP_ARGS
#define LTTNG_UST_TP_FIELDS TP_FIELDS
#define LTTNG_UST_TP_ENUM_VALUES TP_ENUM_VALUES
#define LTTNG_UST_TRACEPOINT_LOGLEVEL TRACEPOINT_LOGLEVEL
#define LTTNG_UST_TRACEPOINT_MODEL_EMF_URI TRACEPOINT_MODEL_EMF_URI
#define LTTNG_UST_TRACEPOINT_ENUM TRACEPOINT_ENUM
#define LTTNG_UST_TRACEPOINT_EVENT TRACEPOINT_EVENT
#define LTTNG_UST_TRACEPOINT_EVENT_CLASS TRACEPOINT_EVENT_CLASS
#define LTTNG_UST_TRACEPOINT_EVENT_INSTANCE TRACEPOINT_EVENT_INSTANCE
#define lttng_ust_tracepoint tracepoint
#define lttng_ust_do_tracepoint do_tracepoint
#define lttng_ust_tracepoint_enabled tracepoint_enabled

/* Fields that are as others here, or are none. */
#define ctf_integer_nowrite(...)
#define ctf_float_nowrite(...)
#define ctf_string_nowrite(...)
#define ctf_array_nowrite(...)
#define ctf_array_text_nowrite(...)
#define ctf_sequence_nowrite(...)
#define ctf_sequence_text_nowrite(...)
#define ctf_enum_nowrite(...)
#define ctf_unused(...)
#define ctf_enum(provider, enumeration, type, name, value) ctf_integer(type, name, value)
#define ctf_array_hex ctf_array
#define ctf_sequence_hex ctf_sequence
#define lttng_ust_field_integer ctf_integer
#define lttng_ust_field_integer_hex ctf_integer_hex
#define lttng_ust_field_integer_network ctf_integer_network
#define lttng_ust_field_integer_network_hex ctf_integer_network_hex
#define lttng_ust_field_integer_nowrite ctf_integer_nowrite
#define lttng_ust_field_float ctf_float
#define lttng_ust_field_float_nowrite ctf_float_nowrite
#define lttng_ust_field_string ctf_string
#define lttng_ust_field_string_nowrite ctf_string_nowrite
#define lttng_ust_field_array ctf_array
#define lttng_ust_field_array_hex ctf_array_hex
#define lttng_ust_field_array_nowrite ctf_array_nowrite
#define lttng_ust_field_array_text ctf_array_text
#define lttng_ust_field_array_text_nowrite ctf_array_text_nowrite
#define lttng_ust_field_sequence ctf_sequence
#define lttng_ust_field_sequence_hex ctf_sequence_hex
#define lttng_ust_field_sequence_nowrite ctf_sequence_nowrite
#define lttng_ust_field_sequence_text ctf_sequence_text
#define lttng_ust_field_sequence_text_nowrite ctf_sequence_text_nowrite
#define lttng_ust_field_enum ctf_enum
#define lttng_ust_field_enum_nowrite ctf_enum_nowrite
#define lttng_ust_field_unused ctf_unused

/* In the first reading, a header of tracepoints is skipped: <lttng/tracepoint-event.h> reads it again. */
#define TRACEPOINT_EVENT(...)
#define TRACEPOINT_EVENT_CLASS(...)
#define TRACEPOINT_EVENT_INSTANCE(...)

#endif
