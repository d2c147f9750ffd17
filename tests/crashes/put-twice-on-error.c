// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error path of an open puts a reference twice.  The object is freed while "streamer" uses it on
 * the other CPU; "logger" gets the memory and writes text into it.
 *
 * pattern: the callee's error path and the caller's both put
 * finding: streamer used memory in port_send() that had been freed; by "opener", in port_open()
 * never: "streamer" or "logger" as who freed it; "logger" as the cause
 * must: ^shown: port_send\(\) .*read
 * not: logger|opener
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/put-twice-on-error.ko
 */
#include <linux/refcount.h>
#include "crash.h"

struct port_ops {
	int (*send)(void *port);
	int mtu;
};

struct port {
	refcount_t users;
	int id;
	const struct port_ops *ops;
	u8 state[700];
};

static int send_nothing(void *port)
{
	return 0;
}

static const struct port_ops ops = { .send = send_nothing, .mtu = 1500 };
static struct port *port;

static noinline void port_put(struct port *p)
{
	if (refcount_dec_and_test(&p->users))
		kfree(p);
}

static noinline int port_setup(struct port *p)
{
	port_put(p);
	return -ENODEV;
}

static noinline void port_open(struct port *p)
{
	refcount_inc(&p->users);
	if (port_setup(p))
		port_put(p);
}

static noinline int port_send(struct port *p)
{
	return READ_ONCE(READ_ONCE(p->ops)->mtu);
}

static int streamer(void *unused)
{
	while (!kthread_should_stop()) {
		port_send(port);
		usleep_range(900, 1100);
	}
	return 0;
}

static int opener(void *unused)
{
	msleep(700);
	port_open(port);
	return 0;
}

static int logger(void *unused)
{
	int i;

	msleep(900);
	for (i = 0; i < 400; i++) {
		char *line = kmalloc(sizeof(struct port), GFP_KERNEL);

		if (line)
			memset(line, 'L', sizeof(struct port));
	}
	return 0;
}

static int __init port_init(void)
{
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	refcount_set(&port->users, 1);
	port->ops = &ops;
	run_thread(streamer, NULL, 1, "streamer");
	run_thread(opener, NULL, 0, "opener");
	return run_thread(logger, NULL, 0, "logger");
}
module_init(port_init);
