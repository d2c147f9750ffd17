// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module looks up a network device and does not give it back.  "ip link delete" (here rmmod of its driver)
 * never comes to its end; the kernel prints "waiting for dummy0 to become free" every ten seconds, and
 * an operator crashes the machine by sysrq.
 *
 * pattern: dev_get_by_name() without dev_put()
 * upstream: the class of "unregister_netdevice: waiting for ... to become free", in syzbot's list at all times
 * finding: the crash was asked for; before it the kernel waited for dummy0, of which a reference is not given back
 * never: a deadlock; rmmod or "dummy" as who holds it; an I/O error
 * must: ^shown: The crash was asked for
 * not: deadlock
 * modules: dummy
 * guest: load_modules /lib/modules
 * guest: sleep 1
 * guest: insmod /test/netdevice-still-held.ko
 * guest: rmmod dummy &
 * guest: sleep 26
 * guest: echo c >/proc/sysrq-trigger
 */
#include <linux/netdevice.h>
#include <net/net_namespace.h>
#include "crash.h"

static noinline int monitor_lookup(const char *name)
{
	struct net_device *dev = dev_get_by_name(&init_net, name);

	if (!dev)
		return -ENODEV;
	return dev->mtu < 68 ? -EINVAL : 0;
}

static int __init monitor_init(void)
{
	return monitor_lookup("dummy0");
}
module_init(monitor_init);
