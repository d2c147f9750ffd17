// SPDX-License-Identifier: GPL-2.0-or-later
#include "persistent_seed.h"

#include <stdint.h>

#define FIRST_VA	0xffff888010001000ULL	/* of the first sub-buffer */

static void put(unsigned char *at, uint64_t value, size_t size)
{
	memcpy(at, &value, size);
}

/* What is in front of all CPUs: from 7.2 on with a magic of its own, and room. */
static void put_head(unsigned char *seed, bool as_7_2)
{
	put(seed, 0x0badfeed, 4);
	put(seed + 4, as_7_2 ? 24 << 16 | 32 : 56, 4);
	if (!as_7_2)
		return;
	put(seed + 8, 0x9000, 8);
	put(seed + 16, 24, 8);
}

void persistent_seed(unsigned char seed[PERSISTENT_SEED], bool as_7_2)
{
	unsigned char *cpu = seed + 24;		/* in both */

	memset(seed, 0, PERSISTENT_SEED);
	put_head(seed, as_7_2);
	for (unsigned int i = 0; i < 3; i++)
		put(cpu + 8 * i, FIRST_VA + 0x1000 * i, 8);
	put(cpu + 24, 0x1000, 4);
	put(cpu + 28, 3, 4);
	for (unsigned int i = 0; i < 3; i++)
		put(cpu + 32 + 4 * i, i, 4);
	for (size_t at = PERSISTENT_FIRST + PERSISTENT_OTHER; at < PERSISTENT_SEED; at += PERSISTENT_OTHER) {
		unsigned char *page = seed + at;

		put(page, at, 8);
		put(page + 8, 24, 8);
		put(page + 16, 5, 4);
		put(page + 20, 5, 2);
		put(page + 24, 77, 4);
		put(page + 36, 0x6b72616d, 8);
	}
}
