/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where events of one kind may be missing from a kernel's timeline. What was concluded from that none came is
 * not known then.
 *
 * A CPU's ring is overwritten at a pace of its own, so that nothing is known of a CPU before its first event of
 * the kind; and lost events, damage and a trace that stood still are holes.
 */
#ifndef EPITAPH_TIMELINE_TRACE_HOLE_H
#define EPITAPH_TIMELINE_TRACE_HOLE_H

#include "event/item.h"

#define TRACE_HOLE_CPUS	8192	/* of others nothing is known */
#define TRACE_HOLE_NS	2000000000ULL	/* a machine on which nothing of the kind comes for so long was not traced */

/**
 * struct trace_cpu - the ring of one CPU
 * @stream: of its last event of the kind; NULL: none came since its last hole
 * @last: the last event of @stream, of any kind: so far it is known that none is missing
 */
struct trace_cpu {
	const struct stream *stream;
	u64 last;
};

/* All 0 in the beginning. */
struct trace_holes {
	u64 last;
	bool any;
	struct trace_cpu cpus[TRACE_HOLE_CPUS];
};

/* @is_kind: it is one of those that are followed. Return: others may be missing before it. */
bool trace_hole_before(struct trace_holes *holes, const struct item *item, bool is_kind);

/* The time until which those of @cpu are known; 0: they are not. */
u64 trace_known_until(const struct trace_holes *holes, u32 cpu);

#endif
