/* SPDX-License-Identifier: GPL-2.0-only */
/* Who holds what a hung task waits for, into the kernel's log: docs/hung-owner.md. */
#ifndef EPITAPH_SOURCES_HANG_H
#define EPITAPH_SOURCES_HANG_H

/**
 * epitaph_hang_start() - from now on, the log says so of each task that the kernel finds hung
 *
 * Nothing on a kernel that says it itself, or that does not look for hung tasks.
 *
 * Context: process, may sleep.
 */
void epitaph_hang_start(void);

/**
 * epitaph_hang_stop() - no more
 *
 * Context: process, may sleep.
 */
void epitaph_hang_stop(void);

#endif /* EPITAPH_SOURCES_HANG_H */
