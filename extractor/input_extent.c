// SPDX-License-Identifier: GPL-2.0-or-later
#include "input_extent.h"

#include <stdlib.h>

void extents_free(struct extents *x)
{
	free(x->e);
	*x = (struct extents){ 0 };
}

bool extents_add(struct extents *x, u64 paddr, u64 size, u64 off)
{
	if (!size)
		return true;
	if (x->nr == x->room) {
		size_t room = x->room ? 2 * x->room : 64;
		void *p = reallocarray(x->e, room, sizeof(*x->e));

		if (!p)
			return false;
		x->e = p;
		x->room = room;
	}
	x->e[x->nr++] = (struct extent){ paddr, size, off };
	return true;
}

/* By address; of two at the same address the larger first, as the other is within it. */
static int extent_cmp(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	if (x->paddr != y->paddr)
		return x->paddr < y->paddr ? -1 : 1;
	return x->size == y->size ? 0 : x->size > y->size ? -1 : 1;
}

void extents_sort(struct extents *x)
{
	size_t nr = 0;
	u64 end = 0;

	if (x->nr)
		qsort(x->e, x->nr, sizeof(*x->e), extent_cmp);
	for (size_t i = 0; i < x->nr; i++) {
		struct extent e = x->e[i];
		u64 cut = e.paddr < end ? end - e.paddr : 0;

		if (cut >= e.size)
			continue;
		x->e[nr++] = (struct extent){ e.paddr + cut, e.size - cut, e.off + cut };
		end = e.paddr + e.size;
	}
	x->nr = nr;
}

size_t extents_find(const struct extents *x, u64 paddr)
{
	size_t lo = 0, hi = x->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (x->e[mid].paddr + x->e[mid].size > paddr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

u64 extents_room(const struct extents *x, size_t i, u64 paddr)
{
	if (i == x->nr || x->e[i].paddr > paddr)
		return 0;
	return x->e[i].size - (paddr - x->e[i].paddr);
}
