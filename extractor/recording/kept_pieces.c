// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <stddef.h>

#include "kept_pieces.h"

/* False: the section ends, or what is there is damaged so that no next one can be found. */
static bool read_piece_header(struct kept_pieces *pieces, const struct section *sec, struct epitaph_kept *piece)
{
	u64 left = sec->size - pieces->off;

	if (pieces->off > sec->size || left < sizeof(*piece) ||
	    generation_read(pieces->generation, sec->off + pieces->off, piece, sizeof(*piece), NULL) != sizeof(*piece))
		return false;
	return piece->check;
}

int kept_pieces_next(struct kept_pieces *pieces, struct epitaph_kept *piece, u8 **data, struct err *err)
{
	const struct section *sec = generation_section(pieces->generation, EPITAPH_SEC_MEMORY);
	u64 room;
	int ret;

	*data = NULL;
	while (sec && read_piece_header(pieces, sec, piece)) {
		room = sec->size - pieces->off - sizeof(*piece);
		pieces->at = sec->off + pieces->off;
		ret = section_sized(data, pieces->generation, pieces->at, piece, sizeof(*piece), offsetof(struct epitaph_kept, size), room, err);
		if (ret || (!*data && !piece->check))
			return ret;
		pieces->has_damage |= !*data;
		if (le32toh(piece->size) > room)
			return 0;
		pieces->off += sizeof(*piece) + ((u64)le32toh(piece->size) + EPITAPH_KEPT_ALIGN - 1) / EPITAPH_KEPT_ALIGN * EPITAPH_KEPT_ALIGN;
		if (*data)
			return 0;
	}
	return 0;
}
