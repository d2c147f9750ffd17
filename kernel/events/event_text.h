/* SPDX-License-Identifier: GPL-2.0-only */
/* An event as a line of text, as ftrace prints it. */
#ifndef EPITAPH_EVENTS_EVENT_TEXT_H
#define EPITAPH_EVENTS_EVENT_TEXT_H

#include <linux/types.h>

struct epitaph_peek_event;

#define EPITAPH_LINE_SIZE	400	/* longer ones are cut, and end in "..." */

/**
 * epitaph_line_init() - get the memory
 *
 * Context: process, after epitaph_region_format().
 * Return: 0 or -ENOMEM.
 */
int epitaph_line_init(void);

/**
 * epitaph_line_exit() - give it back
 *
 * Context: process; no line is being formatted.
 */
void epitaph_line_exit(void);

/**
 * epitaph_line_clock() - from now on, times are printed by the clocks of this moment
 */
void epitaph_line_clock(void);

/**
 * epitaph_line_time() - CLOCK_MONOTONIC at a time of the format
 * @time: in units of the format
 *
 * Return: nanoseconds, by the clocks at epitaph_line_clock().
 */
u64 epitaph_line_time(u64 time);

/**
 * epitaph_line_format() - "comm-pid [cpu] seconds: event: fields"
 * @event: the event to print
 * @buf: EPITAPH_LINE_SIZE bytes; gets printable ASCII, ended with a NUL byte
 *
 * Names of tasks come from the region.  The fields are printed by ftrace's own function for
 * the event.  They are printed by name if there is no such function, or if it would follow a
 * recorded pointer.
 *
 * Context: any but NMI, one at a time; RCU read side.
 * Return: bytes in @buf without the NUL byte.
 */
size_t epitaph_line_format(const struct epitaph_peek_event *event, char *buf);

/**
 * epitaph_line_is_own() - is the event the record of a line printed by this file
 * @event: any
 *
 * A printed line is recorded too, as printk:console.  When the last events are printed a
 * second time, these lines are left out.
 *
 * Return: @event is the console's, and its text looks as our lines do.
 */
bool epitaph_line_is_own(const struct epitaph_peek_event *event);

#endif /* EPITAPH_EVENTS_EVENT_TEXT_H */
