// SPDX-License-Identifier: GPL-2.0-or-later
#include "aux_event.h"

#include <stdlib.h>

int aux_events_add(struct aux_events *extras, const struct aux_event *extra, struct err *err)
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
	const struct aux_event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void aux_events_sort(struct aux_events *extras)
{
	if (extras->nr)
		qsort(extras->list, extras->nr, sizeof(*extras->list), by_time);
}

void aux_events_free(struct aux_events *extras)
{
	free(extras->list);
	*extras = (struct aux_events){ 0 };
}
