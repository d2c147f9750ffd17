// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A module leaves its netdevice notifier behind when it is unloaded; the next module that registers a device dies.
 *
 * pattern: notifier not unregistered at module exit; its callback is called in memory that is gone
 * upstream: the class of missing unregister_netdevice_notifier() on exit or error (cxgb, smc, caif, mellanox mlxsw)
 * finding: the netdev notifier chain holds a block whose notifier_call points into the unloaded module netwatch_nb (netwatch_event()); netwatch_exit() did not unregister it.  The task that registers or changes a device (insmod of dummy, or ip) only walks the chain
 * never: dummy, its init or ip as the cause; NULL; a corrupted function pointer; stack corruption
 * modules: dummy
 * guest: insmod /test/netwatch-nb.ko
 * guest: sleep 1
 * guest: rmmod netwatch_nb
 * guest: sleep 3
 * guest: load_modules /lib/modules
 * guest: ip link add dum9 type dummy
 * guest: ip link set lo mtu 60000
 */
#include "crash.h"
#include <linux/netdevice.h>

struct netwatch {
	char name[16];
	u32 events, ups;
	struct notifier_block nb;
	struct timer_list sum_timer;
};

static struct netwatch *watch;
static struct proc_dir_entry *entry;

static int netwatch_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct netwatch *w = container_of(nb, struct netwatch, nb);

	w->events++;
	if (event == NETDEV_UP)
		w->ups++;
	return NOTIFY_DONE;
}

static void netwatch_sum(struct timer_list *t)
{
	struct netwatch *w = from_timer(w, t, sum_timer);

	mod_timer(&w->sum_timer, jiffies + HZ);
}

static int netwatch_set(unsigned int ups)
{
	watch->ups = ups;
	return 0;
}

PROC_NUMBER(netwatch, netwatch_set);

static int __init netwatch_init(void)
{
	watch = kzalloc(sizeof(*watch), GFP_KERNEL);
	if (!watch)
		return -ENOMEM;
	strscpy(watch->name, "netwatch", sizeof(watch->name));
	watch->nb.notifier_call = netwatch_event;
	timer_setup(&watch->sum_timer, netwatch_sum, 0);
	mod_timer(&watch->sum_timer, jiffies + HZ);
	entry = proc_create("netwatch", 0200, NULL, &netwatch_pops);
	return register_netdevice_notifier(&watch->nb);
}
module_init(netwatch_init);

static void __exit netwatch_exit(void)
{
	proc_remove(entry);
	del_timer_sync(&watch->sum_timer);
}
module_exit(netwatch_exit);
