/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kernels of phones put between the time of a line and its text: a CPU and a task. */
#ifndef EPITAPH_CONSOLE_PHONE_PREFIX_H
#define EPITAPH_CONSOLE_PHONE_PREFIX_H

#include "base/types.h"

/* Moves @at behind such a prefix, whose CPU is @cpu then. False: there is none. */
bool phone_prefix_skip(const char **at, const char *end, u32 *cpu);

#endif
