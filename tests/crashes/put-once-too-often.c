// SPDX-License-Identifier: GPL-2.0-only
/*
 * An error path puts a reference that the caller puts as well.  Nothing else touches the object.
 *
 * pattern: refcount underflow in error paths
 * finding: refcount underflow, put by client_close() of this module; panic_on_warn made it fatal
 * never: memory corruption; refcount_warn_saturate() as the culprit
 * must: ^shown: .*client_put\(\) .*underflow
 * not: refcount_warn
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/put-once-too-often.ko
 */
#include <linux/refcount.h>
#include "crash.h"

struct client {
	refcount_t users;
	int fd;
};

static struct client client = { .users = REFCOUNT_INIT(1) };

static noinline int client_put(struct client *c)
{
	if (refcount_dec_and_test(&c->users))
		pr_info("last user gone\n");
	return -EIO;
}

static noinline void client_close(struct client *c)
{
	if (client_put(c))
		client_put(c);
}

static int run(void *unused)
{
	msleep(400);
	client_close(&client);
	return 0;
}

static int __init client_init(void)
{
	return run_thread(run, NULL, -1, "client");
}
module_init(client_init);
