// SPDX-License-Identifier: GPL-2.0-only
/*
 * A callback of a notifier chain takes itself off the chain, which waits for all callbacks to end: for itself.
 *
 * pattern: blocking_notifier_chain_unregister() within the callback
 * upstream: the class of self-deadlocks in reboot and PM notifiers
 * finding: announcer waits in down_write() for the chain's rwsem, which it holds for reading itself; on_policy() asked for it
 * never: "subscriber", which waits for the same rwsem and holds nothing; I/O
 * must: ^likely: announcer-[0-9]+ waits for itself: on_policy\(\)
 * region: ^likely: announcer-[0-9]+ waits for itself: on_policy\(\)
 * not: subscriber-[0-9]+ (waits for itself|holds)
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/notifier-unregisters-itself.ko
 */
#include <linux/notifier.h>
#include "crash.h"

static BLOCKING_NOTIFIER_HEAD(policy_chain);

static noinline int on_policy(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event == 1)
		blocking_notifier_chain_unregister(&policy_chain, nb);
	return NOTIFY_DONE;
}

static int on_other(struct notifier_block *nb, unsigned long event, void *data)
{
	return NOTIFY_DONE;
}

static struct notifier_block policy = { .notifier_call = on_policy };
static struct notifier_block other = { .notifier_call = on_other };

static int announcer(void *unused)
{
	msleep(200);
	blocking_notifier_call_chain(&policy_chain, 0, NULL);
	msleep(200);
	blocking_notifier_call_chain(&policy_chain, 1, NULL);
	return 0;
}

static int subscriber(void *unused)
{
	msleep(800);
	blocking_notifier_chain_register(&policy_chain, &other);
	return 0;
}

static int __init policy_init(void)
{
	blocking_notifier_chain_register(&policy_chain, &policy);
	run_thread(subscriber, NULL, 1, "subscriber");
	return run_thread(announcer, NULL, 0, "announcer");
}
module_init(policy_init);
