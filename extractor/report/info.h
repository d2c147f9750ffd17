/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "epitaph info" says: of one generation, or of a kernel that left no region. */
#ifndef EPITAPH_REPORT_INFO_H
#define EPITAPH_REPORT_INFO_H

#include "timeline/postmortem.h"

/* "event sizes", "unknown (type 99)"; valid until the next call. */
const char *info_section_name(u32 type);

/**
 * struct info_memory - bytes of memory that a container speaks of, and those that it has
 */
struct info_memory {
	u64 all;
	u64 there;
};

struct info_memory info_memory(struct dump *in);

/* Of an account with a trace. */
void info_text(const struct postmortem *pm, const char *path);
void info_json(const struct postmortem *pm, const char *path);

/* Of an account without one: of its kernel, or what is left of its trace. */
void info_kernel_text(const struct postmortem *pm, const char *path);
void info_kernel_json(const struct postmortem *pm, const char *path);

#endif
