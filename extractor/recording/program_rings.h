/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings that programs wrote, for recording.c and scan.c: docs/rings.md. */
#ifndef EPITAPH_RECORDING_PROGRAM_RINGS_H
#define EPITAPH_RECORDING_PROGRAM_RINGS_H

#include "recording.h"

/**
 * recording_add_program_rings() - read whose slots there are, and their formats
 * @off: of the first slot, which lies in the pool with all others and with channel->owners
 *
 * Return: 0, or an error: no memory. Damage is noted.
 */
int recording_add_program_rings(struct recording *recording, const struct recording_channel *channel,
				u64 off, struct err *err);

void recording_free_owners(struct recording *recording);

/* Withholds sub-buffers whose times cannot be. @ring was scanned, as all rings of the kernel were. */
void recording_judge_times(struct recording *recording, struct recording_ring *ring);

#endif
