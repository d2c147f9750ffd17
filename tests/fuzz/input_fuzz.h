/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of hostile bytes, walked as every command walks one, and what must
 * hold whatever is in it.
 */
#ifndef INPUT_FUZZ_H
#define INPUT_FUZZ_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input.h"

#define FUZZ_PAGES	12		/* looked at in one run */

#define MUST(cond) do { if (!(cond)) abort(); } while (0)

/* The same file for every run: to make one costs more than to fill it. */
static inline int fuzz_file(const char *magic, const u8 *data, size_t size)
{
	static int fd = -1;
	size_t len = strlen(magic);

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	MUST(!ftruncate(fd, 0));
	MUST(pwrite(fd, magic, len, 0) == (ssize_t)len);
	MUST(pwrite(fd, data, size, len) == (ssize_t)size);
	return dup(fd);
}

/* What a peek gives is what the page begins with, if it can be read at all. */
static inline void fuzz_page(struct input *in, u64 paddr)
{
	u8 head[8], page[INPUT_PAGE], again[100];
	bool peeked = input_peek(in, paddr, head);
	ssize_t n = input_read(in, paddr, page, sizeof(page), NULL);

	MUST(n >= 0 && n <= INPUT_PAGE);
	MUST(n < 8 || (peeked && !memcmp(head, page, 8)));
	if (n < 4000)
		return;
	MUST(input_read(in, paddr + 3900, again, 100, NULL) == 100);
	MUST(!memcmp(again, page + 3900, 100));
}

static inline void fuzz_walk(struct input *in)
{
	u64 at = 0, next, len, nr = 0;

	for (int i = 0; i < 4 * FUZZ_PAGES && input_next_data(in, at, &next, &len); i++) {
		MUST(next >= at && next % INPUT_PAGE == 0 && len && next + len > next);
		for (u64 p = next; p < next + len && nr < FUZZ_PAGES; p += INPUT_PAGE, nr++)
			fuzz_page(in, p);
		at = next + len;
	}
}

static inline void fuzz_segments(struct input *in)
{
	u64 end = 0;

	for (size_t i = 0; i < input_nr_segments(in); i++) {
		struct input_segment s = input_segment(in, i);

		MUST(s.size && s.paddr >= end && s.paddr + s.size >= s.paddr);
		end = s.paddr + s.size;
		if (i < FUZZ_PAGES) {
			fuzz_page(in, s.paddr & ~(u64)(INPUT_PAGE - 1));
			fuzz_page(in, (end - 1) & ~(u64)(INPUT_PAGE - 1));
		}
	}
}

/* Look at all of it, and close it. */
static inline void fuzz_opened(struct input *in)
{
	size_t len = 0;
	const char *text = input_vmcoreinfo(in, &len);

	MUST(!text || strlen(text) == len);
	fuzz_segments(in);
	fuzz_walk(in);
	for (size_t i = 0; input_damage(in, i); i++)
		MUST(*input_damage(in, i));
	input_close(in);
}

static inline void fuzz_input(const char *magic, const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct input *in = NULL;
	int ret = input_open_fd(&in, fuzz_file(magic, data, size), &err);

	if (ret) {
		MUST(ret == -(int)err.code && *err.msg && err.code != ERR_IO);
		return;
	}
	fuzz_opened(in);
}

#endif
