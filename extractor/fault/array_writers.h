/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions of a module write numbers one behind the other by an index, so far behind a pointer: who can have written too many. */
#ifndef EPITAPH_FAULT_ARRAY_WRITERS_H
#define EPITAPH_FAULT_ARRAY_WRITERS_H

#include "function_code.h"

/**
 * struct array_writers - functions that write so; what a module needed only to start is gone
 * @nr: of them
 * @name: of the last, "scan_set_channels+0x0/0x40 [wlan]"
 */
struct array_writers {
	u32 nr;
	char name[KERNEL_SYMBOL_MAX];
};

/**
 * array_writers_find() - look through a module's code
 * @module: of it
 * @size: bytes of a number
 * @offset: of the first, behind the pointer
 *
 * A loop whose pointer moves on has no index, and is not seen. Return: false: the module has more code than is looked at.
 */
bool array_writers_find(struct array_writers *ret, const struct kernel *kernel, const struct kernel_module *module, u32 size, s64 offset);

/* Those that write a byte of 0 by an index, as behind a text. */
bool array_writers_of_zero(struct array_writers *ret, const struct kernel *kernel, const struct kernel_module *module);

#endif
