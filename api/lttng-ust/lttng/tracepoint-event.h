/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * At the end of a header of tracepoints: it is read three more times, and makes of each class of events
 * a struct, the table of its fields and what writes it, and of each tracepoint a function.
 */
#if defined(EPITAPH_UST_HAS_TRACEPOINTS) && !defined(EPITAPH_UST_READS)
#define EPITAPH_UST_READS

#ifdef LTTNG_UST_TRACEPOINT_INCLUDE
#define EPITAPH_UST_FILE LTTNG_UST_TRACEPOINT_INCLUDE
#elif defined(TRACEPOINT_INCLUDE)
#define EPITAPH_UST_FILE TRACEPOINT_INCLUDE
#else
#error "TRACEPOINT_INCLUDE is not defined: expected the name of the header of tracepoints"
#endif
#define TRACEPOINT_HEADER_MULTI_READ
#define LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ

#undef TRACEPOINT_EVENT
#undef TRACEPOINT_EVENT_CLASS
#undef TRACEPOINT_EVENT_INSTANCE
#define TRACEPOINT_EVENT(provider, name, args, fields)				\
	TRACEPOINT_EVENT_CLASS(provider, name, EPITAPH_BARE(args), EPITAPH_BARE(fields)) \
	TRACEPOINT_EVENT_INSTANCE(provider, name, name, EPITAPH_BARE(args))
#define TRACEPOINT_EVENT_CLASS(provider, name, args, fields) \
	EPITAPH_UST_CLASS(provider, name, EPITAPH_BARE(args), EPITAPH_BARE(fields))
#define TRACEPOINT_EVENT_INSTANCE(provider, class, name, args) \
	EPITAPH_UST_INSTANCE(provider, class, name, args)

/* 1: what an event has */
#define EPITAPH_UST_CLASS(provider, name, args, fields)				\
	struct epitaph_ust_event_##provider##_##name {				\
		fields								\
	} __attribute__((packed, aligned(4)));
#define EPITAPH_UST_INSTANCE(provider, class, name, args)
#define ctf_integer(t, n, v) t n;
#define ctf_integer_hex(t, n, v) t n;
#define ctf_integer_network(t, n, v) t n;
#define ctf_integer_network_hex(t, n, v) t n;
#define ctf_float(t, n, v) uint32_t n;
#define ctf_string(n, v) uint32_t n;
#define ctf_array(t, n, v, l) uint32_t n;
#define ctf_array_text(t, n, v, l) uint32_t n;
#define ctf_sequence(t, n, v, lt, l) uint32_t n;
#define ctf_sequence_text(t, n, v, lt, l) uint32_t n;
#include EPITAPH_UST_FILE
#include <lttng/epitaph-read-end.h>

/* 2: the table of its fields, and its name */
#define EPITAPH_UST_CLASS(provider, name, args, fields_)			\
	__attribute__((__unused__))						\
	static inline void epitaph_ust_define_##provider##_##name(struct epitaph_type *type) \
	{									\
		typedef struct epitaph_ust_event_##provider##_##name epitaph_self; \
		static const struct epitaph_type_field fields[] = {		\
			fields_							\
			{ "", "", sizeof(epitaph_self), 0, 0, false, false }	\
		};								\
										\
		epitaph_ust_define(type, fields, sizeof(fields) / sizeof(fields[0]) - 1); \
	}
#define EPITAPH_UST_INSTANCE(provider, class, name_, args)			\
	EPITAPH_SHARED struct epitaph_type epitaph_ust_type_##provider##_##name_ = { \
		.id = EPITAPH_NEW_TYPE, .name = #provider "_" #name_,		\
	};
