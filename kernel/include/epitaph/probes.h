/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events whose records go into our rings.
 *
 * An event is compiled from its trace header: the same TRACE_EVENT() that makes
 * ftrace's event makes ours, with the record laid out as the kernel's "format"
 * file says.  epitaph.ko holds those of the kernel's own headers; a module with
 * a trace header of its own adds them in one C file, and nothing else may be
 * included before:
 *
 *	#define EPITAPH_TRACE_HEADER "victim_trace.h"
 *	#include <epitaph/probes.h>
 *
 *	epitaph_events_register(epitaph_events, epitaph_nr_events());
 *
 * That file emits no tracepoints: CREATE_TRACE_POINTS belongs into another.
 */
#ifndef EPITAPH_PROBES_H
#define EPITAPH_PROBES_H

#ifdef EPITAPH_TRACE_HEADER
# ifdef TRACEPOINTS_ENABLED
#  error "include <epitaph/probes.h> before anything else"
# endif
/* The trace header's inlines must not need __tracepoint_* of the kernel. */
# ifndef NOTRACE
#  define NOTRACE
# endif
#endif

#include <linux/percpu.h>
#include <linux/types.h>

struct epitaph_fast_context;
struct epitaph_pack_step;
struct epitaph_ring;
struct epitaph_steer;
struct tracepoint;
struct trace_event_call;

/**
 * struct epitaph_entry - what a record begins with while it is made: struct trace_entry of all
 *	kernels but those with PREEMPT_RT before 6.12, which have one more member
 * @type: ftrace's number of the event
 * @flags: what is off and what runs
 * @preempt_count: how deep preemption is off
 * @pid: who runs
 */
struct epitaph_entry {
	u16 type;
	u8 flags;
	u8 preempt_count;
	s32 pid;
};

/* Members as the kernel's stage 4 names them, the first five in its order. */
struct epitaph_field {
	const char *type;
	const char *name;
	u16 size;
	u8 align;
	bool is_signed;
	u8 needs_test;
	u8 filter_type;
	u16 len;		/* of an array whose length is an enum, else 0 */
};

/* A name in print formats that only the compiler knows the value of. */
struct epitaph_enum {
	const char *name;
	long value;
};

#define EPITAPH_NR_SYMS 4

/**
 * struct epitaph_event - a trace event that can be recorded
 * @id: number in the region's records; set by epitaph_event_publish()
 * @size: payload after the common bytes, without what is @dynamic
 * @is_fast: its probe may go the fast path: it is of the main channel, not steered, has no
 *	@sym_off, and @id fits
 * @fast_context: if that is all that keeps it from the fast path
 * @first: @id as it stands in the first word of an event of a fixed size
 * @may_pack: its probe can record it packed: docs/packing.md
 * @is_packed: its probe does
 * @is_usual: its probe tries the way for what is usual first; @is_fast, and no small event
 * @packing: number of how it is packed; 0: not given out
 * @is_small: if it @is_packed, it has no payload, but ids from @small on
 * @pack_head: bytes of a packed one before the data of its first field
 * @dynamic: has strings or arrays that follow the fixed payload
 * @on: the probe is registered
 * @published: has an @id, and its format is in the region
 * @wanted: is to be recorded whenever its tracepoint is there
 * @refused: was wanted and cannot be; said in the log
 * @nr_syms: how many of @sym_off are used
 * @is_between: the probe asks whether the event is its own in this CPU's turn
 * @since: its turns, from this one
 * @until: to this one, which is not
 * @sym_off: where struct trace_event_raw_x has an address that is printed as
 *	a symbol
 * @rings: of its channel, one a CPU; NULL: its channel has one ring for all
 * @steer: what looks at its records before they are in a ring; NULL: nothing
 * @fields: as in the format file, ends with a NULL type
 * @steps: room for how it is packed, if a table says that; else NULL
 * @print_fmt: as compiled, enum names not yet replaced
 * @enums: of the event's header, ends with NULL
 * @tp: NULL while no code with this tracepoint is loaded
 * @call: ftrace's view, NULL if it has none; goes away with the module that
 *	has the tracepoint, a synchronize_rcu() after it has become NULL
 * @next: events of the same name hash
 */
struct epitaph_event {
	u16 id;
	u16 size;
	bool dynamic;
	bool is_fast;
	bool on;
	bool published;
	bool wanted;
	bool refused;
	bool may_pack;
	bool is_packed;
	bool is_usual;
	bool is_small;
	u8 packing;
	u8 pack_head;
	u8 nr_syms;
	bool is_between;
	u16 small;
	u32 first;
	u16 sym_off[EPITAPH_NR_SYMS];
	u32 since;
	u32 until;
	struct epitaph_ring __percpu *rings;
	struct epitaph_steer *steer;
	const struct epitaph_fast_context *fast_context;
	const char *system;
	const char *name;
	void *probe;
	const struct epitaph_field *fields;
	struct epitaph_pack_step *steps;
	const char *print_fmt;
	const struct epitaph_enum *const *enums;
	struct tracepoint *tp;
	struct trace_event_call *call;
	struct epitaph_event *next;
};

/**
 * struct epitaph_event_set - what one trace header defines
 * @events: ends with NULL
 */
struct epitaph_event_set {
	const char *header;
	struct epitaph_event **events;
};

/**
 * epitaph_events_register() - record these events too
 * @events: stay valid until epitaph_events_unregister()
 * @nr: how many
 *
 * They come on at once, or when the module with their tracepoints is loaded,
 * unless a glob of the recorder says otherwise.
 *
 * Context: process, may sleep; not from a tracepoint's probe.
 * Return: 0, -ENODEV if the recorder is not running, -EEXIST if they are
 *	registered already.
 */
int epitaph_events_register(struct epitaph_event **events, int nr);

/**
 * epitaph_events_unregister() - forget what was registered
 *
 * Afterwards no probe of @events runs on any CPU.  What was not registered is
 * left alone, so an error path may call it.
 *
 * Context: process, may sleep.
 */
void epitaph_events_unregister(struct epitaph_event **events, int nr);

#ifdef EPITAPH_TRACE_HEADER
# include <epitaph/generate.h>
#endif

#endif /* EPITAPH_PROBES_H */
