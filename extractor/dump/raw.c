// SPDX-License-Identifier: GPL-2.0-or-later
/* A file that is memory: a region that was saved, or an image of all of it from address 0. */
#include <stdio.h>

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

static bool raw_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	return file_fetch(in, paddr, bytes, 8, NULL) == 8;
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
	.read = file_fetch,
	.peek = raw_peek,
	.next_data = raw_next_data,
};
