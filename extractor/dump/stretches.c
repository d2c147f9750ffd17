// SPDX-License-Identifier: GPL-2.0-or-later
/* Containers that have stretches of memory, each in one piece of the file: bytes at an address. */
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "dump_impl.h"

int stretches_place(struct dump *in, struct err *err)
{
	struct extents *stretches = in->container;
	int ret = 0;

	extents_sort(stretches);
	for (size_t i = 0; i < stretches->nr && !ret; i++)
		ret = dump_add_segment(in, stretches->e[i].paddr, stretches->e[i].size, err);
	return ret;
}

void stretches_close(struct dump *in)
{
	if (!in->container)
		return;
	extents_free(in->container);
	free(in->container);
}

ssize_t stretches_read(struct dump *in, u64 paddr, void *buf, size_t size, struct err *err)
{
	const struct extents *stretches = in->container;
	size_t done = 0;

	while (done < size) {
		size_t i = extents_find(stretches, paddr + done);
		size_t want = min_u64(size - done, extents_room(stretches, i, paddr + done));
		ssize_t n = want;

		if (!want)
			break;
		if (stretches->e[i].off == STRETCH_OF_ZEROES)
			memset((u8 *)buf + done, 0, want);
		else
			n = file_fetch(in, stretches->e[i].off + (paddr + done - stretches->e[i].paddr),
				       (u8 *)buf + done, want, err);
		if (n < 0)
			return n;
		done += n;
		if ((size_t)n < want)
			break;
	}
	return done;
}

bool stretches_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	return stretches_read(in, paddr, bytes, 8, NULL) == 8;
}

bool stretches_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	const struct extents *stretches = in->container;

	for (size_t i = extents_find(stretches, paddr); i < stretches->nr; i++) {
		const struct extent *e = &stretches->e[i];
		u64 skip = paddr > e->paddr ? paddr - e->paddr : 0;
		u64 data, hole;

		if (e->off == STRETCH_OF_ZEROES || !file_next_data(in, e->off + skip, &data, &hole) ||
		    data >= e->off + e->size)
			continue;
		*next = e->paddr + (data - e->off);
		*len = min_u64(hole, e->off + e->size) - data;
		return true;
	}
	return false;
}
