/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of the recorder's as a stream. */
#ifndef EPITAPH_STREAM_RING_H
#define EPITAPH_STREAM_RING_H

#include "event/stream.h"
#include "trace.h"

/* @ring is scanned, and must outlive it. */
int stream_ring_new(struct stream **ret, const struct trace_ring *ring, struct err *err);

#endif
