// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A module is removed and leaves its notifier in the chain.  Another module, "dummy", is loaded
 * after that, and the chain is called.
 *
 * pattern: a missing unregister_netdevice_notifier() at the end of a module or in its error path
 * finding: a list of notifiers has an entry in the memory of notifier_left_registered, which was unloaded
 * never: the module "dummy", which was loaded a moment ago; insmod or modprobe; the network code
 * must: ^likely: A function pointer was 0x1, .*raw_notifier_call_chain
 * not: NULL and was called|dummy|insmod
 * modules: dummy
 * guest: insmod /test/notifier-left-registered.ko
 * guest: sleep 1
 * guest: rmmod notifier_left_registered
 * guest: sleep 1
 * guest: load_modules /lib/modules
 */
#include <linux/notifier.h>
#include <linux/netdevice.h>
#include "crash.h"

static int link_event(struct notifier_block *nb, unsigned long event, void *data)
{
	return NOTIFY_DONE;
}

static struct notifier_block link_notifier = { .notifier_call = link_event };

static int __init link_init(void)
{
	return register_netdevice_notifier(&link_notifier);
}

static void __exit link_exit(void)
{
}
module_init(link_init);
module_exit(link_exit);
