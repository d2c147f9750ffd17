// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A reference of the kind that counts per CPU is put once too often.  That is noticed much later, in a callback of RCU,
 * in the interrupt of whatever runs.
 *
 * pattern: percpu_ref_put() in an error path that took none
 * upstream: the class of "percpu ref (...) <= 0 (...) after switching to atomic" (nvmet, io_uring, blk-mq)
 * finding: the counter whose release function is port_release() was put too often; who did is not known
 * never: the task that was interrupted; RCU; that port_release() did it
 * must: ^shown: A reference counter is wrong, .*percpu ref \(port_release
 * not: swapper
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/percpu-ref-put-twice.ko
 */
#include <linux/percpu-refcount.h>
#include "crash.h"

static struct percpu_ref users;

static void port_release(struct percpu_ref *ref)
{
}

static noinline int port_send(int len)
{
	if (len > 10) {
		percpu_ref_put(&users);
		return -EMSGSIZE;
	}
	percpu_ref_get(&users);
	percpu_ref_put(&users);
	return 0;
}

static int closer(void *unused)
{
	msleep(1000);
	percpu_ref_kill(&users);
	return 0;
}

static int __init port_init(void)
{
	if (percpu_ref_init(&users, port_release, 0, GFP_KERNEL))
		return -ENOMEM;
	port_send(11);
	port_send(12);
	port_send(1);
	return run_thread(closer, NULL, -1, "closer");
}
module_init(port_init);
