/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of the recorder as a stream. */
#ifndef EPITAPH_RECORDING_STREAM_H
#define EPITAPH_RECORDING_STREAM_H

#include "event/stream.h"
#include "recording.h"

/* @ring must be scanned, and must outlive @ret. */
int stream_ring_new(struct stream **ret, const struct recording_ring *ring, struct err *err);

/* As @begin of the stream, at sub-buffer @i of the scan. */
int stream_ring_begin_at(struct stream *stream, u32 i, struct err *err);

/* The sub-buffer of what it stands at. */
u32 stream_ring_at(const struct stream *stream);

#endif
