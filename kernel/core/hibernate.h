/* SPDX-License-Identifier: GPL-2.0-only */
/* Hibernation. */
#ifndef EPITAPH_CORE_HIBERNATE_H
#define EPITAPH_CORE_HIBERNATE_H

#include <linux/types.h>

/*
 * The machine is about to hibernate, or to resume another kernel, and it is not seen yet whose the
 * region is: what would be recorded now may go into memory of others.  Any context.
 */
bool epitaph_hibernates(void);

/* Process context; between epitaph_probes_start() and epitaph_probes_stop(). */
void epitaph_hibernate_start(void);
void epitaph_hibernate_stop(void);

#endif /* EPITAPH_CORE_HIBERNATE_H */
