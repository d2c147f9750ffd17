/* SPDX-License-Identifier: GPL-2.0-only */
/* Hibernation. */
#ifndef EPITAPH_CORE_HIBERNATE_H
#define EPITAPH_CORE_HIBERNATE_H

/* Process context; between epitaph_probes_start() and epitaph_probes_stop(). */
void epitaph_hibernate_start(void);
void epitaph_hibernate_stop(void);

#endif /* EPITAPH_CORE_HIBERNATE_H */
