// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  No entry of the list fits; the loop's cursor is then no entry, but what lies around the list's head: its pointer is the
 * text beside it.
 *
 * pattern: the cursor of list_for_each_entry() used behind the loop
 * upstream: the class of "fix usage of list iterator after the loop" of 2022, treewide
 * finding: route_find() used a pointer that is text; where it came from is not known
 * never: a freed entry; that the list is damaged; NULL
 * must: ^shown: route_find\(\) .*is the text
 * not: freed
 * guest: insmod /test/cursor-behind-list.ko
 */
#include "crash.h"

struct gate {
	u64 hops;
};

struct route {
	struct list_head entry;
	struct gate *gate;
	int id;
};

static struct {
	struct list_head routes;
	char name[24];
} table = { LIST_HEAD_INIT(table.routes), "main table of routes" };

static struct gate gate;
static struct route first = { .gate = &gate, .id = 1 };

static noinline u64 route_find(int id)
{
	struct route *r;

	list_for_each_entry(r, &table.routes, entry)
		if (r->id == id)
			break;
	return READ_ONCE(r->gate->hops);
}

static int __init route_init(void)
{
	list_add(&first.entry, &table.routes);
	route_find(1);
	return route_find(2);
}
module_init(route_init);
