/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One sub-buffer of the kernel's own ring buffer, as bytes: a header of 16, then
 * events.  See docs/ftrace.md.
 *
 * Of a 64-bit kernel, in either byte order, of any size.  Nothing outside the bytes
 * is looked at, and a cursor goes on by at least 4 bytes each time.
 */
#ifndef EPITAPH_FTRACE_SUBBUF_H
#define EPITAPH_FTRACE_SUBBUF_H

#include "base/byte_reader.h"

#define FTRACE_PAGE_HEADER	16	/* bytes: u64 time, local_t commit */
#define FTRACE_PAGE_MIN		4096
#define FTRACE_PAGE_MAX		(1U << 20)	/* the largest that a kernel makes is 512 KiB of 4 KiB pages */

/**
 * struct ftrace_page - where one is read
 * @bytes: from the header on, the caller's
 * @start: time of the sub-buffer, in units of the buffer's clock
 * @commit: bytes of events that are committed, as it says; what is not in @bytes is not read
 * @at: the next event, from the header on
 * @time: of the event before
 * @missed: events were lost just before its first one; it says how many where @counted
 */
struct ftrace_page {
	struct bytes bytes;
	u64 start;
	u32 commit;
	u32 at;
	u64 time;
	bool missed;
	bool counted;
	u64 nr_missed;
};

/**
 * struct ftrace_event - one
 * @time: in units of the buffer's clock
 * @data: @size bytes, of which the first ones are common_type and the like; in the page's
 */
struct ftrace_event {
	u64 time;
	const u8 *data;
	u32 size;
};

enum ftrace_page_step {
	FTRACE_PAGE_EVENT,
	FTRACE_PAGE_END,
	FTRACE_PAGE_BROKEN,	/* what comes cannot be an event, so no more can be found */
};

/**
 * ftrace_page_open() - begin with the first event
 * @size: bytes that are there at @data; as many as the sub-buffer has, if nothing lacks
 *
 * Return: false if it cannot be one: no header, or more committed than @room,
 *	the bytes that the sub-buffer has.
 */
bool ftrace_page_open(struct ftrace_page *page, const void *data, size_t size, size_t room,
		      enum byte_order order);

/* Steps over what lies in the first @size bytes of events; false: they are not all events. */
bool ftrace_page_skip(struct ftrace_page *page, u32 size);

/**
 * ftrace_page_next() - the next event; discarded ones and times are stepped over
 *
 * The time is the one that the kernel's readers tell: they leave out the delta of
 * an event that was discarded.
 */
enum ftrace_page_step ftrace_page_next(struct ftrace_page *page, struct ftrace_event *ret);

#endif
