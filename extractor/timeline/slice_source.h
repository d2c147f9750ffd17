/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thing may be recorded in several channels: in ours, in an instance of the
 * kernel's own trace, in a snapshot.  Slices are made of what one of them says,
 * the first that has it in the order of streams: else each would begin twice.
 */
#ifndef EPITAPH_TIMELINE_SLICE_SOURCE_H
#define EPITAPH_TIMELINE_SLICE_SOURCE_H

#include <string.h>

#include "event/stream.h"

/* All zero: nobody yet. */
struct slice_source {
	const char *channel;
	u32 rank;
};

/* Is @stream of the channel that says it?  It is from now on, if it goes before that. */
static inline bool is_slice_source(struct slice_source *leader, const struct stream *stream)
{
	if (!leader->channel || stream->rank < leader->rank)
		*leader = (struct slice_source){ stream->channel, stream->rank };
	return !strcmp(leader->channel, stream->channel);
}

#endif
