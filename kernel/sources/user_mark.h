/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/epitaph-mark: what applications have to say.  docs/control.md is its ABI. */
#ifndef EPITAPH_SOURCES_USER_MARK_H
#define EPITAPH_SOURCES_USER_MARK_H

#include <linux/types.h>

/**
 * epitaph_user_marks_start() - the device appears
 *
 * If it cannot, the log says so, and the recorder does without.
 *
 * Context: process, may sleep; after epitaph_formats_init().
 */
void epitaph_user_marks_start(void);

/**
 * epitaph_user_marks_stop() - and goes
 *
 * Context: process, may sleep; before epitaph_formats_exit().
 */
void epitaph_user_marks_stop(void);

struct epitaph_ring;

/* The channel's one ring; it is there also if the device is not. */
const struct epitaph_ring *epitaph_user_ring(void);

#endif /* EPITAPH_SOURCES_USER_MARK_H */
