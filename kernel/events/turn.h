/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose is an event that our probe and the bridge could both record?  Each CPU has a turn, and of a
 * turn an event belongs to one of the two.  docs/bridge.md, Once, has why.
 */
#ifndef EPITAPH_EVENTS_TURN_H
#define EPITAPH_EVENTS_TURN_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <epitaph/probes.h>

DECLARE_PER_CPU(u32, epitaph_turn);

/* Does the probe of @ev record it in this CPU's turn, if it is on?  Any context, preemption off. */
static inline bool epitaph_event_is_probes(const struct epitaph_event *ev)
{
	u32 turn = this_cpu_read(epitaph_turn);

	return turn >= READ_ONCE(ev->since) && turn < READ_ONCE(ev->until);
}

/* Context of the rest: process, may sleep, epitaph_events_lock() held. */

/* From now on there is a bridge, to which events are handed over, or no more. */
void epitaph_turn_bridge(bool is_there);

/* The probe of @ev is about to be put on, or taken off: it records from, or until, the next turn. */
void epitaph_turn_enter(struct epitaph_event *ev);
void epitaph_turn_leave(struct epitaph_event *ev);

/* A turn begins in which each event is whose it was: nothing that the bridge remembers holds any longer. */
void epitaph_turn_start(void);

/* Behind that: afterwards no CPU is recording by what it remembered before. */
void epitaph_turn_settle(void);

/**
 * epitaph_turn_next() - a turn begins
 *
 * On each CPU it begins at a moment when that is within no tracepoint.  Does nothing if there is no
 * bridge.
 */
void epitaph_turn_next(void);

#endif /* EPITAPH_EVENTS_TURN_H */
