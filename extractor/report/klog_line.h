/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of the kernel's log as an event. */
#ifndef EPITAPH_REPORT_KLOG_LINE_H
#define EPITAPH_REPORT_KLOG_LINE_H

#include "base/json.h"
#include "recording/klog.h"

/* "log: <6>text", escaped. */
void klog_text(FILE *f, const struct klog_line *line);

/* Key and object. */
void klog_fields(struct json *j, const char *key, const struct klog_line *line);

#endif
