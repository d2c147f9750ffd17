// SPDX-License-Identifier: GPL-2.0-or-later
#include "generation.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/checksum.h"
#include "locate.h"
#include "parity.h"

ssize_t generation_read(const struct generation *generation, u64 off, void *buf, size_t size,
			struct err *err)
{
	u64 addr;

	if (!add_fits(generation->base, off, &addr))
		return 0;
	return dump_read(generation->in, addr, buf, size, err);
}

/* The check of the table holds, but its numbers may still be wrong. */
static int take_sections(struct generation *generation, const u8 *table, struct err *err)
{
	const struct epitaph_header *hdr = &generation->hdr;
	u32 room = (hdr->table_size - hdr->header_size) / hdr->section_size;
	u32 nr = hdr->nr_sections;
	u32 i;

	if (nr > room) {
		damage_notes_add(&generation->notes, offsetof(struct epitaph_header, nr_sections),
				 "nr_sections is %u, the table holds %u", nr, room);
		nr = room;
	}
	generation->sections = calloc(nr ? nr : 1, sizeof(*generation->sections));
	if (!generation->sections)
		return err_sys(err, "memory for %u sections", nr);
	for (i = 0; i < nr; i++) {
		struct epitaph_section raw;
		struct section sec;

		memcpy(&raw, table + hdr->header_size + i * hdr->section_size, sizeof(raw));
		sec = (struct section){
			.type = le32toh(raw.type), .cpu = le32toh(raw.cpu),
			.channel = le32toh(raw.channel), .unit = le32toh(raw.unit),
			.index = le32toh(raw.index), .off = le64toh(raw.off),
			.size = le64toh(raw.size), .check = le64toh(raw.check),
			.from_dump = le32toh(raw.flags) & EPITAPH_SECTION_FROM_DUMP,
		};
		if (sec.off <= hdr->gen_size && sec.size <= hdr->gen_size - sec.off)
			generation->sections[generation->nr_sections++] = sec;
		else
			damage_notes_add(&generation->notes, sec.off,
					 "section %u has %llu bytes and lies outside the generation of %llu",
					 i, sec.size, hdr->gen_size);
	}
	return 0;
}

/* The copy is not needed here. A damaged copy shows that memory was overwritten. */
static void check_header_copy(struct generation *generation)
{
	struct find_header copy;
	u64 addr;

	if (!add_fits(generation->base, generation->hdr.copy_off, &addr))
		return;
	if (find_header_at(&copy, generation->in, addr) != FIND_GOOD)
		damage_notes_add(&generation->notes, generation->hdr.copy_off,
				 "the copy of the header is %s",
				 copy.verdict == FIND_NOTHING ? "not there" : "damaged");
	find_header_free(&copy);
}

int generation_open(struct generation *generation, struct dump *in, u64 addr, struct err *err)
{
	struct find_header found;
	int ret;

	generation->in = in;
	if (find_header_repaired(&found, in, addr) != FIND_GOOD) {
		find_header_free(&found);
		return err_set(err, ERR_CORRUPT, addr, "the header at 0x%llx has changed since it was found: something writes to this memory; copy it first (epitaph save), then read the copy", addr);
	}
	generation->base = found.base;
	generation->hdr = found.hdr;
	generation->from_copy = found.is_copy;
	generation->is_repaired = found.is_repaired;
	if (found.is_repaired)
		damage_notes_add(&generation->notes, 0, "the header is damaged; its parity brought it back");
	if (found.is_copy)
		damage_notes_add(&generation->notes, 0, "the header is damaged; its copy serves");
	ret = take_sections(generation, found.table, err);
	find_header_free(&found);
	if (!ret)
		ret = parity_open(generation, err);
	if (!ret && !generation->from_copy)
		check_header_copy(generation);
	return ret;
}

bool generation_has_no_recorder(const struct generation *generation)
{
	return !generation_section(generation, EPITAPH_SEC_CHANNELS) &&
	       !generation_section(generation, EPITAPH_SEC_RING) &&
	       generation_section(generation, EPITAPH_SEC_EVENTS);
}

void generation_close(struct generation *generation)
{
	free(generation->sections);
	parity_close(generation->parity);
	damage_notes_free(&generation->notes);
}
