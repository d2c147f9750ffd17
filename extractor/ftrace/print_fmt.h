/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Print formats of the dumped kernel, so changed that libtraceevent prints with
 * them what the kernel would.
 */
#ifndef EPITAPH_FTRACE_PRINT_FMT_H
#define EPITAPH_FTRACE_PRINT_FMT_H

#include <event-parse.h>

#include "linux_kernel/linux_kernel.h"

/**
 * ftrace_print_rewrite() - a format text with another "print fmt:" line
 *
 * Enumerators become numbers. Symbols, strings of the kernel's and plain
 * pointers become calls of functions that ftrace_print_register() gives the library.
 *
 * Return: from malloc(); NULL: without memory, or there is no such line.
 */
char *ftrace_print_rewrite(const struct kernel_btf *types, const char *text);

/* False without memory. */
bool ftrace_print_register(struct tep_handle *tep);

/*
 * Whose addresses the functions are asked for from now on: the library does not tell them.
 * @delta: what was in the image of the kernel lies so much further in @kernel
 */
void ftrace_print_use(const struct kernel *kernel, u64 delta);

/* A string of the kernel's, of which an event has the address; false: it cannot be read. */
bool ftrace_print_string(const struct kernel *kernel, u64 delta, u64 addr, char *buf, size_t size);

#endif
