// SPDX-License-Identifier: GPL-2.0-or-later
#include "copy.h"

#include <unistd.h>

#include "os/compressed_file.h"
#include "os/progress.h"
#include "dump_impl.h"

/* Pages that a dump left out because they are zero can be read: they are not missing. */
static void count_unreadable(struct dump_copy *c, u64 from, u64 to)
{
	u64 end = dump_end(c->in);
	u64 next;
	u8 byte;

	for (; from < to; from = next) {
		next = from + DUMP_PAGE - (c->start + from) % DUMP_PAGE;
		if (next > to || c->start + from >= end)
			next = to;
		if (c->start + from >= end ||
		    dump_read(c->in, c->start + from, &byte, 1, NULL) != 1)
			c->missing += next - from;
	}
}

static int write_block(struct dump_copy *c, u64 off, const u8 *data, size_t size, struct err *err)
{
	size_t written;

	if (c->to)
		return compressed_file_put(c->to, off, data, size, err);
	written = new_file_write(c->fd, data, size, off);
	if (written < size)
		return err_sys(err, "%s: cannot write at byte %llu of %llu", c->name,
			       off + written, c->size);
	return 0;
}

/* One piece at *@off, which moves behind the piece. */
static int copy_block(struct dump_copy *c, u64 *off, struct err *err)
{
	u64 left = c->size - *off;
	u8 buf[65536];
	ssize_t n;
	int ret;

	n = dump_read(c->in, c->start + *off, buf, min_u64(left, sizeof(buf)), err);
	if (n < 0)
		return n;
	if (!n) {
		left = min_u64(left, DUMP_PAGE - (c->start + *off) % DUMP_PAGE);
		c->missing += left;
		*off += left;
		return 0;
	}
	ret = write_block(c, *off, buf, n, err);
	*off += n;
	return ret;
}

/* Goes from one stretch of data to the next, so that holes cost nothing. */
int dump_copy_all(struct dump_copy *c, struct err *err)
{
	u64 start = c->start;
	u64 off = 0, next, len;
	int ret;

	while (off < c->size) {
		progress("copying", off, c->size);
		if (!dump_next_data(c->in, page_down(start + off), &next, &len) ||
		    next >= start + c->size)
			break;
		if (next > start + off) {
			count_unreadable(c, off, next - start);
			off = next - start;
		}
		ret = copy_block(c, &off, err);
		if (ret)
			return ret;
	}
	count_unreadable(c, off, c->size);
	progress_end();
	if (c->to)
		return compressed_file_end(c->to, c->size, err);
	return ftruncate(c->fd, c->size) ? err_sys(err, "%s", c->name) : 0;
}
