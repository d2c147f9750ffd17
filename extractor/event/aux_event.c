// SPDX-License-Identifier: GPL-2.0-or-later
#include "aux_event.h"

#include <stdlib.h>

int extras_add(struct extras *extras, const struct extra *extra, struct err *err)
{
	if (extras->nr == extras->room) {
		u32 room = extras->room ? 2 * extras->room : 64;
		void *p = reallocarray(extras->list, room, sizeof(*extras->list));

		if (!p)
			return err_sys(err, "memory for %u entries of the timeline", room);
		extras->list = p;
		extras->room = room;
	}
	extras->list[extras->nr] = *extra;
	extras->list[extras->nr].order = extras->nr;
	extras->nr++;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct extra *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void extras_sort(struct extras *extras)
{
	if (extras->nr)
		qsort(extras->list, extras->nr, sizeof(*extras->list), by_time);
}

void extras_free(struct extras *extras)
{
	free(extras->list);
	*extras = (struct extras){ 0 };
}
