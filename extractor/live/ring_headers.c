// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_headers.h"

#include <stdlib.h>
#include <string.h>

/* A header, and the word behind it. */
struct header_and_word {
	struct epitaph_sub raw;
	u32 word;
};

bool live_header(const struct live_ring *ring, u32 slot, struct subbuf *sub, bool *in_use)
{
	u64 off = (u64)slot * ring->place.unit;
	struct header_and_word b;
	size_t size = sizeof(b.raw) + sizeof(b.word);

	if (generation_read(ring->walk.recording->generation, ring->place.off + off, &b, size, NULL) !=
	    (ssize_t)size)
		return false;
	subbuf_header(sub, &b, ring->place.unit, ring->walk.recording->generation->hdr.salt, off);
	/* A move closes a sub-buffer that has no event yet: others follow it. */
	*in_use = b.word || sub->closed || subbuf_has_sum(sub, &b, &ring->walk.recording->ids);
	return sub->state == SUBBUF_GOOD;
}

static int compare_link_seq(const void *a, const void *b)
{
	const struct live_link *x = a, *y = b;

	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Keeps the links that the newest one leads to. Collects them at the end, then moves them. */
static void keep_chain(struct live_chain *chain)
{
	u32 i = chain->nr, first = chain->nr;
	u32 want = 0;

	while (i-- > 0) {
		if (first < chain->nr && (u32)chain->links[i].seq != want)
			continue;
		chain->links[--first] = chain->links[i];
		want = chain->links[first].prev;
		if (!want)
			break;
	}
	chain->nr -= first;
	memmove(chain->links, chain->links + first, chain->nr * sizeof(*chain->links));
}

bool live_chain_read(struct live_chain *chain, const struct live_ring *ring)
{
	u32 i, n = ring->place.size / ring->place.unit;
	struct subbuf sub;
	bool in_use;

	chain->nr = 0;
	chain->links = calloc(n, sizeof(*chain->links));
	if (!chain->links)
		return false;
	for (i = 0; i < n; i++)
		if (live_header(ring, i, &sub, &in_use) && in_use)
			chain->links[chain->nr++] =
				(struct live_link){ sub.seq, sub.time, sub.prev, i };
	if (chain->nr)
		qsort(chain->links, chain->nr, sizeof(*chain->links), compare_link_seq);
	keep_chain(chain);
	return chain->nr;
}

void live_chain_free(struct live_chain *chain)
{
	free(chain->links);
}
