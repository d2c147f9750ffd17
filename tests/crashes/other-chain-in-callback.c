// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A callback of one chain of notifiers leaves another chain, and waits for a callback of that one, which waits for its
 * device for ever.
 *
 * pattern: a callback that takes another lock
 * finding: "announcer" waits for the rwsem of link_chain, which "linker" reads, in on_link(), and sleeps there
 * never: that announcer waits for itself; a deadlock
 * not: ^(shown|likely): .*(waits for itself|deadlock)
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/other-chain-in-callback.ko
 */
#include <linux/notifier.h>
#include "crash.h"

static BLOCKING_NOTIFIER_HEAD(policy_chain);
static BLOCKING_NOTIFIER_HEAD(link_chain);

static int on_other(struct notifier_block *nb, unsigned long event, void *data)
{
	return NOTIFY_DONE;
}

static noinline int on_link(struct notifier_block *nb, unsigned long event, void *data)
{
	for (;;)
		msleep_interruptible(200);
	return NOTIFY_DONE;
}

static struct notifier_block link = { .notifier_call = on_link };
static struct notifier_block other = { .notifier_call = on_other };

static noinline int on_policy(struct notifier_block *nb, unsigned long event, void *data)
{
	blocking_notifier_chain_unregister(&link_chain, &other);
	return NOTIFY_DONE;
}

static struct notifier_block policy = { .notifier_call = on_policy };

static int announcer(void *unused)
{
	msleep(600);
	blocking_notifier_call_chain(&policy_chain, 1, NULL);
	return 0;
}

static int linker(void *unused)
{
	msleep(200);
	blocking_notifier_call_chain(&link_chain, 1, NULL);
	return 0;
}

static int __init policy_init(void)
{
	blocking_notifier_chain_register(&policy_chain, &policy);
	blocking_notifier_chain_register(&link_chain, &link);
	blocking_notifier_chain_register(&link_chain, &other);
	run_thread(linker, NULL, 1, "linker");
	return run_thread(announcer, NULL, 0, "announcer");
}
module_init(policy_init);
