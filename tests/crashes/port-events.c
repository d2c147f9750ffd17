// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A callback of an atomic notifier chain waits for RCU readers, and is one itself; two innocents wait for the same grace period.
 *
 * pattern: synchronize_rcu() inside an RCU read-side critical section, three calls down
 * upstream: the class of "synchronize_rcu() in atomic notifier" (bonding/team link events, vrf, netpoll)
 * finding: link-mon deadlocks with itself: atomic_notifier_call_chain() holds rcu_read_lock() (its rcu_read_lock_nesting is 1) and bridge_port_event() -> bridge_detach_rx() calls synchronize_rcu(); no grace period can end.  fdb-ager and `ip` only wait for the same grace period (rtnl is held because of that)
 * never: fdb-ager, ip or rtnl as the cause; a CPU that hangs; that the rcu_preempt thread starves
 * modules: dummy
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: load_modules /lib/modules
 * guest: ip link add dum9 type dummy
 * guest: insmod /test/port-events.ko
 * guest: sleep 5
 * guest: ip link del dum9 &
 */
#include "crash.h"
#include <linux/notifier.h>
#include <linux/rcupdate.h>

#define PORT_UP		1
#define PORT_DOWN	2

struct rx_hook {
	u64 frames;
	struct rcu_head rcu;
};

struct bridge_port {
	char name[16];
	struct rx_hook __rcu *rx;
	struct notifier_block nb;
	u32 ups, downs;
};

static ATOMIC_NOTIFIER_HEAD(port_chain);
static u32 aged;

static noinline void bridge_detach_rx(struct bridge_port *p)
{
	struct rx_hook *rx = rcu_dereference_protected(p->rx, 1);

	RCU_INIT_POINTER(p->rx, NULL);
	synchronize_rcu();
	kfree(rx);
	p->downs++;
}

static int bridge_port_event(struct notifier_block *nb, unsigned long event, void *unused)
{
	struct bridge_port *p = container_of(nb, struct bridge_port, nb);

	if (event == PORT_DOWN && rcu_access_pointer(p->rx))
		bridge_detach_rx(p);
	else if (event == PORT_UP)
		p->ups++;
	return NOTIFY_DONE;
}

static int link_mon(void *unused)
{
	int i;

	for (i = 0; i < 6; i++) {
		atomic_notifier_call_chain(&port_chain, PORT_UP, NULL);
		msleep(500);
	}
	atomic_notifier_call_chain(&port_chain, PORT_DOWN, NULL);
	return 0;
}

static int fdb_ager(void *unused)
{
	for (;;) {
		synchronize_rcu();
		aged++;
		schedule_timeout_idle(HZ / 5);
	}
	return 0;
}

static int __init port_init(void)
{
	struct bridge_port *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	strscpy(p->name, "swp3", sizeof(p->name));
	rcu_assign_pointer(p->rx, kzalloc(sizeof(struct rx_hook), GFP_KERNEL));
	p->nb.notifier_call = bridge_port_event;
	atomic_notifier_chain_register(&port_chain, &p->nb);
	run_thread(fdb_ager, NULL, -1, "fdb-ager");
	return run_thread(link_mon, NULL, -1, "link-mon");
}
module_init(port_init);
