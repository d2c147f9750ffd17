/* SPDX-License-Identifier: GPL-2.0-only */
/* The end in order: a mark that says so. */
#ifndef EPITAPH_CRASH_SHUTDOWN_H
#define EPITAPH_CRASH_SHUTDOWN_H

/**
 * epitaph_end_start() - from now on, a restart, a halt or a power-off is marked
 *
 * A panic, an emergency restart (sysrq-b) and a reset are not.
 *
 * Context: process, may sleep.
 */
void epitaph_end_start(void);

/**
 * epitaph_end_stop() - no more
 *
 * Context: process, may sleep; after epitaph_end_start().
 */
void epitaph_end_stop(void);

#endif /* EPITAPH_CRASH_SHUTDOWN_H */
