/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that rings have twice: lists that were damaged, or made so.  Only for ftrace.c. */
#ifndef EPITAPH_FTRACE_SHARED_PAGES_H
#define EPITAPH_FTRACE_SHARED_PAGES_H

#include "ftrace.h"

/*
 * ftrace_drop_twice() - no event twice, and no more work than there is memory
 *
 * Of sub-buffers that overlap in physical memory the one whose memory begins first is kept,
 * and of several in one place that of the first ring; the others leave their rings, with a
 * note.  Return: 0 or -ERR_IO.
 */
int ftrace_drop_twice(struct ftrace *ftrace, struct err *err);

#endif
