/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_printk(): a format of the kernel's, and its arguments as vbin_printf() lays them down. */
#ifndef EPITAPH_FTRACE_BPRINT_H
#define EPITAPH_FTRACE_BPRINT_H

#include <stdio.h>

#include "ftrace.h"

/**
 * ftrace_bprint() - write what was printed
 * @text_delta: added to addresses of code
 * @format: terminated
 * @args: numbers of up to 4 bytes at multiples of their size, larger ones at multiples of 4, texts
 *	in place, and so what %p makes of a pointer itself
 *
 * Without the newline at the end.  Where arguments lack, "[cut]" ends it.
 */
void ftrace_bprint(struct ftrace *ftrace, u64 text_delta, FILE *f, const char *format,
		   struct bytes *args);

#endif
