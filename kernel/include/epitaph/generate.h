/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a trace header to probes: includes EPITAPH_TRACE_HEADER once per stage,
 * each time with another meaning of its macros.  What the fields and strings
 * mean in a stage is the kernel's own trace/stages/; kernels before 6.0 have
 * no such files and find those of our include directory.  See
 * <epitaph/probes.h> for how to use it.
 *
 * EPITAPH_SKIP_<class> defined as a comma leaves out a class and its events.
 */
#include <linux/kernel.h>
#include <linux/stringify.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/trace_events.h>
#include <epitaph/pack_event.h>
#include <epitaph/record.h>
#include <epitaph/text.h>

/* Where syscall tracepoints are a kind of their own, probes may be preempted. */
#ifdef DECLARE_TRACE_SYSCALL
# define epitaph_probe_enter()	preempt_disable_notrace()
# define epitaph_probe_leave()	preempt_enable_notrace()
#else
# define epitaph_probe_enter()	do { } while (0)
# define epitaph_probe_leave()	do { } while (0)
#endif

/* Once as everybody else reads it, with the helpers for CREATE_TRACE_POINTS. */
#define CREATE_TRACE_POINTS
#include EPITAPH_TRACE_HEADER
#undef CREATE_TRACE_POINTS
#define TRACE_HEADER_MULTI_READ

/* Where a header is read again, only its events count. */
#undef DECLARE_TRACE
#define DECLARE_TRACE(name, proto, args)
#undef DECLARE_TRACE_CONDITION
#define DECLARE_TRACE_CONDITION(name, proto, args, cond)
#undef DECLARE_TRACE_EVENT
#define DECLARE_TRACE_EVENT(name, proto, args)
#undef DECLARE_TRACE_EVENT_CONDITION
#define DECLARE_TRACE_EVENT_CONDITION(name, proto, args, cond)
#undef DECLARE_TRACE_SYSCALL
#define DECLARE_TRACE_SYSCALL(name, proto, args)
#undef DECLARE_TRACE_NOP
#define DECLARE_TRACE_NOP(name, proto, args)
#undef DECLARE_EVENT_NOP
#define DECLARE_EVENT_NOP(name, proto, args)
#undef DECLARE_EVENT_CLASS_NOP
#define DECLARE_EVENT_CLASS_NOP(name, proto, args, tstruct, assign, print)
#undef DEFINE_EVENT_NOP
#define DEFINE_EVENT_NOP(template, name, proto, args)
#undef TRACE_EVENT_NOP
#define TRACE_EVENT_NOP(name, proto, args, tstruct, assign, print)
#undef TRACE_EVENT_FLAGS
#define TRACE_EVENT_FLAGS(name, flag)
#undef TRACE_EVENT_PERF_PERM
#define TRACE_EVENT_PERF_PERM(name, expr...)

/* All ways to define an event come down to a class and an event of it. */
#undef TRACE_EVENT
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)		\
	DECLARE_EVENT_CLASS(name, PARAMS(proto), PARAMS(args),		\
			    PARAMS(tstruct), PARAMS(assign), PARAMS(print)) \
	DEFINE_EVENT(name, name, PARAMS(proto), PARAMS(args))
#undef TRACE_EVENT_CONDITION
#define TRACE_EVENT_CONDITION(name, proto, args, cond, tstruct, assign, print) \
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))
#undef TRACE_EVENT_FN
#define TRACE_EVENT_FN(name, proto, args, tstruct, assign, print, reg, unreg) \
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))
#undef TRACE_EVENT_FN_COND
#define TRACE_EVENT_FN_COND(name, proto, args, cond, tstruct, assign, print, \
			    reg, unreg)					\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))
#undef TRACE_EVENT_SYSCALL
#define TRACE_EVENT_SYSCALL(name, proto, args, tstruct, assign, print,	\
			    reg, unreg)					\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))
#undef DEFINE_EVENT_FN
#define DEFINE_EVENT_FN(template, name, proto, args, reg, unreg)	\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))
#undef DEFINE_EVENT_CONDITION
#define DEFINE_EVENT_CONDITION(template, name, proto, args, cond)	\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

