// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A reset disables the polling of a queue that its error path has disabled already: the second time waits for ever, asleep
 * for short times, with the configuration's mutex held.  Who waits for the mutex is called hung; the holder never is.
 *
 * pattern: napi_disable() twice
 * upstream: bnxt_en, mt76, ena, virtio_net, mana: napi_disable() of a queue that is disabled
 * finding: "ifquery" waits for port_lock, which "reset" holds; that one sleeps again and again in napi_disable(), called by
 *	port_stop() of this module
 * never: a deadlock; "ifquery" as guilty; the mutex as forgotten; "reset" as ended or as one that uses the CPU
 * must: ^shown: ifquery-[0-9]+ waits .* reset-[0-9]+ holds .*in napi_disable\(\), called by port_
 * not: deadlock
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/napi-disabled-twice.ko
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include "crash.h"

static DEFINE_MUTEX(port_lock);
static struct net_device *port;
static struct napi_struct napi;

static int port_poll(struct napi_struct *n, int budget)
{
	napi_complete_done(n, 0);
	return 0;
}

static noinline void port_stop(void)
{
	napi_disable(&napi);
}

static noinline void port_fail(void)
{
	mutex_lock(&port_lock);
	port_stop();
	mutex_unlock(&port_lock);
}

static int reset(void *unused)
{
	msleep(500);
	port_fail();
	msleep(100);
	port_fail();
	return 0;
}

static int ifquery(void *unused)
{
	for (;;) {
		msleep(300);
		mutex_lock(&port_lock);
		mutex_unlock(&port_lock);
	}
	return 0;
}

static int __init port_init(void)
{
	port = alloc_netdev(0, "port%d", NET_NAME_UNKNOWN, ether_setup);
	if (!port)
		return -ENOMEM;
	netif_napi_add(port, &napi, port_poll);
	napi_enable(&napi);
	run_thread(ifquery, NULL, 1, "ifquery");
	run_thread(reset, NULL, 0, "reset");
	return 0;
}
module_init(port_init);
