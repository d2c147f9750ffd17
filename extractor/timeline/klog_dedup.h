/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the kernel's log that a recording has as well: those that the recorder copied from the
 * log when it was loaded, and those that it recorded on their way to the consoles. The rule for
 * "the same line" is in docs/kernel-memory.md.
 */
#ifndef EPITAPH_TIMELINE_KLOG_DEDUP_H
#define EPITAPH_TIMELINE_KLOG_DEDUP_H

#include "postmortem.h"

struct klog_dedup;

/**
 * klog_dedup_read() - collect the lines of @pm->recording and of all streams
 * @ret: for klog_dedup_free(); set only on success
 */
int klog_dedup_read(struct klog_dedup **ret, struct postmortem *pm, struct err *err);

/**
 * klog_dedup_take() - does the recording have this line? Each line of it answers once
 * @time: CLOCK_MONOTONIC, never less than in the call before
 */
bool klog_dedup_take(struct klog_dedup *dedup, u64 time, const char *text, u32 len);

/* @dedup may be NULL. */
void klog_dedup_free(struct klog_dedup *dedup);

#endif
