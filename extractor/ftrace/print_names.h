/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enumerators, symbols and strings of the dumped kernel, for the print formats of its events. */
#ifndef EPITAPH_FTRACE_PRINT_NAMES_H
#define EPITAPH_FTRACE_PRINT_NAMES_H

#include "ftrace.h"

/*
 * The formats of @ftrace ask its kernel.  Before an event is printed, @ftrace->text_delta has to
 * be that of its buffer.
 */
void ftrace_use_print_names(struct ftrace *ftrace);

/*
 * The string of the kernel at @addr of an event.
 * @delta: what was in the image of the kernel that recorded lies so much further in this one
 *
 * Return: false if it cannot be read.
 */
bool ftrace_read_string(const struct ftrace *ftrace, u64 delta, u64 addr, char *buf, size_t size);

#endif
