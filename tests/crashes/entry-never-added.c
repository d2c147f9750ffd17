// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object is released before it was put into its list; its list head has zeros.
 *
 * pattern: list_del() in an error path of what was not yet added
 * finding: list_del() of an entry whose pointers are NULL: it was in no list, never or no more; by
 *	client_release() of this module
 * never: damaged neighbours as shown; a use after free as shown
 * must: ^shown: client_release\(\)
 * not: freed
 * guest: insmod /test/entry-never-added.ko
 */
#include "crash.h"

struct client {
	int id;
	struct list_head node;
	char name[60];
};

static noinline void client_release(struct client *c)
{
	list_del(&c->node);
	kfree(c);
}

static int opener(void *unused)
{
	struct client *c = kzalloc(sizeof(*c), GFP_KERNEL);

	msleep(300);
	client_release(c);
	return 0;
}

static int __init client_init(void)
{
	return run_thread(opener, NULL, -1, "opener");
}
module_init(client_init);
