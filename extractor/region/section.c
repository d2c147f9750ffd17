// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/checksum.h"
#include "generation.h"

const struct section *generation_section(const struct generation *generation, u32 type)
{
	u32 i;

	for (i = 0; i < generation->nr_sections; i++)
		if (generation->sections[i].type == type)
			return &generation->sections[i];
	return NULL;
}

u64 section_entries(const struct section *sec, size_t size)
{
	u64 n = sec && sec->unit >= size ? sec->size / sec->unit : 0;

	return n < SECTION_MAX_ENTRIES ? n : SECTION_MAX_ENTRIES;
}

/* 1: good; 0: all zero; -1: damaged. */
static int check_entry(const struct generation *generation, const void *entry, size_t size)
{
	u64 check;

	if (all_zero(entry, size))
		return 0;
	memcpy(&check, (const u8 *)entry + size - 8, sizeof(check));
	return checksum_ok(checksum(generation->hdr.salt, entry, size - 8), le64toh(check)) ? 1 : -1;
}

int section_entry(const struct generation *generation, const struct section *sec, u64 i,
		  void *buf, size_t size)
{
	if (i >= section_entries(sec, size) ||
	    generation_read(generation, sec->off + i * sec->unit, buf, size, NULL) !=
	    (ssize_t)size)
		return -2;
	return check_entry(generation, buf, size);
}

u64 section_damaged(const struct generation *generation, const struct section *sec, size_t size,
		    u64 *ret_off)
{
	u64 n = section_entries(sec, size), i, k, read, damaged = 0;
	u8 block[4096];

	for (i = 0; i < n; i += read) {
		size_t want = sec->unit < sizeof(block) ? sizeof(block) : size;
		ssize_t got = generation_read(generation, sec->off + i * sec->unit, block, want, NULL);

		if (got < (ssize_t)size)
			break;
		read = (got - size) / sec->unit + 1;
		for (k = 0; k < read && i + k < n; k++)
			if (check_entry(generation, block + k * sec->unit, size) == -1 && !damaged++)
				*ret_off = sec->off + (i + k) * sec->unit;
	}
	return damaged;
}

static ssize_t source_read(void *priv, u64 off, void *buf, size_t size,
			   struct err *err)
{
	struct generation_source *rs = priv;

	if (off >= rs->sec->size)
		return 0;
	if (size > rs->sec->size - off)
		size = rs->sec->size - off;
	return generation_read(rs->generation, rs->sec->off + off, buf, size, err);
}

static bool source_next(void *priv, u64 off, u64 *next, u64 *len)
{
	struct generation_source *rs = priv;
	u64 start, addr;

	if (off >= rs->sec->size ||
	    !add_fits(rs->generation->base, rs->sec->off, &start) ||
	    !add_fits(start, off, &addr) ||
	    !dump_next_data(rs->generation->in, addr - addr % DUMP_PAGE, next, len))
		return false;
	if (*next < addr) {
		*len -= *next + *len > addr ? addr - *next : *len - 1;
		*next = addr;
	}
	*next -= start;
	return *next < rs->sec->size;
}

struct source generation_source(struct generation_source *rs)
{
	return (struct source){ source_read, source_next, rs };
}
