// SPDX-License-Identifier: GPL-2.0-only
/* A piece of a generation, with a header that says where it goes. */
#include <linux/kernel.h>
#include <linux/string.h>
#include <epitaph/check.h>
#include <epitaph/earlier.h>
#include "catalog.h"

/* Read at run time, so that the compiler does not invert it into the code. */
static const volatile u64 magic_inverted = EPITAPH_PART_MAGIC_INVERTED;

static u64 part_off(u32 nr)
{
	return (u64)(nr - 1) * PART_BYTES;
}

static u64 part_bytes(const struct shown *shown, u32 nr)
{
	return min_t(u64, PART_BYTES, shown->gen->size - part_off(nr));
}

size_t part_size(const struct shown *shown, u32 nr)
{
	return sizeof(struct epitaph_part) + part_bytes(shown, nr);
}

static void describe(struct epitaph_part *part, const struct shown *shown, u32 nr)
{
	memset(part, 0, sizeof(*part));
	part->magic = cpu_to_le64(~magic_inverted);
	part->major = cpu_to_le16(EPITAPH_MAJOR);
	part->minor = cpu_to_le16(EPITAPH_MINOR);
	part->header_size = cpu_to_le32(sizeof(*part));
	part->number = cpu_to_le64(shown->gen->number);
	part->salt = cpu_to_le64(shown->gen->salt);
	memcpy(part->boot_id, shown->gen->table->boot_id, sizeof(part->boot_id));
	part->index = cpu_to_le32(nr);
	part->nr_parts = cpu_to_le32(shown->nr_parts);
	part->off = cpu_to_le64(part_off(nr));
	part->size = cpu_to_le64(part_bytes(shown, nr));
	part->gen_size = cpu_to_le64(shown->gen->size);
}

/* Zeroes would be a ring's page that nothing was written to. */
static void copy_region(void *buf, u64 off, size_t size)
{
	static const char text[] = EPITAPH_UNREADABLE;
	size_t end, done = 0;
	char *to = buf;

	while (done < size) {
		done += epitaph_region_read(to + done, off + done, size - done);
		end = min_t(u64, size, round_down(off + done, EPITAPH_PAGE) + EPITAPH_PAGE - off);
		for (; done < end; done++)
			to[done] = text[(off + done) % (sizeof(text) - 1)];
	}
}

void part_fill(const struct shown *shown, u32 nr, void *buf)
{
	struct epitaph_part *part = buf;
	u64 seed;

	describe(part, shown, nr);
	copy_region(part + 1, shown->gen->off + part_off(nr), part_bytes(shown, nr));
	seed = epitaph_check(0, part, offsetof(struct epitaph_part, check));
	part->check = cpu_to_le64(epitaph_check(seed, part + 1, part_bytes(shown, nr)));
}
