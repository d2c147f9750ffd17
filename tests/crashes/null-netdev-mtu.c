// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver looks a network device up by name and does not check the answer.
 *
 * pattern: missing NULL check behind dev_get_by_index() and its like
 * upstream: CVE-2026-31422, net/sched: cls_flow: q of a shared block is NULL
 * finding: NULL pointer, in tunnel_mtu(), field mtu of struct net_device (BTF knows it)
 * never: dev_get_by_name(), which answered correctly; freed memory
 * must: ^shown: .*tunnel_mtu\(\) .*0x[0-9a-f]+ of a NULL
 * not: dev_get_by_name|freed memory
 * guest: insmod /test/null-netdev-mtu.ko link=wan7
 */
#include <linux/netdevice.h>
#include "crash.h"

static char *link = "eth0";
module_param(link, charp, 0444);

static noinline unsigned int tunnel_mtu(struct net_device *lower)
{
	return READ_ONCE(lower->mtu) - 40;
}

static int __init tunnel_init(void)
{
	struct net_device *lower = dev_get_by_name(&init_net, link);

	pr_info("tunnel: %s has an mtu of %u\n", link, tunnel_mtu(lower));
	dev_put(lower);
	return 0;
}
module_init(tunnel_init);
