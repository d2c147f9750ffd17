/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people read of the clock of a trace. */
#ifndef EPITAPH_RECORDING_CLOCK_TEXT_H
#define EPITAPH_RECORDING_CLOCK_TEXT_H

#include "recording.h"

/* "TSC", or its number; valid until the next call. */
const char *text_clock(u32 clock_id);

/* How far the time of an event may be off, as a sentence. */
void text_bound(char *buf, size_t size, const struct recording *recording);

#endif
