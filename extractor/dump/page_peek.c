// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first bytes of one page after the other, by a mapping: reading would copy whole pages, or take
 * a system call for each.
 *
 * The kernel is asked for the pages of the mapping before they are looked at: where the file shrank
 * or the medium is bad it refuses, and they are read as all else. Kernels before 5.14 refuse always.
 * The mapping is gone after that: a file that shrinks later harms nothing.
 */
#include <string.h>
#include <sys/mman.h>

#include "dump_impl.h"

#define RUN	16		/* so many pages in a row show that more follow */

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ	22
#endif

/* Those of the page at @off and of the ones behind it, up to the next hole. */
static bool fill_heads(struct dump *in, u64 off)
{
	u64 len = min_u64(sizeof(in->peek.heads) / 8 * DUMP_PAGE, page_down(in->file_size) - off), i;
	struct peek *peek = &in->peek;
	u8 *map;

	if (off >= in->data && off < in->hole)
		len = min_u64(len, page_down(in->hole - off));
	peek->nr = 0;
	map = len ? mmap(NULL, len, PROT_READ, MAP_SHARED, in->fd, off) : MAP_FAILED;
	if (map == MAP_FAILED)
		return false;
	if (!madvise(map, len, MADV_POPULATE_READ)) {
		peek->off = off;
		peek->nr = len / DUMP_PAGE;
		for (i = 0; i < peek->nr; i++)
			memcpy(peek->heads[i], map + i * DUMP_PAGE, 8);
	}
	munmap(map, len);
	return peek->nr;
}

static bool is_in_heads(const struct peek *peek, u64 off)
{
	return off >= peek->off && off % DUMP_PAGE == 0 && (off - peek->off) / DUMP_PAGE < peek->nr;
}

bool file_peek(struct dump *in, u64 off, u8 bytes[8])
{
	struct peek *peek = &in->peek;

	peek->run = off == peek->next ? peek->run + 1 : 0;
	peek->next = off + DUMP_PAGE;
	if (!is_in_heads(peek, off)) {
		if (peek->run < RUN || peek->is_refused || in->flat || in->changes || off % DUMP_PAGE ||
		    off >= page_down(in->file_size))
			return file_fetch(in, off, bytes, 8, NULL) == 8;
		if (!fill_heads(in, off)) {
			peek->is_refused = true;
			return file_fetch(in, off, bytes, 8, NULL) == 8;
		}
	}
	memcpy(bytes, peek->heads[(off - peek->off) / DUMP_PAGE], 8);
	return true;
}
