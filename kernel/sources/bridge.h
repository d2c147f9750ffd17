/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that ftrace sees and our probes do not: whatever is on in its instance
 * "epitaph".  docs/bridge.md has the design.
 */
#ifndef EPITAPH_SOURCES_BRIDGE_H
#define EPITAPH_SOURCES_BRIDGE_H

#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/types.h>

#define EPITAPH_BRIDGE_INSTANCE "epitaph"

struct epitaph_answer;
struct pt_regs;
struct trace_event_buffer;
struct trace_event_call;
struct trace_event_file;

/* bridge.c */

/**
 * epitaph_bridge_on() - what is on in the instance is recorded from now on
 * @answer: says why not, or NULL: the kernel's log does
 *
 * The instance is made if there is none.
 *
 * Context: process, may sleep; between epitaph_formats_init() and _exit().
 * Return: 0, or an error.
 */
int epitaph_bridge_on(struct epitaph_answer *answer);

/**
 * epitaph_bridge_off() - switch the bridge off
 *
 * An instance that we made is removed, unless it is in use.  Afterwards ftrace calls no code
 * of ours.
 *
 * Context: process, may sleep.
 */
void epitaph_bridge_off(void);

/* One line of what it does; process context. */
void epitaph_bridge_show(struct epitaph_answer *answer);

/**
 * epitaph_bridge_text() - a text is an event ftrace:print
 * @ip: who left it
 * @text: @len bytes, not terminated; what is too long is cut
 *
 * Context: any.
 */
void epitaph_bridge_text(unsigned long ip, const char *text, size_t len);

/* bridge_format.c: ids of ftrace's events */

int epitaph_bridge_formats_start(void);
void epitaph_bridge_formats_stop(void);

/* By ftrace's number of an event: its id, 0 or EPITAPH_BRIDGE_REFUSED; between _start() and _stop(). */
extern u16 *epitaph_bridge_ids;

/* An event that has no format in the region yet, or never will. */
#define EPITAPH_BRIDGE_REFUSED	1

/**
 * epitaph_bridge_id() - our id of an event of ftrace's
 * @call: of which an event happens now, so it cannot go away
 * @ready: set: its format is in the region
 *
 * The first time, it gets its id here, and its format a little later.
 *
 * Context: any; preemption off.
 * Return: the id, or 0: there is none, and the event is lost.
 */
u32 epitaph_bridge_id(struct trace_event_call *call, bool *ready);

/* How many have their formats there, and how many never will. */
void epitaph_bridge_count(unsigned int *published, unsigned int *refused);

/* bridge_printk.c: trace_printk(), which ftrace gives to no export */

void epitaph_bridge_printk_start(void);
void epitaph_bridge_printk_stop(void);
void epitaph_bridge_printk_abandon(void);	/* fault.c: interrupts off */

/* bridge_whose.c: ftrace gives every event of every instance, and does not say of which */

/* Where the last event of our instance lies; 0: nowhere. */
DECLARE_PER_CPU(unsigned long, epitaph_bridge_last_ours);

/**
 * epitaph_bridge_buffer() - what is known of the event whose record is at @entry
 *
 * The writer of the event has the buffer on the stack, above us.
 *
 * Context: any, within an export of events.  Reads no page that is not mapped.
 * Return: NULL: not found.
 */
const struct trace_event_buffer *epitaph_bridge_buffer(const void *entry);

/* Is it noted that the page of @entry is?  Preemption off. */
static inline bool epitaph_bridge_page_is_ours(const void *entry)
{
	return !(((unsigned long)entry ^ this_cpu_read(epitaph_bridge_last_ours)) >> PAGE_SHIFT);
}

/* Note whether the page of @entry belongs to our instance or to another one.  Preemption off. */
void epitaph_bridge_note_page(const void *entry, bool ours);

/**
 * epitaph_bridge_is_ours() - a function or marker is the instance's
 * @entry: its record, in the ring that it went to
 * @file: of an event of the instance
 *
 * Context: any, within an export of functions or markers.
 */
bool epitaph_bridge_is_ours(const void *entry, struct trace_event_file *file);

#endif /* EPITAPH_SOURCES_BRIDGE_H */
