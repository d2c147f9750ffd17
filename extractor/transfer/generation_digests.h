/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which generations a saved region has, each with its boot id and digest: docs/send.md. */
#ifndef EPITAPH_TRANSFER_GENERATION_DIGESTS_H
#define EPITAPH_TRANSFER_GENERATION_DIGESTS_H

#include "spool/manifest.h"

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

#endif
