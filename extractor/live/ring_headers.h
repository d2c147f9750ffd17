/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sub-buffers of a ring that is written to, by their headers alone. */
#ifndef EPITAPH_LIVE_RING_HEADERS_H
#define EPITAPH_LIVE_RING_HEADERS_H

#include "ring_reader.h"

/* One that was in use when it was looked at; @prev as in the format. */
struct live_link {
	u64 seq;
	u64 time;
	u32 prev;
	u32 slot;
};

/**
 * struct live_chain - from the newest as far back as it goes
 * @links: nr of them, the oldest first
 */
struct live_chain {
	struct live_link *links;
	u32 nr;
};

/* False: there is none, or no memory.  live_chain_free() is needed afterwards in any case. */
bool live_chain_read(struct live_chain *chain, const struct live_ring *ring);
void live_chain_free(struct live_chain *chain);

/* The header of @slot, if it holds; @in_use: something is behind it. */
bool live_header(const struct live_ring *ring, u32 slot, struct subbuf *sub, bool *in_use);

#endif
