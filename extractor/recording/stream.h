/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of the recorder as a stream. */
#ifndef EPITAPH_RECORDING_STREAM_H
#define EPITAPH_RECORDING_STREAM_H

#include "event/stream.h"
#include "recording.h"

/* @ring must be scanned, and must outlive @ret. */
int stream_ring_new(struct stream **ret, const struct recording_ring *ring, struct err *err);

#endif
