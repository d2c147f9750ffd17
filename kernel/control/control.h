/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/epitaph-control: commands for a running recorder.  docs/control.md is its ABI. */
#ifndef EPITAPH_CONTROL_CONTROL_H
#define EPITAPH_CONTROL_CONTROL_H

/**
 * epitaph_control_start() - the device appears
 *
 * If it cannot, the log says so, and the recorder does without.
 *
 * Context: process, may sleep; after epitaph_probes_start().
 */
void epitaph_control_start(void);

/**
 * epitaph_control_settle() - what is under way has ended, and what comes finds what is so now
 *
 * Context: process, may sleep; behind epitaph_lose(), or when epitaph_hibernates() has begun.
 */
void epitaph_control_settle(void);

/**
 * epitaph_control_stop() - unregister the device; it must not be open
 *
 * Context: process, may sleep; before epitaph_probes_stop().
 */
void epitaph_control_stop(void);

#endif /* EPITAPH_CONTROL_CONTROL_H */
