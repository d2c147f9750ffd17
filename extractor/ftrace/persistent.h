/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Buffers of the kernel's own trace that outlive a reboot, found in memory by what stands in
 * front of them: no kernel is needed, and the one that is there may be the next one.
 */
#ifndef EPITAPH_FTRACE_PERSISTENT_H
#define EPITAPH_FTRACE_PERSISTENT_H

#include "ftrace.h"

#define FTRACE_MAX_PERSISTENT	16	/* buffers */

/**
 * ftrace_persistent_find() - read those that no instance of the kernel has
 * @ftrace: its rings are known; gets a buffer more for each that is found
 *
 * Without a kernel each page of the input is looked at, else where reserve_mem= put something.
 * Damage is in the notes of @ftrace.  Return: 0 or -ERR_IO.
 */
int ftrace_persistent_find(struct ftrace *ftrace, struct err *err);

#endif
