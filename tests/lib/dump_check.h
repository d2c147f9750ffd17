/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the extractor reads of a made dump, against what was put into it. */
#ifndef DUMP_CHECK_H
#define DUMP_CHECK_H

#include <string.h>
#include <unistd.h>

#include "dump/dump.h"
#include "dump_make.h"
#include "dump_oracle.h"
#include "tap.h"

/* The first @size bytes of the image as an input, or NULL and a failed check. */
static inline struct dump *open_image(const struct image *image, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	CHECK(!dump_open_fd(&in, image_fd(image, size), &err), "%s", err.msg);
	return in;
}

/* The same for what must be refused: with which code, saying which words? */
static inline void expect_refusal(const struct image *image, size_t size, int code,
				  const char *words)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	int ret = dump_open_fd(&in, image_fd(image, size), &err);

	CHECK(ret == -code, "%d, not %d: %s", ret, -code, err.msg);
	CHECK(strstr(err.msg, words), "\"%s\" does not say \"%s\"", err.msg, words);
	if (!ret)
		dump_close(in);
}

/* Is there a damage with these words? */
static inline bool has_damage(const struct dump *in, const char *words)
{
	for (size_t i = 0; dump_damage(in, i); i++)
		if (strstr(dump_damage(in, i), words))
			return true;
	return false;
}

/* What is left of a page in the first @size bytes of the file. */
enum page_state { PAGE_THERE, PAGE_ZERO, PAGE_ABSENT };

static inline enum page_state page_state(const struct image *image, unsigned int pfn,
					 size_t size, bool elf)
{
	if (!make_is_dumped(pfn))
		return elf && make_is_ram(pfn) ? PAGE_ZERO : PAGE_ABSENT;
	if (!image->page_end[pfn] || image->page_end[pfn] > size || (!elf && image->desc_off[pfn] + 24 > size))
		return PAGE_ABSENT;
	return PAGE_THERE;
}

static inline void check_page(struct dump *in, unsigned int pfn, uint32_t page_size,
			      enum page_state state)
{
	static uint8_t got[MAKE_PAGE_MAX], want[MAKE_PAGE_MAX];
	u64 paddr = (u64)pfn * page_size;
	u8 head[8];
	ssize_t n;

	memset(want, 0, page_size);
	if (state == PAGE_THERE)
		make_page(pfn, page_size, want);
	if (state == PAGE_THERE)
		CHECK(dump_peek(in, paddr, head) && !memcmp(head, want, 8), "peek %u", pfn);
	n = dump_read(in, paddr, got, page_size, NULL);
	if (state == PAGE_ABSENT) {
		CHECK(n >= 0 && n < page_size, "page %u: %zd bytes", pfn, n);
		return;
	}
	CHECK(n == page_size, "page %u: %zd bytes", pfn, n);
	CHECK(!memcmp(got, want, page_size), "page %u is not what was put there", pfn);
	n = dump_read(in, paddr + 100, got, 50, NULL);
	CHECK(n == 50 && !memcmp(got, want + 100, 50), "part of page %u", pfn);
}

/**
 * check_pages() - every page is exactly what was put there, or not there
 * @size: bytes of the file that are left; a page whose bytes are within must be
 *	read, one whose bytes are not must not
 */
static inline void check_pages(struct dump *in, const struct image *image,
			       const struct make *make, size_t size)
{
	uint32_t page_size = make->page_size ? make->page_size : 4096;
	bool elf = strstr(dump_kind(in), "ELF");

	for (unsigned int pfn = 0; pfn < MAKE_PAGES + 2; pfn++)
		check_page(in, pfn, page_size, pfn < MAKE_PAGES ?
			   page_state(image, pfn, size, elf) : PAGE_ABSENT);
}

/* Does libkdumpfile, which shares nothing with us, read the same? */
static inline void check_oracle(const struct image *image)
{
	int fd = image_fd(image, image->size);
	struct verdict v = oracle_compare(fd);

	close(fd);
	CHECK(!v.why, "%s", v.why);
	CHECK(v.nr_same > 50, "only %lu pages compared", v.nr_same);
	CHECK(v.nr_same + v.nr_absent == v.nr_pages,
	      "of %lu pages %lu same, %lu absent, %lu ours, %lu theirs, %lu differ, first %#llx",
	      v.nr_pages, v.nr_same, v.nr_absent, v.nr_ours, v.nr_theirs, v.nr_differ, v.first);
}

/* Walk as a scan for a magic does.  Return: how many pages there were. */
static inline size_t count_data_pages(struct dump *in)
{
	u64 at = 0, next, len;
	size_t nr = 0;

	while (dump_next_data(in, at, &next, &len)) {
		CHECK(next >= at && next % DUMP_PAGE == 0 && len, "%#llx +%#llx from %#llx",
		      next, len, at);
		nr += (len + DUMP_PAGE - 1) / DUMP_PAGE;
		at = next + len;
	}
	return nr;
}

#endif
