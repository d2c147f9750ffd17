/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that the recorder kept when the kernel died: docs/kept-memory.md */
#ifndef EPITAPH_EXPLAIN_KEPT_H
#define EPITAPH_EXPLAIN_KEPT_H

#include "linux_kernel/kept_kernel.h"
#include "timeline/postmortem.h"

/**
 * kept_open() - what was kept of the death that the crash stamp is of
 * @ret: for kernel_close(); NULL: nothing was kept, or of another death
 *
 * Return: 0, or -ERR_IO without memory.
 */
int kept_open(struct kernel **ret, const struct postmortem *pm, struct err *err);

#endif
