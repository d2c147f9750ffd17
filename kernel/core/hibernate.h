/* SPDX-License-Identifier: GPL-2.0-only */
/* Hibernation. */
#ifndef EPITAPH_CORE_HIBERNATE_H
#define EPITAPH_CORE_HIBERNATE_H

#include <linux/types.h>

/* What lies in the region now is not ours: what is written there is not found.  Any context. */
bool epitaph_hibernate_lost(void);

/* Process context; between epitaph_probes_start() and epitaph_probes_stop(). */
void epitaph_hibernate_start(void);
void epitaph_hibernate_stop(void);

#endif /* EPITAPH_CORE_HIBERNATE_H */
