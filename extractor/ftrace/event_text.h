/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that the kernel's trace file does not write by their formats. */
#ifndef EPITAPH_FTRACE_EVENT_TEXT_H
#define EPITAPH_FTRACE_EVENT_TEXT_H

#include <stdio.h>

#include "event/item.h"
#include "ftrace.h"

/**
 * ftrace_text() - an event of ftrace's own, or of a system call
 *
 * Stacks take a line for each function; there is no newline at the end.
 *
 * Return: false, and nothing was written, if its format tells all.
 */
bool ftrace_text(struct ftrace *ftrace, const struct ftrace_buffer *buf, FILE *f,
		 const struct item *item);

/* The name of the function at @addr as the trace file has it, else "0x0000abcd". */
void ftrace_put_symbol(struct ftrace *ftrace, FILE *f, u64 addr);

#endif
