/* SPDX-License-Identifier: GPL-2.0-only */
/* The parity of each page of the generation; docs/parity.md. */
#ifndef EPITAPH_CORE_PARITY_H
#define EPITAPH_CORE_PARITY_H

/**
 * epitaph_parity_start() - make the parity of all pages, and keep it
 *
 * Without memory or a thread the region stays without parity, and the log says so.
 *
 * Context: process, may sleep; after epitaph_rings_start().
 */
void epitaph_parity_start(void);

/* Context: process, may sleep.  Also if it did not start. */
void epitaph_parity_stop(void);

/**
 * epitaph_parity_finish() - what changed since the last second, on the way down
 *
 * Takes at most 20 ms.  What is recorded afterwards has no parity.
 *
 * Context: any, NMI included; between start and stop.
 */
void epitaph_parity_finish(void);

#endif /* EPITAPH_CORE_PARITY_H */
