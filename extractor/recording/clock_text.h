/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of a recording in words. */
#ifndef EPITAPH_RECORDING_CLOCK_TEXT_H
#define EPITAPH_RECORDING_CLOCK_TEXT_H

#include "recording.h"

/* The name of a clock, "TSC", or its number; valid until the next call. */
const char *text_clock(u32 clock_id);

/* The error bound of the times of events, as a sentence. */
void text_bound(char *buf, size_t size, const struct recording *recording);

/* "1.234 ms", "5 ns" */
void text_distance(char *buf, size_t size, u64 ns);

/* "CPU 1 was 1.000 ms ahead (within 412 ns)" */
void text_skew(char *buf, size_t size, const struct clock *clock, const struct skew_entry *entry);

#endif
