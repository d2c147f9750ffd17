// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lookup sleeps between rcu_read_lock() and rcu_read_unlock(), as the function that it calls waits for
 * an answer.
 *
 * pattern: a callee that began to sleep, with a caller in an RCU section; found by syzbot often
 * finding: a task slept inside an RCU section: "resolver", in route_lookup() of this module, by ask_peer()
 * never: RCU or the scheduler as broken; use after free; the completion or timer it slept with
 * must: ^shown: .*called by ask_peer\(\) .*Voluntary context switch within RCU
 * not: freed
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/sleep-in-rcu-section.ko
 */
#include <linux/rcupdate.h>
#include "crash.h"

static noinline int ask_peer(void)
{
	msleep(20);
	return 1;
}

static noinline int route_lookup(void)
{
	int ret;

	rcu_read_lock();
	ret = ask_peer();
	rcu_read_unlock();
	return ret;
}

static int resolver(void *unused)
{
	msleep(300);
	pr_info("route %d\n", route_lookup());
	return 0;
}

static int __init route_init(void)
{
	return run_thread(resolver, NULL, -1, "resolver");
}
module_init(route_init);
