/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One of the kernel's own rings: what one CPU has in one buffer.
 *
 * A ring is a circle of sub-buffers and one that was taken out of it for readers,
 * whose events come first.  Which it has is found at ftrace_ring_read(); their events
 * are read when a stream comes to them.
 */
#ifndef EPITAPH_FTRACE_RING_BUFFER_H
#define EPITAPH_FTRACE_RING_BUFFER_H

#include "base/damage_notes.h"
#include "kernel_layout.h"
#include "subbuf.h"

#define FTRACE_MAX_SUBS	(1U << 21)	/* of all rings together */

/**
 * struct ftrace_sub - one sub-buffer
 * @va: where its bytes are
 * @start: time of its first event
 * @nr: events in it, as the kernel counted them
 * @skip: bytes of events that a reader of that kernel's has had
 * @lacks: it is not in the dump, or cannot be one
 * @is_counted: what lacks of it is in struct ftrace.nr_broken
 */
struct ftrace_sub {
	u64 va;
	u64 start;
	u32 nr;
	u32 skip;
	bool lacks;
	bool is_counted;
};

/**
 * struct ftrace_ring - one
 * @cpu: NO_CPU: unknown
 * @unit: bytes of a sub-buffer
 * @sched_offset: local_clock() - sched_clock() of its CPU; 0 if its times are of no clock of this kernel
 * @is_offset_unknown: it is not in the dump, where it is another for each CPU
 * @subs: nr_subs of them, oldest first
 * @consumed: address of a sub-buffer that readers have had all of; 0: none
 * @last: time of the newest event; of the start of the last sub-buffer, if that cannot be read
 * @nr_events: in sub-buffers that are there
 * @nr_lacking: sub-buffers that are not, or in part only, with @nr_lost events
 * @overrun: events overwritten by newer ones
 * @commit_overrun: events dropped because writers interrupted one another round the whole ring
 * @dropped: events that came when the ring was full
 * @unfinished: bytes claimed behind the last commit, where that is known
 * @cut: the circle could not be followed to its end
 * @is_physical: so is the @va of its sub-buffers
 * @is_carved: found without a pointer to them: carve.h
 */
struct ftrace_ring {
	u32 cpu;
	u32 unit;
	s64 sched_offset;
	bool is_offset_unknown;
	struct ftrace_sub *subs;
	u32 nr_subs;
	u64 consumed;
	u64 last;
	u64 nr_events;
	u32 nr_lacking;
	u64 nr_lost;
	u64 overrun;
	u64 commit_overrun;
	u64 dropped;
	u32 unfinished;
	bool cut;
	bool is_physical;
	bool is_carved;
};

/**
 * ftrace_ring_read() - find the sub-buffers of the ring_buffer_per_cpu at @va
 * @ring: with @cpu and @unit filled in, the rest zero; for ftrace_ring_free()
 * @left: of FTRACE_MAX_SUBS; counts down
 * @name: of its buffer, for @notes, which take what is wrong
 */
int ftrace_ring_read(struct ftrace_ring *ring, const struct ftrace_memory *mem, u64 va,
		     u32 *left, const char *name, struct damage_notes *notes, struct err *err);

void ftrace_ring_free(struct ftrace_ring *ring);

/**
 * ftrace_ring_load() - read sub-buffer @i
 * @data: room for @ring->unit bytes
 * @page: stands at its first event
 *
 * Return: false if it lacks.
 */
bool ftrace_ring_load(const struct ftrace_ring *ring, const struct ftrace_memory *mem, u32 i,
		      void *data, struct ftrace_page *page);

#endif
