/* SPDX-License-Identifier: GPL-2.0-only */
/* Is there memory behind the addresses of the region? */
#ifndef EPITAPH_CORE_BACKING_H
#define EPITAPH_CORE_BACKING_H

#include "memory.h"

/**
 * epitaph_backing_check() - write to memory and read it back, a word in each MiB and the last one
 * @mem: mapped; bad pages are known
 *
 * Each word is restored: an earlier boot may have left it.
 *
 * Return: 0, or -ENODEV, which has been printed.
 */
int epitaph_backing_check(const struct epitaph_extent *mem);

#endif /* EPITAPH_CORE_BACKING_H */
