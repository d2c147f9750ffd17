/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's table of instructions that may fault, and of where each goes on then (x86-64). */
#ifndef EPITAPH_FAULT_EXCEPTION_TABLE_H
#define EPITAPH_FAULT_EXCEPTION_TABLE_H

#include "linux_kernel/linux_kernel.h"

/*
 * Does the table have an instruction of the @size bytes at @start? True as well: the table is there and
 * cannot be read. False as well: no symbol leads to it (a kernel without CONFIG_KALLSYMS_ALL).
 */
bool exception_table_has(const struct kernel *kernel, u64 start, u64 size);

#endif