/* The first argument decides: a comma in it moves EPITAPH_NO_x to the second. */
#define EPITAPH_SECOND_(first, second, ...) second
#define EPITAPH_SECOND(...) EPITAPH_SECOND_(__VA_ARGS__)
#define EPITAPH_NO_CLASS(name, proto, args, tstruct, assign, print)
#define EPITAPH_NO_EVENT(template, name, proto, args)
#define EPITAPH_NO_EVENT_PRINT(template, name, proto, args, print)

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)	\
	EPITAPH_SECOND(EPITAPH_SKIP_##name EPITAPH_NO_CLASS,		\
		       EPITAPH_CLASS, ~)				\
		(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		 PARAMS(assign), PARAMS(print))
#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)			\
	EPITAPH_SECOND(EPITAPH_SKIP_##template EPITAPH_NO_EVENT,	\
		       EPITAPH_EVENT, ~)				\
		(template, name, PARAMS(proto), PARAMS(args))
#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, print)		\
	EPITAPH_SECOND(EPITAPH_SKIP_##template EPITAPH_NO_EVENT_PRINT,	\
		       EPITAPH_EVENT_PRINT, ~)				\
		(template, name, PARAMS(proto), PARAMS(args), PARAMS(print))

#define EPITAPH_EVENT(template, name, proto, args)
#define EPITAPH_EVENT_PRINT(template, name, proto, args, print)		\
	EPITAPH_EVENT(template, name, PARAMS(proto), PARAMS(args))

/*
 * Lists of pointers in one section, in the order of the source: the head is
 * followed by what the stages add, and the end is NULL.  Pointers, because the
 * compiler pads structs that it places one by one.
 */
#define EPITAPH_LISTED(section)						\
	__used __section(section) __attribute__((no_reorder))

/*
 * Code that may lie anywhere, as s390x's of 6.10 and newer, has to be told where such pointers lead:
 * they are written to then, but those that are NULL are not, and one section cannot be both.
 */
#ifdef __PIC__
#define EPITAPH_ENUMS ".data.rel.ro.epitaph_enums"
#else
#define EPITAPH_ENUMS ".rodata.epitaph_enums"
#endif

/* Stage 1: enum values, and the record as a struct. */
static const struct epitaph_enum *const epitaph_enums_head
	EPITAPH_LISTED(EPITAPH_ENUMS) = NULL;

#define EPITAPH_ENUM(text, val)						\
	static const struct epitaph_enum *const __UNIQUE_ID(epitaph_enum) \
		EPITAPH_LISTED(EPITAPH_ENUMS) =				\
			&(const struct epitaph_enum) { text, (long)(val) }

#undef TRACE_DEFINE_ENUM
#define TRACE_DEFINE_ENUM(a) EPITAPH_ENUM(#a, a)
#undef TRACE_DEFINE_SIZEOF
#define TRACE_DEFINE_SIZEOF(a) EPITAPH_ENUM("sizeof(" #a ")", sizeof(a))