#define ctf_integer(t, n, v) \
	{ #t, #n, offsetof(epitaph_self, n), sizeof(t), 0, (t)-1 < (t)1, false },
#define ctf_integer_hex(t, n, v) \
	{ #t, #n, offsetof(epitaph_self, n), sizeof(t), 0, (t)-1 < (t)1, true },
#define ctf_integer_network(t, n, v) \
	{ #t, #n, offsetof(epitaph_self, n), sizeof(t), 0, (t)-1 < (t)1, false },
#define ctf_integer_network_hex(t, n, v) \
	{ #t, #n, offsetof(epitaph_self, n), sizeof(t), 0, (t)-1 < (t)1, true },
#define ctf_float(t, n, v) \
	{ "__data_loc char[]", #n, offsetof(epitaph_self, n), 4, 1, false, false },
#define ctf_string(n, v) { "__data_loc char[]", #n, offsetof(epitaph_self, n), 4, 1, false, false },
#define ctf_array(t, n, v, l) \
	{ "__data_loc " #t "[]", #n, offsetof(epitaph_self, n), 4, sizeof(t), (t)-1 < (t)1, false },
#define ctf_array_text(t, n, v, l) \
	{ "__data_loc char[]", #n, offsetof(epitaph_self, n), 4, 1, false, false },
#define ctf_sequence(t, n, v, lt, l) \
	{ "__data_loc " #t "[]", #n, offsetof(epitaph_self, n), 4, sizeof(t), (t)-1 < (t)1, false },
#define ctf_sequence_text(t, n, v, lt, l) \
	{ "__data_loc char[]", #n, offsetof(epitaph_self, n), 4, 1, false, false },
#include EPITAPH_UST_FILE
#include <lttng/epitaph-read-end.h>

/* 3: what writes it; the arguments have the names that the fields use */
#define EPITAPH_UST_CLASS(provider, name, args, fields_)			\
	__attribute__((__unused__))						\
	static inline void epitaph_ust_write_##provider##_##name(struct epitaph_type *epitaph_type \
								 EPITAPH_UST_MORE args) \
	{									\
		struct {							\
			struct epitaph_ust_event_##provider##_##name event;	\
			uint8_t room[EPITAPH_UST_ROOM];				\
		} epitaph_out;							\
		struct epitaph_ust_room epitaph_room = {			\
			.event = (uint8_t *)&epitaph_out, .used = sizeof(epitaph_out.event), \
			.size = sizeof(epitaph_out),				\
		};								\
										\
		if (__builtin_expect(!__atomic_load_n(&epitaph_type->fields, __ATOMIC_ACQUIRE), 0)) \
			epitaph_ust_define_##provider##_##name(epitaph_type);	\
		fields_								\
		epitaph_write(epitaph_type, &epitaph_out, epitaph_room.used, epitaph_type->varies); \
	}
#define EPITAPH_UST_INSTANCE(provider, class, name, args)			\
	__attribute__((__unused__))						\
	static inline void epitaph_ust_##provider##_##name(int epitaph_none EPITAPH_UST_MORE args) \
	{									\
		(void)epitaph_none;						\
		epitaph_ust_write_##provider##_##class(&epitaph_ust_type_##provider##_##name \
						       EPITAPH_UST_NAMES args);	\
	}
#define ctf_integer(t, n, v) epitaph_out.event.n = (t)(v);
#define ctf_integer_hex(t, n, v) epitaph_out.event.n = (t)(v);
#define ctf_integer_network(t, n, v) epitaph_out.event.n = (t)epitaph_ust_network((v), sizeof(t));
#define ctf_integer_network_hex(t, n, v) \
	epitaph_out.event.n = (t)epitaph_ust_network((v), sizeof(t));
#define ctf_float(t, n, v) \
	epitaph_out.event.n = epitaph_ust_put_float(&epitaph_room, (v), sizeof(t) == 4 ? 9 : 17);
#define ctf_string(n, v) epitaph_out.event.n = epitaph_ust_put_text(&epitaph_room, (v));
#define ctf_array(t, n, v, l) \
	epitaph_out.event.n = epitaph_ust_put(&epitaph_room, (v), (l) * sizeof(t), sizeof(t), false);
#define ctf_array_text(t, n, v, l) \
	epitaph_out.event.n = epitaph_ust_put(&epitaph_room, (v), strnlen((const char *)(v), (l)), 1, true);
#define ctf_sequence(t, n, v, lt, l) \
	epitaph_out.event.n = epitaph_ust_put(&epitaph_room, (v), (size_t)(l) * sizeof(t), sizeof(t), false);
#define ctf_sequence_text(t, n, v, lt, l) \
	epitaph_out.event.n = epitaph_ust_put(&epitaph_room, (v), strnlen((const char *)(v), (l)), 1, true);
#include EPITAPH_UST_FILE
#include <lttng/epitaph-read-end.h>

/* Another header of tracepoints may follow. */
#undef TRACEPOINT_EVENT
#undef TRACEPOINT_EVENT_CLASS
#undef TRACEPOINT_EVENT_INSTANCE
#define TRACEPOINT_EVENT(...)
#define TRACEPOINT_EVENT_CLASS(...)
#define TRACEPOINT_EVENT_INSTANCE(...)
#undef TRACEPOINT_HEADER_MULTI_READ
#undef LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ
#undef TRACEPOINT_INCLUDE
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#undef EPITAPH_UST_FILE
#undef EPITAPH_UST_READS
#undef EPITAPH_UST_HAS_TRACEPOINTS
#endif
