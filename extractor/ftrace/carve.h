/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sub-buffers of the kernel's own trace whose ring cannot be followed to them:
 * every page of the dump is looked at, and taken if all of it is events that this
 * kernel has.  Their instance and CPU are unknown.
 */
#ifndef EPITAPH_FTRACE_CARVE_H
#define EPITAPH_FTRACE_CARVE_H

#include "ftrace.h"

#define FTRACE_MAX_CARVED	65536	/* sub-buffers */

/**
 * ftrace_carve() - find them
 * @ftrace: its formats are known, and its rings as far as they go; gets one buffer more, whose
 *	rings are lanes that follow in time, if there is something
 */
int ftrace_carve(struct ftrace *ftrace, struct err *err);

#endif
