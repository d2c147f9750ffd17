/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of the sub-buffers of a running ring, from their headers alone. */
#ifndef EPITAPH_LIVE_RING_HEADERS_H
#define EPITAPH_LIVE_RING_HEADERS_H

#include "ring_reader.h"

/* A sub-buffer in use; @prev as in the format. */
struct live_link {
	u64 seq;
	u64 time;
	u32 prev;
	u32 slot;
};

/**
 * struct live_chain - the sub-buffers that the newest one leads to
 * @links: nr of them, the oldest first
 */
struct live_chain {
	struct live_link *links;
	u32 nr;
};

/* False: the ring is empty, or no memory. live_chain_free() is needed in any case. */
bool live_chain_read(struct live_chain *chain, const struct live_ring *ring);
void live_chain_free(struct live_chain *chain);

/* Reads the header of @slot. False: damaged or empty. @in_use: it has an event, or is closed. */
bool live_header(const struct live_ring *ring, u32 slot, struct subbuf *sub, bool *in_use);

#endif
