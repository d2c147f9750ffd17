/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of physical addresses that the kernel shows in /proc/iomem. */
#ifndef EPITAPH_HOST_IOMEM_H
#define EPITAPH_HOST_IOMEM_H

#include "base/err.h"

#define IOMEM_MAX	4096	/* lines; more are not looked at */

/**
 * struct iomem_range - a line
 * @start: its first address
 * @end: its last one
 * @depth: 0: it lies in no other
 */
struct iomem_range {
	u64 start;
	u64 end;
	unsigned int depth;
	char name[48];
};

/* struct iomem - all of them, as they come: a range before those in it */
struct iomem {
	struct iomem_range *list;
	size_t nr;
};

/**
 * iomem_read() - of the machine below @root; iomem_free() is needed afterwards
 *
 * Return: 0; -ERR_IO; -ERR_CORRUPT: all addresses are zero, as who is not root sees them.
 */
int iomem_read(struct iomem *map, const char *root, struct err *err);
void iomem_free(struct iomem *map);

/* The first range that is called so; NULL: none. */
const struct iomem_range *iomem_find(const struct iomem *map, const char *name);

/* Is it a whole range of RAM, and not a part in use? */
bool iomem_is_ram(const struct iomem_range *range);

/* Bytes of RAM, reserved or not. */
u64 iomem_ram(const struct iomem *map);

#endif
