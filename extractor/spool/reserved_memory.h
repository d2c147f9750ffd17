/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that the device tree reserves for the recorder, read without a dump: by /dev/mem. */
#ifndef EPITAPH_SPOOL_RESERVED_MEMORY_H
#define EPITAPH_SPOOL_RESERVED_MEMORY_H

#include "base/err.h"
#include "base/types.h"

/**
 * reserved_memory_copy() - a copy of what is there
 * @name: of the node, for messages
 * @addr: physical address
 * @size: bytes
 *
 * A capture kernel does not know this memory as RAM and lets root map it.  The kernel that records
 * into it does not.
 *
 * Return: a descriptor, or -@err->code.
 */
int reserved_memory_copy(const char *name, u64 addr, u64 size, struct err *err);

#endif
