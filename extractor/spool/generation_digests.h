/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which generations a saved region has, each with its boot id and digest: docs/send.md. */
#ifndef EPITAPH_SPOOL_GENERATION_DIGESTS_H
#define EPITAPH_SPOOL_GENERATION_DIGESTS_H

#include "manifest.h"

/**
 * generation_digests_read() - read the region in @dir, in a sandboxed process
 * @m: gets the generations, the oldest first
 * @dir: descriptor of a capture's directory
 * @verbose: print what the process is locked in by
 *
 * It gets none where the region has anything but whole generations: then two copies cannot be
 * recognised as the same.
 */
void generation_digests_read(struct manifest *m, int dir, bool verbose);

/**
 * generation_is_in() - has a saved region these very bytes, but for the marks of who has them?
 * @region: descriptor of the region
 * @device: of the recorder's device
 * @off: of the generation in it
 *
 * A process that is locked in reads both.  A damaged generation is in none.
 */
bool generation_is_in(int region, int device, u64 off);

#endif
