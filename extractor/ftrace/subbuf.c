// SPDX-License-Identifier: GPL-2.0-or-later
#include "subbuf.h"

#define MISSED		(1U << 31)	/* of the commit, in pages that a reader has had */
#define MISSED_STORED	(1U << 30)	/* and how many stands behind the events */
#define TIME_TOP	(~0ULL << 59)	/* what an absolute time leaves out */

enum {				/* type_len, where it is no length */
	TYPE_LONG = 0,		/* the length is in the next word */
	TYPE_PADDING = 29,
	TYPE_TIME_EXTEND = 30,
	TYPE_TIME_STAMP = 31,
};

/* type_len:5, time_delta:27, in the order of the machine's bit fields. */
struct header {
	u32 type;
	u32 delta;
};

static struct header read_event_header(struct ftrace_page *page)
{
	u32 word = bytes_u32(&page->bytes, page->at);

	if (page->bytes.order == ORDER_BIG)
		return (struct header){ word >> 27, word & 0x7ffffff };
	return (struct header){ word & 31, word >> 5 };
}

bool ftrace_page_open(struct ftrace_page *page, const void *data, size_t size, size_t room,
		      enum byte_order order)
{
	u64 commit;

	*page = (struct ftrace_page){ .bytes = bytes_of(data, size, order) };
	page->time = page->start = bytes_u64(&page->bytes, 0);
	commit = bytes_u64(&page->bytes, 8);
	page->missed = commit & MISSED;
	page->commit = commit & ~(MISSED | MISSED_STORED);
	page->at = FTRACE_PAGE_HEADER;
	if (page->bytes.overrun || commit >> 32 || room < FTRACE_PAGE_HEADER ||
	    page->commit > room - FTRACE_PAGE_HEADER)
		return false;
	page->counted = page->missed && (commit & MISSED_STORED) &&
			bytes_has(&page->bytes, page->at + page->commit, 8);
	if (page->counted)
		page->nr_missed = bytes_u64(&page->bytes, page->at + page->commit);
	return true;
}

/* The upper bits are those of the time before, unless the clock has just passed them. */
static u64 absolute(u64 time, u64 before)
{
	if (!(before & TIME_TOP))
		return time;
	time |= before & TIME_TOP;
	return time < before ? time + (1ULL << 59) : time;
}

static void take_time(struct ftrace_page *page, struct header header)
{
	u64 time = header.delta | (u64)bytes_u32(&page->bytes, page->at + 4) << 27;

	if (header.type == TYPE_TIME_EXTEND)
		page->time += time;
	else
		page->time = absolute(time, page->time);
}

/* Bytes of what stands here, its header included; 0: it cannot be. */
static u32 length_of(struct ftrace_page *page, struct header header)
{
	u32 word;

	switch (header.type) {
	case TYPE_TIME_EXTEND:
	case TYPE_TIME_STAMP:
		return 8;
	case TYPE_LONG:
	case TYPE_PADDING:
		word = bytes_u32(&page->bytes, page->at + 4);
		return word < 4 || word > FTRACE_PAGE_MAX || word % 4 ? 0 : word + 4;
	default:
		return 4 + header.type * 4;
	}
}

static void give_event(struct ftrace_page *page, struct header header, u32 length,
		       struct ftrace_event *ret)
{
	u32 skip = header.type == TYPE_LONG ? 8 : 4;

	page->time += header.delta;
	ret->time = page->time;
	ret->data = page->bytes.data + page->at + skip;
	ret->size = length - skip;
}

enum ftrace_page_step ftrace_page_next(struct ftrace_page *page, struct ftrace_event *ret)
{
	while (page->at - FTRACE_PAGE_HEADER < page->commit) {
		u32 left = page->commit - (page->at - FTRACE_PAGE_HEADER);
		struct header header = read_event_header(page);
		u32 length;

		/* The rest of the page is unused. */
		if (header.type == TYPE_PADDING && !header.delta)
			break;
		length = length_of(page, header);
		if (!length || length > left || !bytes_has(&page->bytes, page->at, length))
			return FTRACE_PAGE_BROKEN;
		if (header.type == TYPE_TIME_EXTEND || header.type == TYPE_TIME_STAMP)
			take_time(page, header);
		else if (header.type != TYPE_PADDING)
			give_event(page, header, length, ret);
		page->at += length;
		if (header.type < TYPE_PADDING)
			return FTRACE_PAGE_EVENT;
	}
	return FTRACE_PAGE_END;
}

bool ftrace_page_skip(struct ftrace_page *page, u32 size)
{
	struct ftrace_event event;

	while (page->at - FTRACE_PAGE_HEADER < size)
		if (ftrace_page_next(page, &event) != FTRACE_PAGE_EVENT)
			return page->at - FTRACE_PAGE_HEADER == size;
	return true;
}
