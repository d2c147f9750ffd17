/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory in which a trace has outlived its kernel, of which only the heads of pages are filled in: the first's
 * PERSISTENT_FIRST bytes, then PERSISTENT_OTHER of each further one.
 */
#ifndef PERSISTENT_SEED_H
#define PERSISTENT_SEED_H

#include <stdbool.h>
#include <string.h>

#define PERSISTENT_PAGES	9	/* a header, two CPUs' sub-buffers */
#define PERSISTENT_FIRST	192
#define PERSISTENT_OTHER	64
#define PERSISTENT_SEED		(PERSISTENT_FIRST + 3 * PERSISTENT_OTHER)
#define PERSISTENT_MEMORY	(PERSISTENT_PAGES * 4096)

/* One CPU with three sub-buffers of which two have a marker each, as 6.12 lays it down, or @as_7_2. */
void persistent_seed(unsigned char seed[PERSISTENT_SEED], bool as_7_2);

/* Fills @memory, which is all zeroes. */
static inline void persistent_spread(unsigned char memory[PERSISTENT_MEMORY], const unsigned char *data, size_t size)
{
	size_t n = size < PERSISTENT_FIRST ? size : PERSISTENT_FIRST, page;

	memcpy(memory, data, n);
	for (page = 1; page < PERSISTENT_PAGES && n < size; page++) {
		size_t len = size - n < PERSISTENT_OTHER ? size - n : PERSISTENT_OTHER;

		memcpy(memory + page * 4096, data + n, len);
		n += len;
	}
}

#endif
