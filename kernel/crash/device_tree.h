/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that the device tree of this machine reserves for the recorder. */
#ifndef EPITAPH_CRASH_DEVICE_TREE_H
#define EPITAPH_CRASH_DEVICE_TREE_H

#include <linux/types.h>

/**
 * epitaph_device_tree_reserved() - a node of /reserved-memory
 * @name: of the node, without its address
 * @at: physical address of what the kernel reserved for it
 * @bytes: its size, in whole pages of 4096
 *
 * Context: process.
 * Return: 0; -ENOENT if there is no such node, and nothing is said then; or an error that has been
 * printed: -EBUSY if the memory is another driver's or the kernel's own, -ENODEV if the kernel did
 * not reserve it.
 */
int epitaph_device_tree_reserved(const char *name, u64 *at, u64 *bytes);

/**
 * epitaph_device_tree_has_memory() - the device tree says that there is memory
 * @at: physical address
 * @bytes: its size
 *
 * Context: process.
 * Return: true if one range of one memory node has all of it.  Where firmware describes the memory
 * by EFI, there may be no such node.
 */
bool epitaph_device_tree_has_memory(u64 at, u64 bytes);

#endif /* EPITAPH_CRASH_DEVICE_TREE_H */
