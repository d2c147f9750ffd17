/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of ftrace's own, which have the same ids and fields in all kernels: for where no kernel says. */
#ifndef EPITAPH_FTRACE_BUILTIN_EVENTS_H
#define EPITAPH_FTRACE_BUILTIN_EVENTS_H

#include "event/formats.h"

/* Those of 64-bit kernels from 6.12 to 7.3.  False without memory. */
bool ftrace_fixed_formats(struct formats *formats);

#endif
