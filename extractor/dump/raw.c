// SPDX-License-Identifier: GPL-2.0-or-later
/* A file that is memory: a region that was saved, or an image of all of it from address 0. */
#include <stdio.h>
#include <string.h>

#include "dump_impl.h"

static int raw_open(struct dump *in, struct err *err)
{
	snprintf(in->kind, sizeof(in->kind), "raw file");
	return dump_add_segment(in, 0, in->file_size, err);
}

static void raw_close(struct dump *in)
{
	(void)in;
}

/* Of the copy where there is one, else of the file. */
static ssize_t raw_read(struct dump *in, u64 paddr, void *buf, size_t size, struct err *err)
{
	size_t done = 0;

	while (done < size) {
		u8 *to = (u8 *)buf + done;
		u64 len;
		const u8 *held = held_find(&in->held, paddr + done, &len);
		ssize_t n = len = min_u64(len, size - done);

		if (held)
			memcpy(to, held, len);
		else
			n = file_fetch(in, paddr + done, to, len, err);
		if (n < 0)
			return n;
		done += n;
		if ((u64)n < len)
			break;
	}
	return done;
}

static bool raw_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	u64 len;

	return held_find(&in->held, paddr, &len) ? raw_read(in, paddr, bytes, 8, NULL) == 8 :
						   file_peek(in, paddr, bytes);
}

static bool raw_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	u64 hole;

	if (!file_next_data(in, paddr, next, &hole))
		return false;
	*len = hole - *next;
	return true;
}

const struct dump_ops dump_raw_ops = {
	.open = raw_open,
	.close = raw_close,
	.read = raw_read,
	.peek = raw_peek,
	.next_data = raw_next_data,
};
