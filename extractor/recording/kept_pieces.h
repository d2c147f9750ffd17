/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of the kernel's memory in the region. docs/kept-memory.md */
#ifndef EPITAPH_RECORDING_KEPT_PIECES_H
#define EPITAPH_RECORDING_KEPT_PIECES_H

#include "recording.h"

/**
 * struct kept_pieces - a walk along them
 * @generation: that has them; the rest is 0 at the beginning
 * @off: of the next piece, in the section
 * @at: of the piece that was given last, in the generation
 * @has_damage: a piece, or the rest of them, is damaged
 */
struct kept_pieces {
	const struct generation *generation;
	u64 off;
	u64 at;
	bool has_damage;
};

/**
 * kept_pieces_next() - the next piece that is whole
 * @piece: its header
 * @data: its bytes, the caller's; NULL: that was the last
 *
 * Return: 0, or -ERR_IO without memory.
 */
int kept_pieces_next(struct kept_pieces *pieces, struct epitaph_kept *piece, u8 **data, struct err *err);

#endif
