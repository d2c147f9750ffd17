/* SPDX-License-Identifier: GPL-2.0-only */
/* Dirty cache lines go to memory before a reset can lose them. */
#ifndef EPITAPH_CORE_FLUSH_H
#define EPITAPH_CORE_FLUSH_H

/**
 * epitaph_flush() - write back what this generation has in the caches
 *
 * It stays readable, and what is written meanwhile stays in the caches.
 *
 * Context: any, NMI included.
 */
void epitaph_flush(void);

/**
 * epitaph_flush_start() - do so at the end of a panic and in an emergency restart
 *
 * Not on the way into a capture kernel, which finds the caches as they are.
 *
 * Context: process, may sleep.
 */
void epitaph_flush_start(void);

/**
 * epitaph_flush_stop() - no more
 *
 * Context: process, may sleep; after epitaph_flush_start().
 */
void epitaph_flush_stop(void);

#endif /* EPITAPH_CORE_FLUSH_H */
