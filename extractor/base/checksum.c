// SPDX-License-Identifier: GPL-2.0-or-later
#include "checksum.h"

#include <endian.h>
#include <string.h>

static u64 load(const u8 *p, size_t size)
{
	u64 word = 0;

	memcpy(&word, p, size);
	return le64toh(word);
}

u64 checksum_add(u64 h, const void *data, size_t size)
{
	const u8 *p = data;

	for (; size >= 8; p += 8, size -= 8)
		h = mix(h, load(p, 8));
	return size ? mix(h, load(p, size)) : h;
}

u64 checksum(u64 seed, const void *data, size_t size)
{
	return checksum_end(checksum_add(checksum_begin(seed, size), data, size));
}
