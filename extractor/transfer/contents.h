/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which generations a saved region has, each by its digest: docs/send.md. */
#ifndef EPITAPH_TRANSFER_CONTENTS_H
#define EPITAPH_TRANSFER_CONTENTS_H

#include "spool/manifest.h"

/**
 * contents_read() - look into the region in @dir, in a process that is locked in
 * @dir: descriptor
 * @verbose: say what that process is locked in by
 * @m: gets the digests, the oldest generation first
 *
 * It gets none where anything but whole generations was found, or nothing was: then nobody can
 * say that all of it is elsewhere as well.
 */
void contents_read(struct manifest *m, int dir, bool verbose);

#endif
