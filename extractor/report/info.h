/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "epitaph info": of one generation, or of a dump without a region. */
#ifndef EPITAPH_REPORT_INFO_H
#define EPITAPH_REPORT_INFO_H

#include <stdio.h>

#include "timeline/postmortem.h"

/* Begin a line for people; "" goes on with the key of the line before. */
static inline void info_key(const char *key)
{
	printf("%-12s ", key);
}

/* " from 1.5 to 2.5"; ns of CLOCK_MONOTONIC. */
void info_span(u64 first, u64 last);

void info_debuginfo(const struct postmortem *pm);

/* What is damaged; if nothing is: what the file lacks elsewhere. */
void info_damage(const struct damage_notes *notes, struct dump *dump);

/* "event sizes", "unknown (type 99)"; valid until the next call. */
const char *info_section_name(u32 type);

/**
 * struct info_memory - memory of the machine in a dump
 * @all: bytes that the container describes
 * @there: bytes that it holds
 */
struct info_memory {
	u64 all;
	u64 there;
};

struct info_memory info_memory(struct dump *dump);

/* @pm has a recording. */
void info_text(struct postmortem *pm, const char *path);
void info_json(struct postmortem *pm, const char *path);

/* @pm has none: print its kernel, or what is left of the kernel's trace. */
void info_kernel_text(struct postmortem *pm, const char *path);
void info_kernel_json(struct postmortem *pm, const char *path);

struct json;

/* The virtual machines of a host; what of them is damaged is added to the postmortem's notes. */
void info_guests_text(struct postmortem *pm);
void info_guests_json(struct json *j, struct postmortem *pm);

/* Lines on the file, its kernel and the crash. */
void info_dump_head(const struct postmortem *pm, const char *path);

/*
 * Tasks, their stacks and what they wait for; what of them is damaged is added to the postmortem's
 * notes.
 */
int info_stacks_text(struct postmortem *pm, const char *path, struct err *err);
int info_stacks_json(struct postmortem *pm, const char *path, struct err *err);

#endif
