/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several channels may have recorded the same event: ours, an instance of the kernel's own trace,
 * a snapshot. The slices of an export are made from one channel only, or each slice would begin
 * twice: from the channel of the first stream that has such events.
 */
#ifndef EPITAPH_TIMELINE_SLICE_SOURCE_H
#define EPITAPH_TIMELINE_SLICE_SOURCE_H

#include <string.h>

#include "event/stream.h"

/* All zero: no channel is chosen yet. */
struct slice_source {
	const char *channel;
	u32 rank;
};

/* Are slices made from @stream? It becomes the source if it has a lower rank. */
static inline bool is_slice_source(struct slice_source *source, const struct stream *stream)
{
	if (!source->channel || stream->rank < source->rank)
		*source = (struct slice_source){ stream->channel, stream->rank };
	return !strcmp(source->channel, stream->channel);
}

#endif
