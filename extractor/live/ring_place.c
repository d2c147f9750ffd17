// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_place.h"

#include <endian.h>
#include <string.h>

static bool entry_is_of(const struct epitaph_added *raw, const struct live_place *place)
{
	u32 unit = le32toh(raw->unit);
	u64 size = le64toh(raw->ring_size);

	return le32toh(raw->id) == place->id &&
	       !strncmp(raw->name, place->channel, sizeof(raw->name)) &&
	       !(raw->flags & htole32(EPITAPH_ADDED_COPY)) &&
	       place->index < le32toh(raw->nr_rings) && recording_unit_is_possible(unit) &&
	       size >= unit && size < GENERATION_MAX_SIZE;
}

bool live_place_find(struct live_place *place, const struct generation *generation, u32 least)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_ADDED);
	u64 i, n = section_entries(sec, sizeof(struct epitaph_added));
	struct epitaph_added raw;
	bool found = false;
	u32 moves;

	for (i = 0; i < n; i++) {
		if (section_entry(generation, sec, i, &raw, sizeof(raw)) != 1 ||
		    !entry_is_of(&raw, place))
			continue;
		moves = raw.flags & htole32(EPITAPH_ADDED_MOVED) ? le32toh(raw.origin) : 0;
		if (moves < least || (found && moves > place->moves))
			continue;
		found = true;
		place->moves = moves;
		place->size = le64toh(raw.ring_size);
		place->unit = le32toh(raw.unit);
		place->off = le64toh(raw.off) + place->index * place->size;
		place->entry = sec->off + i * sec->unit;
		place->check = raw.check;
	}
	return found;
}

bool live_place_stands(const struct live_place *place, const struct generation *generation)
{
	__le64 check;

	return !place->is_added ||
	       (generation_read(generation, place->entry + offsetof(struct epitaph_added, check),
				&check, sizeof(check), NULL) == sizeof(check) &&
		check == place->check);
}
