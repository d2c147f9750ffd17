/* SPDX-License-Identifier: GPL-2.0-only */
/* What lies in memory that may be meant for a disk (nd_pmem), not for the recorder. */
#ifndef EPITAPH_CRASH_DISK_SIGNATURE_H
#define EPITAPH_CRASH_DISK_SIGNATURE_H

#include <linux/types.h>

/**
 * epitaph_disk_signature() - is this the start of a disk that has been written to?
 * @read: reads @size bytes at @off of the memory; fewer come back than could be read
 * @size: bytes of the memory
 *
 * The signatures that blkid(8) knows file systems, swap, partition tables, LUKS, LVM and RAID by; those of
 * namespaces of persistent memory (drivers/nvdimm/btt.h, pfn.h), and of ramoops (fs/pstore/ram_core.c).
 *
 * Context: any that @read allows.
 * Return: what it is, with its article; NULL: nothing that is known.
 */
const char *epitaph_disk_signature(size_t (*read)(void *to, u64 off, size_t size), u64 size);

#endif /* EPITAPH_CRASH_DISK_SIGNATURE_H */
