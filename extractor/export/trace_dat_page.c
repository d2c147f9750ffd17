// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_dat_page.h"

#include <string.h>

#include "base/byte_writer.h"

#define SMALL_MAX	112		/* largest event whose first word holds its length, bytes */
#define DELTA_BITS	27
#define EXTENDED_BITS	(DELTA_BITS + 32)
#define TIME_EXTEND	30
#define MISSED		(1U << 31)	/* of commit: events are lost before this page */
#define MISSED_COUNT	(1U << 30)	/* and their number is behind the last event */

static u32 rounded(u32 size)
{
	return (size + 3) & ~3U;
}

static void put_u32(struct trace_dat_page *page, u32 n)
{
	n = pack_order32(page->order, n);
	if (page->data)
		memcpy(page->data + page->used, &n, sizeof(n));
	page->used += sizeof(n);
}

/* Bitfields begin at the low end of a little-endian word, else at the high one. */
static void put_event_word(struct trace_dat_page *page, u32 type, u32 delta)
{
	put_u32(page, page->order == ORDER_BIG ? type << DELTA_BITS | delta : delta << 5 | type);
}

bool trace_dat_page_has_room(const struct trace_dat_page *page, u64 time, u32 size)
{
	u64 used = page->used ? page->used : TRACEDAT_PAGE_HEAD;

	/* Only a page has a time of its own, so only a new one can go back, or very far ahead. */
	if (page->used && (time < page->time || (time - page->time) >> EXTENDED_BITS))
		return false;
	return used + rounded(size) + TRACEDAT_EVENT_MAX <= page->size;
}

u8 *trace_dat_page_add(struct trace_dat_page *page, u64 time, u32 size)
{
	u64 delta = page->used ? time - page->time : 0, first = pack_order64(page->order, time);
	u32 len = rounded(size), at;

	if (!page->used) {
		page->used = TRACEDAT_PAGE_HEAD;
		if (page->data)
			memcpy(page->data, &first, sizeof(first));
	}
	page->time = time;
	if (delta >> DELTA_BITS) {
		put_event_word(page, TIME_EXTEND, delta & ((1U << DELTA_BITS) - 1));
		put_u32(page, delta >> DELTA_BITS);
		delta = 0;
	}
	put_event_word(page, len <= SMALL_MAX ? len / 4 : 0, delta);
	if (len > SMALL_MAX)
		put_u32(page, len + 4);
	at = page->used;
	page->used += len;
	if (!page->data)
		return NULL;
	memset(page->data + at + size, 0, len - size);
	return page->data + at;
}

void trace_dat_page_close(struct trace_dat_page *page)
{
	u64 commit = page->used - TRACEDAT_PAGE_HEAD;
	u64 lost = pack_order64(page->order, page->lost);

	if (!page->data)
		return;
	memset(page->data + page->used, 0, page->size - page->used);
	if (page->is_lost)
		commit |= MISSED;
	if (page->lost) {
		commit |= MISSED_COUNT;
		memcpy(page->data + page->used, &lost, sizeof(lost));
	}
	commit = pack_order64(page->order, commit);
	memcpy(page->data + 8, &commit, sizeof(commit));
}
