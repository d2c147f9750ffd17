/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of the kernel's ring buffer, as trace.dat has it: a time, how much of
 * it is used and what was lost before it, then events with times from the one
 * before.
 */
#ifndef EPITAPH_EXPORT_TRACE_DAT_PAGE_H
#define EPITAPH_EXPORT_TRACE_DAT_PAGE_H

#include "base/byte_reader.h"

#define TRACEDAT_PAGE_HEAD	16	/* time and commit, both of 8 bytes */
#define TRACEDAT_PAGE_MIN	4096U
#define TRACEDAT_PAGE_MAX	65536U

/* What an event needs in the worst case: an extended time, two words, data, a count of the lost. */
#define TRACEDAT_EVENT_MAX	(8 + 8 + 8)

/**
 * struct trace_dat_page - one
 * @data: NULL: only what it would hold is counted
 * @size: of @data
 * @used: bytes of it, header included; 0: empty
 * @time: of the last event
 * @lost: before its first event; @is_lost: and perhaps more
 */
struct trace_dat_page {
	u8 *data;
	u32 size;
	u32 used;
	enum byte_order order;
	u64 time;
	u64 lost;
	bool is_lost;
};

/* Does an event of @size bytes, the common 8 included, of that time still go into it? */
bool trace_dat_page_has_room(const struct trace_dat_page *page, u64 time, u32 size);

/* Where to put its bytes; NULL if they are only counted. There is room. */
u8 *trace_dat_page_add(struct trace_dat_page *page, u64 time, u32 size);

/* Fills in the header, and zeroes what is not used. */
void trace_dat_page_close(struct trace_dat_page *page);

#endif
