// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <stdlib.h>
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

/* check_entry(), which corrects a damaged entry by its parity if its check then holds. */
static int check_or_repair(const struct generation *generation, u64 off, void *entry, size_t size)
{
	int good = check_entry(generation, entry, size), repaired;
	u64 check;

	memcpy(&check, (const u8 *)entry + size - 8, sizeof(check));
	if (good != -1 || !generation_repair(generation, off, entry, size))
		return good;
	repaired = check_entry(generation, entry, size);
	if (repaired == 1)
		generation_count_repaired(generation, off);
	return repaired == 0 && !generation_was_unused(check) ? -1 : repaired;
}

int section_entry(const struct generation *generation, const struct section *sec, u64 i,
		  void *buf, size_t size)
{
	if (i >= section_entries(sec, size) ||
	    generation_read(generation, sec->off + i * sec->unit, buf, size, NULL) !=
	    (ssize_t)size)
		return -2;
	return check_or_repair(generation, sec->off + i * sec->unit, buf, size);
}

/* As section_sized(), of one header; @repair: the bytes as their parity says. */
static int read_sized(u8 **ret, const struct generation *generation, u64 off, const u8 *hdr,
		      size_t hdr_size, u32 size, bool repair, struct err *err)
{
	u64 seed = checksum(generation->hdr.salt, hdr, hdr_size - 8), check;
	u8 *data = malloc(size ? size : 1);
	ssize_t n;

	if (!data)
		return err_sys(err, "memory for %u bytes", size);
	n = generation_read(generation, off, data, size, err);
	if (n == (ssize_t)size && repair)
		generation_repair(generation, off, data, size);
	memcpy(&check, hdr + hdr_size - 8, sizeof(check));
	if (n == (ssize_t)size && checksum_ok(checksum(seed, data, size), le64toh(check))) {
		*ret = data;
		return 0;
	}
	free(data);
	return n < 0 ? n : 0;
}

int section_sized(u8 **ret_data, const struct generation *generation, u64 off, void *hdr, size_t hdr_size,
		  size_t size_at, u64 room, struct err *err)
{
	u8 repaired[128];
	__le32 size;
	u64 check;
	int ret = 0;

	*ret_data = NULL;
	memcpy(&size, (u8 *)hdr + size_at, sizeof(size));
	if (le32toh(size) <= room)
		ret = read_sized(ret_data, generation, off + hdr_size, hdr, hdr_size, le32toh(size), false,
				 err);
	if (ret || *ret_data || !generation->parity || hdr_size > sizeof(repaired))
		return ret;
	memcpy(repaired, hdr, hdr_size);
	generation_repair(generation, off, repaired, hdr_size);
	memcpy(&size, repaired + size_at, sizeof(size));
	memcpy(&check, (u8 *)hdr + hdr_size - 8, sizeof(check));
	if (all_zero(repaired, hdr_size) && generation_was_unused(check))
		memset(hdr, 0, hdr_size);
	else if (le32toh(size) <= room)
		ret = read_sized(ret_data, generation, off + hdr_size, repaired, hdr_size, le32toh(size),
				 true, err);
	if (*ret_data) {
		memcpy(hdr, repaired, hdr_size);
		generation_count_repaired(generation, off);
	}
	return ret;
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
		for (k = 0; k < read && i + k < n; k++) {
			u64 off = sec->off + (i + k) * sec->unit;

			if (check_or_repair(generation, off, block + k * sec->unit, size) == -1 && !damaged++)
				*ret_off = off;
		}
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

static bool source_repair(void *priv, u64 off, void *buf, size_t size)
{
	struct generation_source *rs = priv;

	return generation_repair(rs->generation, rs->sec->off + off, buf, size);
}

struct source generation_source(struct generation_source *rs)
{
	return (struct source){ source_read, source_next, source_repair, rs, NULL };
}
