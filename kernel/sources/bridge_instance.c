// SPDX-License-Identifier: GPL-2.0-only
/* Of which of ftrace's instances an event is, by what surrounds it: docs/bridge.md, Whose is it? */
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include "events/fields.h"
#include "bridge.h"
#include "compat.h"

#define NR_LOOKED_AT	128	/* words of the stack */

/*
 * Is that the file of the event at @entry?  It may be anything: what an interrupt saved
 * of the registers, for one, remains where a function leaves a part of its frame unused.
 */
static bool is_file_of(const struct trace_event_file *file, const struct trace_entry *entry)
{
	struct trace_event_call *call;
	int type;

	return !get_kernel_nofault(call, &file->event_call) &&
	       !get_kernel_nofault(type, &call->event.type) && type == entry->type;
}

/*
 * The writer of an event has a struct trace_event_buffer on the stack: the event, its file,
 * and the place of the record, which is the argument here.  Reading ends at a page that is
 * not mapped.
 */
const struct trace_event_buffer *epitaph_bridge_buffer(const void *entry)
{
	const unsigned long *word = __builtin_frame_address(0);
	unsigned long at = (unsigned long)entry, event, unused;
	const struct trace_event_buffer *buffer;
	int i;

	BUILD_BUG_ON(offsetof(struct trace_event_buffer, event) != sizeof(long));
	BUILD_BUG_ON(offsetof(struct trace_event_buffer, entry) != 3 * sizeof(long));
	for (i = 0; i < NR_LOOKED_AT; i++, word++) {
		if (offset_in_page(word) == 0 && get_kernel_nofault(unused, word))
			break;
		if (READ_ONCE_NOCHECK(*word) != at || i < 3)
			continue;
		event = READ_ONCE_NOCHECK(word[-2]);
		buffer = (const void *)(word - 3);
		/* One word or two of its own, and two more where the time did not fit. */
		if (at - event >= 4 && at - event <= 16 && (at - event) % 4 == 0 &&
		    is_file_of((const void *)READ_ONCE_NOCHECK(word[-1]), entry))
			return buffer;
	}
	return NULL;
}

DEFINE_PER_CPU(unsigned long, epitaph_bridge_last_ours);
static DEFINE_PER_CPU(unsigned long, last_other);

static bool same_page(unsigned long at, unsigned long last)
{
	return at >> PAGE_SHIFT == last >> PAGE_SHIFT;
}

/* A buffer that was given up leaves its pages to others. */
void epitaph_bridge_note_page(const void *entry, bool ours)
{
	unsigned long at = (unsigned long)entry;
	unsigned long *last = this_cpu_ptr(ours ? &epitaph_bridge_last_ours : &last_other);
	unsigned long *other = this_cpu_ptr(ours ? &last_other : &epitaph_bridge_last_ours);

	if (same_page(at, *other))
		*other = 0;
	*last = at;
}

/*
 * Where the instance's next event would lie on this CPU: behind @entry, if that is
 * the instance's.  What is reserved for it is given back at once.
 */
static unsigned long next_place(struct trace_event_file *file)
{
	struct ring_buffer_event *event;
	struct trace_buffer *buffer;
	unsigned long at;

	event = epitaph_trace_reserve(&buffer, file, EPITAPH_COMMON_BYTES);
	if (!event)
		return 0;
	at = (unsigned long)ring_buffer_event_data(event);
	ring_buffer_discard_commit(buffer, event);
	return at;
}

static bool is_behind(unsigned long at, unsigned long last)
{
	return at > last && same_page(at, last);
}

/*
 * A page belongs to one buffer, so it is looked up once: at the first event in it that has
 * room for another one behind it.  A nested event leaves a place of the same page.  Nothing
 * is learned where ftrace gives no place, as within an event that is being written.
 */
bool epitaph_bridge_is_ours(const void *entry, struct trace_event_file *file)
{
	unsigned long at = (unsigned long)entry, next;
	bool ours;

	if (same_page(at, this_cpu_read(last_other)))
		return false;
	if (same_page(at, this_cpu_read(epitaph_bridge_last_ours)))
		return true;
	next = next_place(file);
	if (!next)
		return false;
	ours = is_behind(next, at);
	epitaph_bridge_note_page(entry, ours);
	return ours;
}
