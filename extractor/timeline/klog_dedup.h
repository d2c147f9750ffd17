/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the kernel's log that the recorder has told already: what it took
 * from the log when it was loaded, and what it saw go to the consoles.  The
 * rule is in docs/kernel-memory.md.
 */
#ifndef EPITAPH_TIMELINE_KLOG_DEDUP_H
#define EPITAPH_TIMELINE_KLOG_DEDUP_H

#include "postmortem.h"

struct told;

/**
 * told_read() - collect them from the trace of an account and all its streams
 * @ret: for told_free(); set only on success
 */
int told_read(struct told **ret, struct account *account, struct err *err);

/**
 * told_take() - has this line been told?  Each telling counts for one line
 * @time: CLOCK_MONOTONIC, never less than in the call before
 */
bool told_take(struct told *told, u64 time, const char *text, u32 len);

/* NULL is fine. */
void told_free(struct told *told);

#endif
