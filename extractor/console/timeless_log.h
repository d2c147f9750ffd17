/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log whose lines have neither the kernel's time nor a date; docs/console.md. */
#ifndef EPITAPH_CONSOLE_TIMELESS_LOG_H
#define EPITAPH_CONSOLE_TIMELESS_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Is there a report of the kernel in it: a panic, or a line that names one and another that only a kernel prints? */
bool timeless_log_is(const char *text, size_t size);

/**
 * timeless_log_convert() - each line with the kernel's time in front, which is 0
 * @ret_size: of the result
 *
 * Return: the text, for free(); NULL: no memory.
 */
char *timeless_log_convert(const char *text, size_t size, size_t *ret_size);

#endif
