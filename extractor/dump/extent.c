// SPDX-License-Identifier: GPL-2.0-or-later
#include "extent.h"

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

/* --- the last one stays -------------------------------------------------- */

/* Those that have bytes where the sweep is, the one of the largest @off on top. */
struct heap {
	const struct extent *e;
	u32 *item;
	size_t nr;
};

static bool is_later(const struct heap *h, size_t a, size_t b)
{
	return h->e[h->item[a]].off > h->e[h->item[b]].off;
}

static void swap_items(struct heap *h, size_t a, size_t b)
{
	u32 item = h->item[a];

	h->item[a] = h->item[b];
	h->item[b] = item;
}

static void heap_push(struct heap *h, u32 item)
{
	size_t i = h->nr++;

	h->item[i] = item;
	for (; i && is_later(h, i, (i - 1) / 2); i = (i - 1) / 2)
		swap_items(h, i, (i - 1) / 2);
}

static void heap_pop(struct heap *h)
{
	size_t i = 0, child;

	h->item[0] = h->item[--h->nr];
	while ((child = 2 * i + 1) < h->nr) {
		if (child + 1 < h->nr && is_later(h, child + 1, child))
			child++;
		if (!is_later(h, child, i))
			break;
		swap_items(h, i, child);
		i = child;
	}
}

static u64 extent_end(const struct extent *e)
{
	return e->paddr + e->size;
}

/* Append, or lengthen the last one. */
static bool extents_append(struct extents *to, u64 paddr, u64 size, u64 off)
{
	struct extent *last = to->nr ? &to->e[to->nr - 1] : NULL;

	if (!last || extent_end(last) != paddr || last->off + last->size != off)
		return extents_add(to, paddr, size, off);
	last->size += size;
	return true;
}

/* From each place where one begins or ends to the next. */
static bool sweep(const struct extents *x, struct heap *h, struct extents *to)
{
	u64 pos = 0, next;

	for (size_t i = 0; i < x->nr || h->nr; pos = next) {
		const struct extent *top;

		while (i < x->nr && (x->e[i].paddr <= pos || !h->nr)) {
			pos = h->nr ? pos : x->e[i].paddr;
			heap_push(h, i++);
		}
		top = &x->e[h->item[0]];
		next = extent_end(top);
		if (i < x->nr && x->e[i].paddr < next)
			next = x->e[i].paddr;
		if (next > pos && !extents_append(to, pos, next - pos, top->off + (pos - top->paddr)))
			return false;
		while (h->nr && extent_end(&x->e[h->item[0]]) <= next)
			heap_pop(h);
	}
	return true;
}

bool extents_sort_last(struct extents *x)
{
	struct extents to = { 0 };
	struct heap h;
	size_t i = 1;
	bool ok;

	if (x->nr)
		qsort(x->e, x->nr, sizeof(*x->e), extent_cmp);
	while (i < x->nr && extent_end(&x->e[i - 1]) <= x->e[i].paddr)
		i++;
	if (i >= x->nr)
		return true;
	h = (struct heap){ .e = x->e, .item = malloc(x->nr * sizeof(*h.item)) };
	ok = h.item && sweep(x, &h, &to);
	free(h.item);
	extents_free(ok ? x : &to);
	if (ok)
		*x = to;
	return ok;
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
