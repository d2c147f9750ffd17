// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bytes of the file without a system call for each few of them: sequential reads are read
 * ahead, up to VIEW_SIZE at once.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump_impl.h"

#define FIRST	(16U << 10)	/* read at once when one call goes on behind another */
#define LINE	64		/* of a cache: copying to anywhere else takes a tenth longer */
#define NEAR	4096		/* so far behind, as are the starts of pages */

/**
 * struct view - the bytes that were read last
 * @len: bytes in @data, from @off of the file on
 * @next: where the last request ended
 * @ahead: bytes to read at once
 * @data: in @room
 */
struct view {
	u64 off;
	u64 len;
	u64 next;
	u64 ahead;
	u8 *data;
	u8 room[VIEW_SIZE + LINE];
};

struct view *view_new(void)
{
	struct view *view = malloc(sizeof(*view));

	if (!view)
		return NULL;
	view->len = view->next = view->ahead = 0;
	view->data = view->room + -(uintptr_t)view->room % LINE;
	return view;
}

/*
 * Reads ahead up to the next hole, and within one piece of a flattened file. If that fails, the
 * caller's own bytes are read alone, and only their failure is reported.
 */
static ssize_t fill_view(struct dump *in, u64 off, size_t size, struct err *err)
{
	struct view *view = in->view;
	u64 len = off < in->file_size ? min_u64(view->ahead, in->file_size - off) : 0;
	u64 at = off, room = len;
	ssize_t n = -1;

	if (in->flat && !flat_find(in->flat, off, &at, &room))
		room = 0;
	if (at >= in->data && at < in->hole)
		room = min_u64(room, in->hole - at);
	len = min_u64(len, room);
	if (len > size)
		n = pread(in->fd, view->data, len, at);
	return n < (ssize_t)size ? file_read(in, off, view->data, size, err) : n;
}

ssize_t file_view(struct dump *in, u64 off, size_t size, const u8 **ret, struct err *err)
{
	struct view *view = in->view;
	bool is_here = off >= view->off && off - view->off < view->len &&
		       size <= view->len - (off - view->off);
	bool is_sequential = off - view->next < NEAR;
	ssize_t n = size;

	if (!is_here || in->changes) {
		if (is_sequential && !in->changes)
			view->ahead = view->ahead ? min_u64(2 * view->ahead, VIEW_SIZE) : FIRST;
		else
			view->ahead = 0;
		n = fill_view(in, off, size, err);
		view->off = off;
		view->len = n < 0 ? 0 : n;
		n = n < (ssize_t)size ? n : (ssize_t)size;
	}
	view->next = off + size;
	*ret = view->data + (off - view->off);
	return n;
}

ssize_t file_fetch(struct dump *in, u64 off, void *buf, size_t size, struct err *err)
{
	const u8 *p;
	ssize_t n;

	if (size >= DUMP_PAGE)
		return file_read(in, off, buf, size, err);
	n = file_view(in, off, size, &p, err);
	if (n > 0)
		memcpy(buf, p, n);
	return n;
}
