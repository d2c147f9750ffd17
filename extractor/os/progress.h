/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far something is that takes longer than a second, on a terminal: one line
 * that is gone when it is over.
 */
#ifndef EPITAPH_OS_PROGRESS_H
#define EPITAPH_OS_PROGRESS_H

#include "base/types.h"

/**
 * progress_choose() - from now on, show progress on a terminal
 * @fd: of a terminal
 * @printing: also while events are written: they do not go to that terminal
 *
 * Until then, and in other programs, progress() does nothing.
 */
void progress_choose(int fd, bool printing);

/* From now on, show none: another process does. */
void progress_leave(void);

/* Gets progress() of this thread, ten times a second at most. */
typedef void progress_fn(void *arg, const char *what, u64 done, u64 total);

/* From now on, progress of this thread goes to @fn; NULL: progress is dropped. */
void progress_call(progress_fn *fn, void *arg);

/* @what, a constant, is at @done of @total; @total 0: unknown, and @done is in bytes. */
void progress(const char *what, u64 done, u64 total);

/* The same, of events that are written. */
void progress_printing(u64 done, u64 total);

/* It is over, or something else is to be written: the line goes. */
void progress_end(void);

#endif
