// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Module dummy of the kernel is loaded 100 ms before this one, loaded long ago, follows a
 * pointer that it cleared too early.
 *
 * pattern: coincidence of a module's load and another's fault
 * finding: NULL pointer in drain_queue() of this module
 * never: module dummy, as more than an aside
 * must: ^shown: .*drain_queue\(\) .*NULL
 * not: dummy
 * modules: dummy
 * guest: insmod /test/module-just-loaded.ko
 * guest: sleep 2
 * guest: load_modules /lib/modules
 * guest: echo 1 >/sys/module/module_just_loaded/parameters/closed
 */
#include "crash.h"

struct queue {
	int length;
	int id;
	long bytes;
};

static struct queue *queue;
static bool closed;
module_param(closed, bool, 0600);

static noinline long drain_queue(struct queue **q)
{
	return READ_ONCE(READ_ONCE(*q)->bytes);
}

static int drainer(void *unused)
{
	for (;;) {
		msleep(50);
		if (READ_ONCE(closed))
			WRITE_ONCE(queue, NULL);
		drain_queue(&queue);
	}
	return 0;
}

static int __init queue_init(void)
{
	queue = kzalloc(sizeof(*queue), GFP_KERNEL);
	return run_thread(drainer, NULL, -1, "drainer");
}
module_init(queue_init);
