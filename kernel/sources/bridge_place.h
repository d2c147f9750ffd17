/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the struct trace_event_buffer of an event lies on the stack: as far above us as it did last
 * time, because the writer of one event calls us by the same functions.  What is remembered is only
 * compared, and never read through.  docs/bridge.md, Where it was last time.
 */
#ifndef EPITAPH_SOURCES_BRIDGE_PLACE_H
#define EPITAPH_SOURCES_BRIDGE_PLACE_H

#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include "events/turn.h"

/**
 * struct bridge_place - of an event of our instance that can be recorded without a question
 * @file: what that instance has of it, as long as its id is the event's
 * @turn: in which no probe of ours records it; 0: there is no such turn
 * @above: bytes from the frame of the export to buffer.entry
 * @nr_functions: addresses that it begins with, whose names are noted
 */
struct bridge_place {
	const struct trace_event_file *file;
	u32 turn;
	u16 above;
	u8 nr_functions;
};

/* By our id; between epitaph_bridge_formats_start() and _stop(). */
extern struct bridge_place *epitaph_bridge_places;

#define BRIDGE_PLACE_MAX	2048	/* bytes above us */

/* The words @event, @file and @at of a buffer are those of the event at @entry. */
static __always_inline bool bridge_place_has(const struct bridge_place *place, const void *entry,
					     unsigned long event, unsigned long file, unsigned long at)
{
	unsigned long from = (unsigned long)entry;

	/* One word or two of its own, and two more where the time did not fit; one apart begins a page. */
	return at == from && file == (unsigned long)READ_ONCE(place->file) &&
	       !((from - event - 4) & ~12UL) && offset_in_page(event);
}

/* The same where the stack may end before it. */
static noinline bool bridge_place_has_far(const struct bridge_place *place, const void *entry,
					  unsigned long where)
{
	unsigned long words[3];

	return !copy_from_kernel_nofault(words, (const void *)where, sizeof(words)) &&
	       bridge_place_has(place, entry, words[0], words[1], words[2]);
}

/**
 * bridge_place_agrees() - the event at @entry has its buffer there, and it says so itself
 * @place: of its id
 * @entry: its record
 * @frame: of the export, as when it was remembered
 *
 * Context: any, within an export of events; the stack is read only where it is mapped.
 */
static __always_inline bool bridge_place_agrees(const struct bridge_place *place,
						const void *entry, unsigned long frame)
{
	/*
	 * Its file was stored before the turn.
	 * order:remembered pairs with order:remember in kernel/sources/bridge_place.h
	 */
	u32 turn = smp_load_acquire(&place->turn);
	unsigned long at = frame + READ_ONCE(place->above);
	const unsigned long *word = (const unsigned long *)at;

	if (unlikely(turn != this_cpu_read(epitaph_turn)))
		return false;
	if (unlikely((frame ^ at) >> PAGE_SHIFT))
		return bridge_place_has_far(place, entry, at - 2 * sizeof(long));
	return bridge_place_has(place, entry, READ_ONCE_NOCHECK(word[-2]),
				READ_ONCE_NOCHECK(word[-1]), READ_ONCE_NOCHECK(word[0]));
}

/**
 * bridge_place_remember() - as bridge_place_agrees() looks it up
 * @place: of its id
 * @buffer: where it is
 * @frame: of the export
 * @turn: the CPU's, before it was found out that no probe of ours records the event
 * @nr_functions: see struct bridge_place
 *
 * Context: any, within an export of events.  CPUs may write at once, and a nested event too: all
 *	of them write the same but for @above, which is only where the stack is looked at.
 */
static inline void bridge_place_remember(struct bridge_place *place,
					 const struct trace_event_buffer *buffer,
					 unsigned long frame, u32 turn, u8 nr_functions)
{
	unsigned long above = (unsigned long)&buffer->entry - frame;

	if (above < 2 * sizeof(long) || above > BRIDGE_PLACE_MAX)
		return;
	WRITE_ONCE(place->file, buffer->trace_file);
	WRITE_ONCE(place->above, above);
	WRITE_ONCE(place->nr_functions, nr_functions);
	/* order:remember pairs with order:remembered in kernel/sources/bridge_place.h */
	smp_store_release(&place->turn, turn);
}

#endif /* EPITAPH_SOURCES_BRIDGE_PLACE_H */
