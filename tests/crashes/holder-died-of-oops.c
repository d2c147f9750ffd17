// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Thread "updater" dies of a NULL pointer with a mutex held, and the kernel goes on.  "monitor" and
 * "client" wait for the mutex for ever.  After an oops the kernel reports no hung tasks; a script notices that
 * nothing goes on, and lets the machine crash by sysrq-c.
 *
 * pattern: a task that oopses keeps its locks for ever
 * finding: the crash was asked for by "sh"; before that, updater had died of a NULL pointer in config_apply(), and
 *	what waits since then waits for its mutex
 * never: a deadlock; "monitor" or "client" as the cause; sh or sysrq as the fault that the machine had
 * must: ^shown: .*task init-[0-9]+ wrote "c"
 * not: keyboard|deadlock
 * guest: echo 0 >/proc/sys/kernel/panic_on_oops
 * guest: insmod /test/holder-died-of-oops.ko
 * guest: sleep 8
 * guest: echo c >/proc/sysrq-trigger
 */
#include "crash.h"

struct config {
	int version;
	char name[60];
	u64 limit;
};

static DEFINE_MUTEX(config_lock);
static struct config *config;

static noinline u64 config_apply(struct config *c)
{
	return c->limit + 1;
}

static int updater(void *unused)
{
	msleep(300);
	mutex_lock(&config_lock);
	pr_info("limit %llu\n", config_apply(UNKNOWN(config)));
	mutex_unlock(&config_lock);
	return 0;
}

static noinline void monitor_poll(void)
{
	mutex_lock(&config_lock);
	mutex_unlock(&config_lock);
}

static int monitor(void *unused)
{
	msleep(1000);
	monitor_poll();
	return 0;
}

static int client(void *unused)
{
	msleep(1500);
	monitor_poll();
	return 0;
}

static int __init config_init(void)
{
	run_thread(updater, NULL, -1, "updater");
	run_thread(monitor, NULL, -1, "monitor");
	return run_thread(client, NULL, -1, "client");
}
module_init(config_init);
