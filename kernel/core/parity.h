/* SPDX-License-Identifier: GPL-2.0-only */
/* The parity of each page of the generation; docs/parity.md. */
#ifndef EPITAPH_CORE_PARITY_H
#define EPITAPH_CORE_PARITY_H

#define EPITAPH_PARITY_MS	200	/* before a reset, for which memory may be without refresh */

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
 * @ms: what it may take, at about 20 us for each page that changed
 *
 * What is recorded afterwards has no parity.
 *
 * Context: any, NMI included; between start and stop.
 */
void epitaph_parity_finish(unsigned int ms);

#endif /* EPITAPH_CORE_PARITY_H */
