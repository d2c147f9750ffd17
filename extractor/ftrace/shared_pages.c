// SPDX-License-Identifier: GPL-2.0-or-later
#include "shared_pages.h"

#include <stdlib.h>

/* Where sub-buffer @i of ring number @ring is. */
struct place {
	u64 paddr;
	u32 ring;
	u32 i;
};

struct search {
	struct ftrace *ftrace;
	struct ftrace_ring **rings;
	struct place *places;
	u32 nr_rings;
	u32 nr;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->paddr != y->paddr)
		return x->paddr < y->paddr ? -1 : 1;
	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

static void list_ring(struct search *s, struct ftrace_ring *ring)
{
	u64 paddr;
	u32 i;

	for (i = 0; i < ring->nr_subs; i++)
		if (!ring->is_physical && !ring->subs[i].lacks &&
		    vmem_translate(s->ftrace->mem.vmem, ring->subs[i].va, &paddr))
			s->places[s->nr++] = (struct place){ paddr, s->nr_rings, i };
	s->rings[s->nr_rings++] = ring;
}

static bool list_all(struct search *s)
{
	struct ftrace *ftrace = s->ftrace;
	u32 i, k, nr_rings = 0;
	size_t nr = 0;

	for (i = 0; i < ftrace->nr_buffers; i++)
		for (k = 0; k < ftrace->buffers[i].nr_rings; k++, nr_rings++)
			nr += ftrace->buffers[i].rings[k].nr_subs;
	s->places = calloc(nr ? nr : 1, sizeof(*s->places));
	s->rings = calloc(nr_rings ? nr_rings : 1, sizeof(struct ftrace_ring *));
	if (!s->places || !s->rings)
		return false;
	for (i = 0; i < ftrace->nr_buffers; i++)
		for (k = 0; k < ftrace->buffers[i].nr_rings; k++)
			list_ring(s, &ftrace->buffers[i].rings[k]);
	qsort(s->places, s->nr, sizeof(*s->places), by_place);
	return true;
}

/* Marks those that are to go by an address that nothing has.  Return: how many. */
static u32 mark_shared(struct search *s)
{
	u64 end = 0;
	u32 i, nr = 0;

	for (i = 0; i < s->nr; i++) {
		const struct place *place = &s->places[i];
		struct ftrace_ring *ring = s->rings[place->ring];

		if (place->paddr < end) {
			ring->nr_events -= ring->subs[place->i].nr;
			ring->subs[place->i].va = 0;
			nr++;
		} else {
			end = place->paddr + ring->unit;
		}
	}
	return nr;
}

static void drop_marked(struct ftrace_ring *ring)
{
	u32 i, n = 0;

	for (i = 0; i < ring->nr_subs; i++)
		if (ring->subs[i].va || ring->subs[i].lacks)
			ring->subs[n++] = ring->subs[i];
	ring->nr_subs = n;
}

int ftrace_drop_twice(struct ftrace *ftrace, struct err *err)
{
	struct search s = { .ftrace = ftrace };
	bool good = list_all(&s);
	u32 i, nr = good ? mark_shared(&s) : 0;

	for (i = 0; nr && i < s.nr_rings; i++)
		drop_marked(s.rings[i]);
	if (nr)
		damage_notes_add(&ftrace->notes, NOTE_NOWHERE,
				 "ftrace: %u sub-buffers are in its rings more than once, and are read once",
				 nr);
	free(s.places);
	free(s.rings);
	return good ? 0 : err_sys(err, "memory for the places of sub-buffers");
}
