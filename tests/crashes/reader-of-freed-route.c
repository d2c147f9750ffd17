// SPDX-License-Identifier: GPL-2.0-only
/*
 * A route is freed at once by its writer, while a reader under rcu_read_lock() still holds it.
 *
 * pattern: kfree() where kfree_rcu() is needed
 * finding: route_send() used a pointer read from memory that was freed (by "writer", of this module)
 * never: the reader as the one that freed; NULL; hardware
 * must: ^shown: .*route_send\(\)
 * not: NULL|text
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/reader-of-freed-route.ko
 */
#include "crash.h"

struct gateway {
	int hops;
};

struct route {
	struct gateway *gateway;
	u8 key[120];
};

static struct route __rcu *route;
static struct gateway gateway;
static void *other[1000];

static noinline int route_send(struct route *r)
{
	return READ_ONCE(READ_ONCE(r->gateway)->hops);
}

static int reader(void *unused)
{
	struct route *r;

	msleep(100);
	rcu_read_lock();
	r = rcu_dereference(route);
	mdelay(400);
	route_send(r);
	rcu_read_unlock();
	return 0;
}

static int writer(void *unused)
{
	struct route *old;
	int i;

	msleep(250);
	old = rcu_dereference_protected(route, 1);
	rcu_assign_pointer(route, NULL);
	kfree(old);
	for (i = 0; i < 1000; i++) {
		other[i] = kmalloc(sizeof(*old), GFP_KERNEL);
		memset(other[i], 0x5b, sizeof(*old));
	}
	return 0;
}

static int __init route_init(void)
{
	struct route *r = kzalloc(sizeof(*r), GFP_KERNEL);

	r->gateway = &gateway;
	rcu_assign_pointer(route, r);
	run_thread(reader, NULL, 0, "reader");
	return run_thread(writer, NULL, 1, "writer");
}
module_init(route_init);
