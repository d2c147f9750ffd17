/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The firmware's own map of memory, which memmap= of the command line does not change. */
#ifndef EPITAPH_HOST_FIRMWARE_MAP_H
#define EPITAPH_HOST_FIRMWARE_MAP_H

#include "base/types.h"

/*
 * kexec -l, without -s, places the next kernel and its initramfs from the end of this map down. The
 * two have this much, seldom more.
 */
#define FIRMWARE_KEXEC_ROOM	(128ULL << 20)

/* Bytes of memory from @start on, @size at most; @size as well if the kernel does not show the map. */
u64 firmware_memory(const char *root, u64 start, u64 size);

/* The byte behind the highest System RAM; 0: the kernel does not show the map. */
u64 firmware_memory_end(const char *root);

#endif
