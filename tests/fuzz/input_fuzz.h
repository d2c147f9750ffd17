/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of hostile bytes, walked as every command walks one, and what must
 * hold whatever is in it.
 */
#ifndef INPUT_FUZZ_H
#define INPUT_FUZZ_H

#include <stdlib.h>
#include <string.h>

#include "dump/dump.h"
#include "memory_file.h"

#define FUZZ_PAGES	12		/* looked at in one run */

#define MUST(cond) do { if (!(cond)) abort(); } while (0)

/* A file that begins with @magic. */
static inline int fuzz_file(const char *magic, const u8 *data, size_t size)
{
	return memory_file(0, magic, strlen(magic), data, size);
}

/* What a peek gives is what the page begins with, if it can be read at all. */
static inline void fuzz_page(struct dump *in, u64 paddr)
{
	u8 head[8], page[DUMP_PAGE], again[100];
	bool peeked = dump_peek(in, paddr, head);
	ssize_t n = dump_read(in, paddr, page, sizeof(page), NULL);

	MUST(n >= 0 && n <= DUMP_PAGE);
	MUST(n < 8 || (peeked && !memcmp(head, page, 8)));
	if (n < 4000)
		return;
	MUST(dump_read(in, paddr + 3900, again, 100, NULL) == 100);
	MUST(!memcmp(again, page + 3900, 100));
}

static inline void fuzz_walk(struct dump *in)
{
	u64 at = 0, next, len, nr = 0;

	for (int i = 0; i < 4 * FUZZ_PAGES && dump_next_data(in, at, &next, &len); i++) {
		MUST(next >= at && next % DUMP_PAGE == 0 && len && next + len > next);
		for (u64 p = next; p < next + len && nr < FUZZ_PAGES; p += DUMP_PAGE, nr++)
			fuzz_page(in, p);
		at = next + len;
	}
}

static inline void fuzz_segments(struct dump *in)
{
	u64 end = 0;

	for (size_t i = 0; i < dump_nr_segments(in); i++) {
		struct dump_segment s = dump_segment(in, i);

		MUST(s.size && s.paddr >= end && s.paddr + s.size >= s.paddr);
		end = s.paddr + s.size;
		if (i < FUZZ_PAGES) {
			fuzz_page(in, s.paddr & ~(u64)(DUMP_PAGE - 1));
			fuzz_page(in, (end - 1) & ~(u64)(DUMP_PAGE - 1));
		}
	}
}

/* Look at all of it, and close it. */
static inline void fuzz_opened(struct dump *in)
{
	size_t len = 0;
	const char *text = dump_vmcoreinfo(in, &len);

	MUST(!text || strlen(text) == len);
	fuzz_segments(in);
	fuzz_walk(in);
	for (size_t i = 0; dump_damage(in, i); i++)
		MUST(*dump_damage(in, i));
	dump_close(in);
}

static inline void fuzz_fd(int fd)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	int ret = dump_open_fd(&in, fd, &err);

	if (ret) {
		MUST(ret == -(int)err.code && *err.msg && err.code != ERR_IO);
		return;
	}
	fuzz_opened(in);
}

static inline void fuzz_input(const char *magic, const u8 *data, size_t size)
{
	fuzz_fd(fuzz_file(magic, data, size));
}

#endif