#include <trace/stages/stage1_struct_define.h>
#define EPITAPH_CLASS(class, proto, args, tstruct, assign, print)	\
	struct trace_event_raw_##class {				\
		struct epitaph_entry ent;					\
		tstruct							\
		char __data[];						\
	};								\
	/* With room for an empty array behind it, see EPITAPH_EMPTY_x. */ \
	union epitaph_raw_##class {					\
		struct trace_event_raw_##class record;			\
		u8 loaded[sizeof(struct trace_event_raw_##class) + 8];	\
	};
#include EPITAPH_TRACE_HEADER
#undef EPITAPH_CLASS

static const struct epitaph_enum *const epitaph_enums_end
	EPITAPH_LISTED(EPITAPH_ENUMS) = NULL;

#undef TRACE_DEFINE_ENUM
#define TRACE_DEFINE_ENUM(a)
#undef TRACE_DEFINE_SIZEOF
#define TRACE_DEFINE_SIZEOF(a)

/* Stage 2: where the strings and arrays will be; empty if there are none. */
#include <trace/stages/stage2_data_offsets.h>
/* And which text was measured, as kernels from 6.10 on have it. */
#undef __dynamic_array
#define __dynamic_array(type, item, len) u32 item; const void *item##_ptr_;
#undef __rel_dynamic_array
#define __rel_dynamic_array(type, item, len) u32 item; const void *item##_ptr_;
#define EPITAPH_CLASS(class, proto, args, tstruct, assign, print)	\
	struct trace_event_data_offsets_##class { tstruct; };
#include EPITAPH_TRACE_HEADER
#undef EPITAPH_CLASS

/* Stage 4: the fields as the format file lists them. */
#include <trace/stages/stage4_event_fields.h>
#define EPITAPH_CLASS(class, proto, args, tstruct, assign, print)	\
	static const struct epitaph_field __maybe_unused		\
	epitaph_fields_##class[] = { tstruct {} };			\
	static struct epitaph_pack_step __maybe_unused			\
	epitaph_steps_##class[ARRAY_SIZE(epitaph_fields_##class)];
#include EPITAPH_TRACE_HEADER
#undef EPITAPH_CLASS

/* Stage 5: how long the strings and arrays are this time. */
#include <trace/stages/stage5_get_offsets.h>
#define EPITAPH_MEASURE(array, item, src)				\
	__data_offsets->item##_ptr_ = (src) ? (const char *)(src) : "(null)"; \
	array(char, item, EPITAPH_STRLEN(__data_offsets->item##_ptr_) + 1)
#define EPITAPH_STRLEN(s)						\
	(__builtin_constant_p(__builtin_strlen(s)) ? __builtin_strlen(s) : epitaph_strlen(s))
#undef __string
#define __string(item, src...) EPITAPH_MEASURE(__dynamic_array, item, src)
#undef __rel_string
#define __rel_string(item, src...) EPITAPH_MEASURE(__rel_dynamic_array, item, src)
#define EPITAPH_CLASS(class, proto, args, tstruct, assign, print)	\
	static inline notrace int trace_event_get_offsets_##class(	\
		struct trace_event_data_offsets_##class *__data_offsets, proto) \
	{								\
		int __data_size = 0;					\
		int __maybe_unused __item_length;			\
		struct trace_event_raw_##class __maybe_unused *entry;	\
									\
		tstruct;						\
		return __data_size;					\
	}
#include EPITAPH_TRACE_HEADER
#undef EPITAPH_CLASS

/* Where EPITAPH_PACK_<class> is a comma: each field to epitaph_pack_field(). */
#define EPITAPH_FIELD_OF(type, item)					\
	if (!epitaph_pack_field(__state, (const void *)&__entry->item,	\
				sizeof(__entry->item), #type, #item))	\
		return false;
#undef __field
#define __field(type, item) EPITAPH_FIELD_OF(type, item)
#undef __array
#define __array(type, item, len) EPITAPH_FIELD_OF(type, item)
/* Such an event is not packed, so this is never called. */
#undef __string
#define __string(item, src...)
/* And this only if the array is the one that its class has. */
#undef __dynamic_array
#define __dynamic_array(type, item, len)				\
	if (!epitaph_pack_empty(__state, __entry->__data))		\
		return false;
#define EPITAPH_CLASS(class, proto, args, tstruct, assign, print)	\
	EPITAPH_SECOND(EPITAPH_PACK_##class EPITAPH_FIELDS, EPITAPH_NO_FIELDS, ~) \
		(class, PARAMS(tstruct))
#define EPITAPH_NO_FIELDS(class, tstruct)
#define EPITAPH_FIELDS(class, tstruct)					\
	static __always_inline bool epitaph_fields_to_##class(		\
		struct pack_state *__state,				\
		const struct trace_event_raw_##class *__entry)		\
	{								\
		__state->is_last = EPITAPH_SECOND(EPITAPH_LAST_##class true, false, ~); \
		tstruct							\
		return true;						\
	}
#include EPITAPH_TRACE_HEADER
#undef EPITAPH_CLASS

/* What of the probe is different there. */
#define EPITAPH_MAY_PACK(class)						\
	(EPITAPH_SECOND(EPITAPH_PACK_##class true, false, ~) &&		\
	 (!EPITAPH_VARIES(class) || EPITAPH_HAS_EMPTY(class)))

/* One array of varying length, mostly of one zero byte. */
#define EPITAPH_HAS_EMPTY(class) EPITAPH_SECOND(EPITAPH_EMPTY_##class true, false, ~)

#define EPITAPH_IS_OFTEN(class)						\
	(EPITAPH_SECOND(EPITAPH_OFTEN_##class true, false, ~) && EPITAPH_MAY_PACK(class))

/* Whether a table packs what is not as usual. */
#define EPITAPH_HAS_STEPS(class)					\
	(EPITAPH_SECOND(EPITAPH_STEPS_##class true, false, ~) && EPITAPH_MAY_PACK(class))

#define EPITAPH_VARIES(class) (sizeof(struct trace_event_data_offsets_##class) > 0)

#define EPITAPH_PAYLOAD(class)						\
	(sizeof(struct trace_event_raw_##class) - sizeof(struct epitaph_entry))

/* A kernel stack has room for a record of so many bytes, however deep the event comes. */
#define EPITAPH_IS_ON_STACK(class, size)				\
	(EPITAPH_PAYLOAD(class) <= EPITAPH_STACK_BYTES && (size) <= EPITAPH_STACK_BYTES)

/*
 * Stage 6: the probe.  __data is the event.  The ring wants preemption off
 * between reserve and commit, which newer kernels no longer do for us.
 */
#include <trace/stages/stage3_trace_output.h>
#include <trace/stages/stage6_event_callback.h>
#include <epitaph/assign.h>
#define EPITAPH_PROBE(probe, class, proto, args, tstruct, assign, own, begin, end, enter, leave) \
	static notrace void __maybe_unused				\
	probe(void *__data, proto)					\
	{								\
		struct trace_event_data_offsets_##class __maybe_unused	\
			__data_offsets __attribute__((uninitialized));	\
		struct trace_event_raw_##class *entry;			\
		own;							\
		void __maybe_unused *__end;				\
		int __size;						\
									\
		enter;							\
		__size = sizeof(*entry) - sizeof(struct epitaph_entry) +	\
			trace_event_get_offsets_##class(&__data_offsets, args); \
		begin;							\
		if (likely(entry)) {					\
			__end = (void *)(&entry->ent + 1) + __size;	\
			tstruct						\
			{ assign; }					\
			end;						\
		}							\
		leave;							\
	}
#define EPITAPH_ROOM(class)						\
	EPITAPH_ROOM_BYTES(EPITAPH_PAYLOAD(class) > EPITAPH_STACK_BYTES ? 0 : \
			   EPITAPH_VARIES(class) ? EPITAPH_STACK_BYTES : EPITAPH_PAYLOAD(class))
/*
 * What the fast path does not take.  A record that is not large is made on the stack, so that a
 * filter looks at it before the ring is touched.  Who calls it has preemption off.
 */
#define EPITAPH_OTHER_PROBE(probe, class, proto, args, tstruct, assign)	\
	EPITAPH_PROBE(probe, class, PARAMS(proto), PARAMS(args),	\
		      PARAMS(tstruct), PARAMS(assign),			\
		      const bool __maybe_unused __in_registers = false;	\
		      const u32 __maybe_unused __data_shift = 0;	\
		      struct epitaph_rec __rec __attribute__((uninitialized)); \
		      u64 __room[(EPITAPH_ROOM(class) + 7) / 8] __attribute__((uninitialized)), \
		      entry = EPITAPH_IS_ON_STACK(class, __size) ?	\
			      epitaph_zero_room(__room, EPITAPH_PAYLOAD(class), __size) : \
			      epitaph_reserve(__data, &__rec, __size),	\
		      if (!EPITAPH_IS_ON_STACK(class, __size))		\
			      epitaph_commit(__data, &__rec);		\
		      else if (EPITAPH_VARIES(class))			\
			      epitaph_record_long(__data, entry, __size); \
		      else						\
			      epitaph_record(__data, entry, __size),	\
		      do { } while (0), do { } while (0))
/* Where all arrays are registers, or there is none, a canary would guard nothing. */
#ifndef __no_stack_protector
# define __no_stack_protector
#endif
/* Before 5.12. */
#ifndef __flatten
# define __flatten __attribute__((flatten))
#endif
/*
 * What is not seldom: straight into the ring, in a function without a call that it would have to
 * save registers for.
 */
#define EPITAPH_FAST_PROBE(probe, class, proto, args, tstruct, assign)	\
	static notrace __no_stack_protector __flatten void __maybe_unused	\
	probe(void *__data, proto)					\
	{								\
		struct trace_event_data_offsets_##class __maybe_unused	\
			__data_offsets __attribute__((uninitialized));	\
		struct trace_event_raw_##class *entry;			\
		const struct epitaph_event *__ev = __data;		\
		const bool __maybe_unused __in_registers = false;	\
		const u32 __maybe_unused __data_shift = 0;		\
		const u32 __before = EPITAPH_VARIES(class) ? 2 : 1;	\
		struct epitaph_fast __fast __attribute__((uninitialized)); \
		void __maybe_unused *__end;				\
		struct epitaph_ring *__ring;				\
		u32 __size, __words;					\
									\
		epitaph_probe_enter();					\
		if (unlikely(!data_race(__ev->is_fast)))		\
			goto __other;					\
		__size = sizeof(*entry) - sizeof(struct epitaph_entry) +	\
			trace_event_get_offsets_##class(&__data_offsets, args); \
		__words = __before + epitaph_ring_words(__size);	\
		if (EPITAPH_VARIES(class) && unlikely(__words > EPITAPH_FAST_WORDS)) \
			goto __other;					\
		__ring = this_cpu_ptr(__ev->rings);			\
		if (unlikely(!epitaph_fast_claim(__ring, &__fast, __words))) \
			goto __other;					\
		if (EPITAPH_VARIES(class))				\
			epitaph_fast_long(&__fast, __ev->id, __words);	\
		entry = (void *)(__fast.w + __before) - sizeof(struct epitaph_entry); \
		__end = (void *)(&entry->ent + 1) + __size;		\
		tstruct							\
		{ assign; }						\
		epitaph_fast_commit(__ring, &__fast, EPITAPH_VARIES(class) ? \
				    EPITAPH_ID_LONG << EPITAPH_ID_SHIFT : __ev->first, \
				    __words);				\
		epitaph_probe_leave();					\
		return;							\
__other:								\
		__data = (void *)READ_ONCE(__ev->fast_context);		\
		if (__data)						\
			epitaph_context_##class(__data, args);		\
		else							\
			epitaph_other_##class((void *)__ev, args);	\
		epitaph_probe_leave();					\
	}
/* The same with context; __data is the context. */
#define EPITAPH_CONTEXT_PROBE(class, proto, args, tstruct, assign)	\
	static noinline notrace __no_stack_protector void __maybe_unused \
	epitaph_context_##class(void *__data, proto)			\
	{								\
		struct trace_event_data_offsets_##class __maybe_unused	\
			__data_offsets __attribute__((uninitialized));	\
		const struct epitaph_fast_context *__context = __data;	\
		const bool __maybe_unused __in_registers = false;	\
		const u32 __before = EPITAPH_VARIES(class) ? 2 : 1;	\
		const u32 __data_shift = EPITAPH_VARIES(class) ? __context->shift : 0; \
		struct epitaph_ring *__ring;				\
		struct epitaph_fast __fast __attribute__((uninitialized)); \
		struct trace_event_raw_##class *entry;			\
		void __maybe_unused *__end;				\
		u32 __size, __words;					\
									\
		__size = EPITAPH_PAYLOAD(class) + __data_shift +	\
			trace_event_get_offsets_##class(&__data_offsets, args); \
		__words = EPITAPH_VARIES(class) ? __before + epitaph_ring_words(__size) : \
			  __context->words;				\
		if (EPITAPH_VARIES(class) && unlikely(__words > EPITAPH_FAST_WORDS)) \
			goto __other;					\
		__ring = this_cpu_ptr(__context->rings);		\
		if (unlikely(!epitaph_fast_claim(__ring, &__fast, __words))) \
			goto __other;					\
		if (EPITAPH_VARIES(class))				\
			epitaph_fast_long(&__fast, __context->id, __words); \
		entry = (void *)(__fast.w + __before) - sizeof(struct epitaph_entry); \
		__end = (void *)(&entry->ent + 1) + __size;		\
		tstruct							\
		{ assign; }						\
		if (EPITAPH_VARIES(class))				\
			epitaph_context_commit_long(__ring, __context, __fast.w, \
						    __fast.word | EPITAPH_ID_LONG << EPITAPH_ID_SHIFT, \
						    __fast.level, __words); \
		else							\
			epitaph_fast_commit_context(__ring, &__fast, __context,	\
						    1 + epitaph_ring_words(__size)); \
		return;							\
__other:								\
		epitaph_other_##class((void *)__context->ev, args);	\
	}
#define EPITAPH_PLAIN_PROBE(probe, class, proto, args, tstruct, assign)	\
	EPITAPH_OTHER_PROBE(noinline epitaph_other_##class, class, PARAMS(proto), \
			    PARAMS(args), PARAMS(tstruct), PARAMS(assign)) \
	EPITAPH_CONTEXT_PROBE(class, PARAMS(proto), PARAMS(args),	\
			      PARAMS(tstruct), PARAMS(assign))		\
	EPITAPH_FAST_PROBE(probe, class, PARAMS(proto), PARAMS(args),	\
			   PARAMS(tstruct), PARAMS(assign))
#define EPITAPH_RAW_AS_IT_IS(class) struct trace_event_raw_##class __raw = { }
/* With room for the array behind it. */
#define EPITAPH_RAW_LONGER(class) union epitaph_raw_##class __longer = { }
#define EPITAPH_RAW(class) EPITAPH_SECOND(EPITAPH_EMPTY_##class __longer.record, __raw, ~)
/* The record is nowhere but in registers: if it does not pack so, it is made again for @other. */
#define EPITAPH_PACKED_PROBE(probe, pack, other, class, proto, args, tstruct, assign) \
	EPITAPH_PROBE(probe, class, PARAMS(proto), PARAMS(args),	\
		      PARAMS(tstruct), PARAMS(assign),			\
		      const bool __maybe_unused __in_registers = true;	\
		      const u32 __maybe_unused __data_shift = 0;	\
		      EPITAPH_SECOND(EPITAPH_EMPTY_##class EPITAPH_RAW_LONGER, EPITAPH_RAW_AS_IT_IS, ~)(class), \
		      if (EPITAPH_HAS_EMPTY(class) &&			\
			  unlikely(__size != EPITAPH_PAYLOAD(class) + 1)) { \
			      other(__data, args);			\
			      epitaph_probe_leave();			\
			      return;					\
		      }							\
		      entry = &EPITAPH_RAW(class),			\
		      if (!pack((const struct epitaph_event *)__data, EPITAPH_RAW(class), \
				epitaph_fields_to_##class))		\
			      other(__data, args),			\
		      epitaph_probe_enter(), epitaph_probe_leave())
#define EPITAPH_ONE_PROBE(class, proto, args, tstruct, assign)		\
	EPITAPH_PLAIN_PROBE(epitaph_probe_##class, class, PARAMS(proto), \
			    PARAMS(args), PARAMS(tstruct), PARAMS(assign))
#define EPITAPH_ANY_PROBE(class, proto, args, tstruct, assign)		\
	EPITAPH_PACKED_PROBE(noinline epitaph_any_##class, epitaph_pack_any, \
			     epitaph_unpacked_##class, class, PARAMS(proto), \
			     PARAMS(args), PARAMS(tstruct), PARAMS(assign))
/* epitaph_record() or epitaph_record_long() packs it. */
#define EPITAPH_STEPS_PROBE(probe, class, proto, args)			\
	static notrace void __maybe_unused				\
	probe(void *__data, proto)					\
	{								\
		epitaph_probe_enter();					\
		epitaph_other_##class(__data, args);			\
		epitaph_probe_leave();					\
	}
#define EPITAPH_ANY_BY_STEPS(class, proto, args, tstruct, assign)	\
	EPITAPH_STEPS_PROBE(epitaph_any_##class, class, PARAMS(proto), PARAMS(args))
#define EPITAPH_PACKABLE_PROBES(class, proto, args, tstruct, assign)		\
	EPITAPH_PLAIN_PROBE(noinline epitaph_unpacked_##class, class, PARAMS(proto), \
			    PARAMS(args), PARAMS(tstruct), PARAMS(assign)) \
	EPITAPH_SECOND(EPITAPH_STEPS_##class EPITAPH_ANY_BY_STEPS, EPITAPH_ANY_PROBE, ~) \
		(class, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign)) \
	EPITAPH_PACKED_PROBE(noinline __no_stack_protector epitaph_usual_##class, \
			     epitaph_pack_usual,			\
			     epitaph_any_##class, class, PARAMS(proto),	\
			     PARAMS(args), PARAMS(tstruct), PARAMS(assign)) \
	static notrace void __maybe_unused				\
	epitaph_probe_##class(void *__data, proto)			\
	{								\
		const struct epitaph_event *__ev = __data;		\
									\
		if (EPITAPH_IS_OFTEN(class) && likely(data_race(__ev->is_usual))) \
			epitaph_usual_##class(__data, args);		\
		else if (EPITAPH_MAY_PACK(class) && likely(data_race(__ev->is_packed))) \
			epitaph_any_##class(__data, args);		\
		else							\
			epitaph_unpacked_##class(__data, args);		\
	}
/* No straight way; a table may pack it. */
#define EPITAPH_SELDOM_PROBE(class, proto, args, tstruct, assign)	\
	EPITAPH_OTHER_PROBE(noinline epitaph_other_##class, class, PARAMS(proto), \
			    PARAMS(args), PARAMS(tstruct), PARAMS(assign)) \
	EPITAPH_STEPS_PROBE(epitaph_probe_##class, class, PARAMS(proto), PARAMS(args))
#define EPITAPH_STRAIGHT_PROBES(class)					\
	EPITAPH_SECOND(EPITAPH_PACK_##class EPITAPH_PACKABLE_PROBES, EPITAPH_ONE_PROBE, ~)
#define EPITAPH_CLASS(class, proto, args, tstruct, assign, print)	\
	EPITAPH_SECOND(EPITAPH_SELDOM_##class EPITAPH_SELDOM_PROBE,	\
		       EPITAPH_STRAIGHT_PROBES(class), ~)			\
		(class, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		 PARAMS(assign))
#undef EPITAPH_EVENT
#define EPITAPH_EVENT(template, call, proto, args)			\
	static inline void epitaph_check_probe_##call(void)		\
	{								\
		check_trace_callback_type_##call(epitaph_probe_##template); \
	}
#include EPITAPH_TRACE_HEADER
#undef EPITAPH_CLASS

/* Stage 7: the events. */
static struct epitaph_event *epitaph_events_head
	EPITAPH_LISTED(".data..read_mostly") = NULL;

#define EPITAPH_DEFINE(class, call, fmt)				\
	static struct epitaph_event epitaph_event_##call = {		\
		.size = sizeof(struct trace_event_raw_##class) -	\
			sizeof(struct epitaph_entry),			\
		.dynamic = sizeof(struct trace_event_data_offsets_##class) > 0, \
		.may_pack = EPITAPH_MAY_PACK(class),			\
		.system = __stringify(TRACE_SYSTEM),			\
		.name = #call,						\
		.probe = epitaph_probe_##class,				\
		.fields = epitaph_fields_##class,			\
		.steps = EPITAPH_HAS_STEPS(class) ? epitaph_steps_##class : NULL, \
		.print_fmt = fmt,					\
		.enums = &epitaph_enums_head + 1,			\
	};								\
	static struct epitaph_event *epitaph_event_##call##_ptr		\
		EPITAPH_LISTED(".data..read_mostly") = &epitaph_event_##call;

#include <trace/stages/stage7_class_define.h>
#define EPITAPH_CLASS(class, proto, args, tstruct, assign, print)	\
	static const char __maybe_unused epitaph_print_fmt_##class[] = print;
#undef EPITAPH_EVENT
#define EPITAPH_EVENT(template, call, proto, args)			\
	EPITAPH_DEFINE(template, call, epitaph_print_fmt_##template)
#undef EPITAPH_EVENT_PRINT
#define EPITAPH_EVENT_PRINT(template, call, proto, args, print)		\
	static const char epitaph_print_fmt_of_##call[] = print;	\
	EPITAPH_DEFINE(template, call, epitaph_print_fmt_of_##call)
#include EPITAPH_TRACE_HEADER
#undef EPITAPH_CLASS

static struct epitaph_event *epitaph_events_end
	EPITAPH_LISTED(".data..read_mostly") = NULL;

#ifdef EPITAPH_TRACE_SET
/* For the table that the build makes of all headers. */
extern const struct epitaph_event_set EPITAPH_TRACE_SET;
const struct epitaph_event_set EPITAPH_TRACE_SET = {
	.header = __stringify(EPITAPH_TRACE_HEADER),
	.events = &epitaph_events_head + 1,
};
#else
# define epitaph_events (&epitaph_events_head + 1)

static int epitaph_nr_events(void)
{
	struct epitaph_event **ev = epitaph_events;

	OPTIMIZER_HIDE_VAR(ev);
	while (*ev)
		ev++;
	return ev - epitaph_events;
}
#endif
