/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The device tree of a machine, if it has one: memory that it reserves for the recorder. */
#ifndef EPITAPH_HOST_DEVICE_TREE_H
#define EPITAPH_HOST_DEVICE_TREE_H

#include "base/types.h"

/**
 * struct device_tree_memory - the node "epitaph" of /reserved-memory
 * @node: "epitaph@50000000"
 * @addr: physical address; 0: the kernel chooses it
 * @size: bytes; 0: the node's reg does not say so
 */
struct device_tree_memory {
	char node[64];
	u64 addr;
	u64 size;
};

/* Return: is there one? */
bool device_tree_memory(const char *root, struct device_tree_memory *ret);

#endif
