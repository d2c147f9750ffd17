// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts by words: as long as strlen() says, copied to the byte, and nothing is touched beyond. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <epitaph/text.h>
#include "tap.h"

#define MOST	100

/* Where a page ends, and the next one cannot be read or written. */
static char *end_of_page(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + page, page, PROT_NONE)) {
		perror("mmap");
		exit(1);
	}
	return at + page;
}

/* Letters with all bits, the highest too, and others that look like the end to wrong arithmetic. */
static char letter(u32 i)
{
	static const char some[] = "a\x80\x01\xff\x7fz\x81";

	return some[i % (sizeof(some) - 1)];
}

static void text__is_as_long_as_it_is_at_each_offset_up_to_the_end_of_memory(void)
{
	char *end = end_of_page();
	u32 n, before, i;

	for (n = 0; n < MOST; n++) {
		for (before = 0; before < 16; before++) {
			char *text = end - before - n - 1;

			memset(end - MOST - 64, before % 2 ? 0 : 'x', MOST + 64);
			for (i = 0; i < n; i++)
				text[i] = letter(i + n);
			text[n] = '\0';
			CHECK(epitaph_strlen(text) == n, "%u letters, %u before the end: %zu", n,
			      before, epitaph_strlen(text));
		}
	}
}

static void text__is_copied_to_the_byte(void)
{
	char *from = end_of_page(), *to = end_of_page();
	u32 n, offset, i;

	for (n = 0; n < MOST; n++) {
		for (offset = 0; offset < 9; offset++) {
			char *source = from - n - offset, *target = to - n - offset % 5;

			memset(to - MOST - 64, '#', MOST + 64);
			for (i = 0; i < n; i++)
				source[i] = letter(i * 5 + n);
			epitaph_copy(target, source, n);
			CHECK(!memcmp(target, source, n), "%u bytes, offset %u", n, offset);
			CHECK(target[-1] == '#', "%u bytes, offset %u: before", n, offset);
			for (i = 0; i < offset % 5; i++)
				CHECK(target[n + i] == '#', "%u bytes, offset %u: behind", n, offset);
		}
	}
}

int main(void)
{
	TAP_RUN(text__is_as_long_as_it_is_at_each_offset_up_to_the_end_of_memory);
	TAP_RUN(text__is_copied_to_the_byte);
	return tap_done();
}
