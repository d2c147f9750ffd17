/* SPDX-License-Identifier: GPL-2.0-only */
/* What a probe calls: reserve, fill in, commit. */
#ifndef _EPITAPH_RECORD_H
#define _EPITAPH_RECORD_H

#include <linux/types.h>
#include <epitaph/ring.h>

struct epitaph_event;

/**
 * epitaph_reserve() - claim room for one event on this CPU
 * @ev: published by epitaph_event_publish(), so that its format is in the
 *	region before the first event is
 * @rec: on the caller's stack
 * @bytes: of the payload, behind the 8 common bytes of struct trace_entry
 *
 * Context: any, NMI included.  Preemption is off until epitaph_commit().
 * Return: where the kernel's struct trace_event_raw_x would begin, 8 bytes
 *         before the payload; those 8 bytes are somebody else's.  The payload
 *         is zero.  NULL if the event was dropped, and then it is counted.
 */
void *epitaph_reserve(struct epitaph_event *ev, struct epitaph_rec *rec,
		      unsigned int bytes);

/**
 * epitaph_commit() - the event is complete
 * @ev: as given to epitaph_reserve()
 * @rec: as epitaph_reserve() left it
 *
 * Context: as epitaph_reserve(), on the same CPU.
 */
void epitaph_commit(struct epitaph_event *ev, struct epitaph_rec *rec);

#endif /* _EPITAPH_RECORD_H */
