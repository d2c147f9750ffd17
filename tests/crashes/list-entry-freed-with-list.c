// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A listener frees itself without leaving the list; its memory is given out again.  Later its
 * neighbour leaves in an orderly way, and list_del() finds the damage.
 *
 * pattern: list entry freed without list_del(); the neighbour trips over it
 * finding: list corruption, noticed in listener_leave(); the neighbour's links do not lead back:
 *	the neighbour is damaged or freed
 * never: the thread that leaves, or listener_leave(), as the one that broke the list
 * must: ^shown: .*listener_leave\(\) .*found a list
 * not: careful|took an entry
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/list-entry-freed-with-list.ko
 */
#include "crash.h"

struct listener {
	int id;
	struct list_head node;
	u8 state[200];
};

static LIST_HEAD(listeners);
static void *other[1000];

static noinline struct listener *listener_join(int id)
{
	struct listener *l = kzalloc(sizeof(*l), GFP_KERNEL);

	l->id = id;
	list_add_tail(&l->node, &listeners);
	return l;
}

static noinline void listener_leave(struct listener *l)
{
	list_del(&l->node);
	kfree(l);
}

static int careful(void *data)
{
	msleep(600);
	listener_leave(data);
	return 0;
}

static int careless(void *unused)
{
	struct listener *first = listener_join(1), *second = listener_join(2);
	int i;

	listener_join(3);
	run_thread(careful, first, 0, "careful");
	msleep(200);
	kfree(second);
	for (i = 0; i < 1000; i++) {
		other[i] = kmalloc(sizeof(struct listener), GFP_KERNEL);
		memset(other[i], 0x11, sizeof(struct listener));
	}
	return 0;
}

static int __init listener_init(void)
{
	return run_thread(careless, NULL, 0, "careless");
}
module_init(listener_init);
