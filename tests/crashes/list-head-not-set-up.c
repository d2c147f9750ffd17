// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object is made by kzalloc(), and INIT_LIST_HEAD() of its list is forgotten.
 *
 * pattern: a missing INIT_LIST_HEAD()
 * upstream: the class of "initialize list before use" in probe functions
 * finding: group_add() added to a list whose head is zero: it was never set up (or cleared)
 * never: a freed object; that an entry was removed or added twice; the entry as damaged
 * must: ^shown: group_add\(\) .*head of the list was never set up
 * not: freed
 * guest: insmod /test/list-head-not-set-up.ko
 */
#include "crash.h"

struct group {
	int id;
	struct list_head members;
};

struct member {
	struct list_head entry;
};

static noinline void group_add(struct group *g, struct member *m)
{
	list_add_tail(&m->entry, &g->members);
}

static int __init group_init(void)
{
	struct group *g = kzalloc(sizeof(*g), GFP_KERNEL);
	struct member *m = kzalloc(sizeof(*m), GFP_KERNEL);

	group_add(g, m);
	return 0;
}
module_init(group_init);
