/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of the dumped kernel of which pages may be missing. A page of zeroes counts as missing: no
 * table that is read this way has one.
 */
#ifndef EPITAPH_LINUX_KERNEL_HOLED_BYTES_H
#define EPITAPH_LINUX_KERNEL_HOLED_BYTES_H

#include "vmem.h"

/**
 * struct holed_bytes - @size bytes from @va on
 * @data: what is missing is zero
 * @nr_holes: pages that are missing
 * @why: the first of them, in words
 */
struct holed_bytes {
	u64 va;
	size_t size;
	u8 *data;
	u8 *pages;	/* what was read: whole pages around */
	bool *is_hole;
	u32 nr_holes;
	char why[192];
};

/* Return: 0, or -ERR_IO without memory; holed_bytes_free() is needed in either case. */
int holed_bytes_read(struct holed_bytes *ret, struct vmem *vmem, u64 va, size_t size,
		     struct err *err);

void holed_bytes_free(struct holed_bytes *bytes);

/* Are all @len bytes at @off there? */
bool holed_bytes_has(const struct holed_bytes *bytes, size_t off, size_t len);

#endif
