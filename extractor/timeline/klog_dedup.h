/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the kernel's log that the recorder has told already: what it took
 * from the log when it was loaded, and what it saw go to the consoles.  The
 * rule is in docs/kernel-memory.md.
 */
#ifndef EPITAPH_TIMELINE_KLOG_DEDUP_H
#define EPITAPH_TIMELINE_KLOG_DEDUP_H

#include "postmortem.h"

struct klog_dedup;

/**
 * klog_dedup_read() - collect them from the trace of an account and all its streams
 * @ret: for klog_dedup_free(); set only on success
 */
int klog_dedup_read(struct klog_dedup **ret, struct postmortem *pm, struct err *err);

/**
 * klog_dedup_take() - has this line been told?  Each telling counts for one line
 * @time: CLOCK_MONOTONIC, never less than in the call before
 */
bool klog_dedup_take(struct klog_dedup *told, u64 time, const char *text, u32 len);

/* NULL is fine. */
void klog_dedup_free(struct klog_dedup *told);

#endif
