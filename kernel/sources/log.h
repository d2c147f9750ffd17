/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel had logged before it was recorded. */
#ifndef EPITAPH_SOURCES_LOG_H
#define EPITAPH_SOURCES_LOG_H

#include <linux/types.h>

#define EPITAPH_LOG_ALL U64_MAX

/**
 * epitaph_log_start() - nothing is taken in yet
 */
void epitaph_log_start(void);

/**
 * epitaph_log_take() - take the kernel's log in, the newest lines that fit
 * @end: number of the first record that the console records, or
 *	EPITAPH_LOG_ALL: all there are by now
 *
 * Only the first call after epitaph_log_start() does anything.
 *
 * Context: process, or any in which the log may be read; not NMI.
 */
void epitaph_log_take(u64 end);

/**
 * epitaph_log_relate() - what CLOCK_MONOTONIC would have been when the log was taken
 *
 * Of a log that was taken while CLOCK_MONOTONIC counted ticks, and now it is good.
 */
void epitaph_log_relate(void);

#endif /* EPITAPH_SOURCES_LOG_H */
