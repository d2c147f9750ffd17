/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metadata of CTF 1.8, in TSDL: what the stream files hold. */
#ifndef EPITAPH_EXPORT_CTF_METADATA_H
#define EPITAPH_EXPORT_CTF_METADATA_H

#include <stdio.h>

#include "exporter.h"

/**
 * ctf_metadata_put() - all of it
 * @used: by number of a class: events of it are in the trace; others are left out
 * @offset: UTC less CLOCK_MONOTONIC, ns; 0: not known
 */
void ctf_metadata_put(FILE *f, const struct exporter *ex, const u8 uuid[16], const bool *used,
		      u64 offset);

/* What stands there of one kind of events, for the end of it. */
void ctf_metadata_event(FILE *f, const struct event_class *class);

#endif
