// SPDX-License-Identifier: GPL-2.0-or-later
#include "region.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "find.h"
#include "mix.h"

u64 region_start(const struct region *region)
{
	return region->base - region->hdr.gen_index * region->hdr.gen_size;
}

ssize_t region_read(const struct region *region, u64 off, void *buf, size_t size,
		    struct err *err)
{
	u64 addr;

	if (!add_fits(region->base, off, &addr))
		return 0;
	return input_read(region->in, addr, buf, size, err);
}

static bool within(u64 off, u64 size, u64 all)
{
	return off <= all && size <= all - off;
}

static void take_section(struct region *region, u32 i, const u8 *entry)
{
	struct epitaph_section raw;
	struct section sec;

	memcpy(&raw, entry, sizeof(raw));
	sec = (struct section){
		.type = le32toh(raw.type), .cpu = le32toh(raw.cpu),
		.channel = le32toh(raw.channel), .unit = le32toh(raw.unit),
		.index = le32toh(raw.index), .off = le64toh(raw.off),
		.size = le64toh(raw.size), .check = le64toh(raw.check),
	};
	if (!within(sec.off, sec.size, region->hdr.gen_size))
		return notes_add(&region->notes, sec.off,
				 "section %u has %llu bytes and lies outside the generation of %llu",
				 i, sec.size,
				 region->hdr.gen_size);
	region->sections[region->nr_sections++] = sec;
}

/* The table has been checked; its numbers are still anybody's. */
static int take_sections(struct region *region, const u8 *table, struct err *err)
{
	const struct epitaph_header *hdr = &region->hdr;
	u32 room = (hdr->table_size - hdr->header_size) / hdr->section_size;
	u32 nr = hdr->nr_sections;
	u32 i;

	if (nr > room) {
		notes_add(&region->notes, offsetof(struct epitaph_header, nr_sections),
			  "nr_sections is %u, the table holds %u", nr, room);
		nr = room;
	}
	region->sections = calloc(nr ? nr : 1, sizeof(*region->sections));
	if (!region->sections)
		return err_sys(err, "memory for %u sections", nr);
	for (i = 0; i < nr; i++)
		take_section(region, i, table + hdr->header_size + i * hdr->section_size);
	return 0;
}

static int take(struct region *region, struct find_header *found, struct err *err)
{
	region->base = found->base;
	region->hdr = found->hdr;
	region->from_copy = found->is_copy;
	if (found->is_copy)
		notes_add(&region->notes, 0,
			  "the header of generation %u is damaged; its copy serves",
			  found->hdr.gen_index);
	return take_sections(region, found->table, err);
}

/* The copy is not needed, but tells that something was here. */
static void check_copy(struct region *region)
{
	struct find_header copy;
	u64 addr;

	if (region->from_copy || !add_fits(region->base, region->hdr.copy_off, &addr))
		return;
	if (find_header_at(&copy, region->in, addr) != FIND_GOOD)
		notes_add(&region->notes, region->hdr.copy_off,
			  "the copy of the header is %s",
			  copy.verdict == FIND_NOTHING ? "not there" : "damaged");
	find_header_free(&copy);
}

static int find_gen(struct regions *regions, struct input *in,
		    const struct epitaph_header *one, u64 base, u32 i, struct err *err)
{
	struct region *region = &regions->gen[regions->nr];
	struct find_header found;
	int ret = 0;

	region->in = in;
	if (find_header_at(&found, in, base) != FIND_GOOD) {
		find_header_free(&found);
		find_header_at(&found, in, base + one->copy_off);
	}
	if (found.verdict == FIND_GOOD && found.hdr.gen_index == i &&
	    found.base == base) {
		ret = take(region, &found, err);
		regions->nr++;
		if (!ret)
			check_copy(region);
	}
	find_header_free(&found);
	return ret;
}

/* Generations lie behind each other, and all have the size of the one found. */
static int find_gens(struct regions *regions, struct input *in,
		     const struct find_header *first, struct err *err)
{
	const struct epitaph_header *hdr = &first->hdr;
	u64 start, off, base;
	u32 i;
	int ret;

	start = first->base - (u64)hdr->gen_index * hdr->gen_size;
	for (i = 0; i < hdr->nr_gens && i < REGION_MAX_GENS; i++) {
		if (!mul_fits(i, hdr->gen_size, &off) || !add_fits(start, off, &base) ||
		    base + hdr->copy_off < base)
			break;
		ret = find_gen(regions, in, hdr, base, i, err);
		if (ret)
			return ret;
	}
	return 0;
}

static void note_missing_gens(struct regions *regions, u32 nr_gens)
{
	if (regions->nr < nr_gens)
		notes_add(&regions->gen[0].notes, NOTE_NOWHERE,
			  "%u of %u generations can be read", regions->nr, nr_gens);
}

int region_find(struct regions **ret_regions, struct input *in, struct err *err)
{
	struct regions *regions;
	struct find_header first;
	int ret;

	ret = find_first(&first, in, err);
	if (ret)
		return ret;
	regions = calloc(1, sizeof(*regions));
	if (!regions) {
		find_header_free(&first);
		return err_sys(err, "memory");
	}
	ret = find_gens(regions, in, &first, err);
	if (!ret && !regions->nr)
		ret = err_set(err, ERR_CORRUPT, first.base,
			      "a header at 0x%llx leads to no generation",
			      first.base);
	if (!ret)
		note_missing_gens(regions, first.hdr.nr_gens);
	find_header_free(&first);
	if (ret) {
		regions_free(regions);
		return ret;
	}
	*ret_regions = regions;
	return 0;
}

void regions_free(struct regions *regions)
{
	u32 i;

	for (i = 0; regions && i < REGION_MAX_GENS; i++) {
		free(regions->gen[i].sections);
		notes_free(&regions->gen[i].notes);
	}
	free(regions);
}

struct region *regions_newest(struct regions *regions)
{
	struct region *newest = &regions->gen[0];
	u32 i;

	for (i = 1; i < regions->nr; i++)
		if (regions->gen[i].hdr.start_real_ns > newest->hdr.start_real_ns)
			newest = &regions->gen[i];
	return newest;
}
