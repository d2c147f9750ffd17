/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A vmcore around a kernel of a few hostile pages. */
#ifndef KERNEL_FILE_H
#define KERNEL_FILE_H

#include "input_fuzz.h"
#include "kernel_head.h"

/* A descriptor of it; @size bytes at @data are its memory. */
static inline int kernel_file(const u8 *data, size_t size)
{
	return memory_file(0, kernel_head(), MEMORY, data, size);
}

#endif
