// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leases that have run out are freed while the list of them is walked, and the walk goes on by the next pointer of what was
 * just freed.
 *
 * pattern: list_for_each_entry() for list_for_each_entry_safe() in a loop that frees
 * upstream: the class of "use list_for_each_entry_safe() when freeing" (dozens in drivers/ and net/)
 * finding: dhcp_expire() of dhcpd frees a lease and reads its list.next afterwards: the allocator's own link stands there
 * never: dhcp-ack, which adds leases with the lock held; another task that freed it; a list that was damaged from outside; a double free
 * must: ^likely: dhcp_expire\(\) .*the allocator's link from that object
 * not: dhcp-ack|twice
 * guest: insmod /test/lease-expire.ko
 */
#include "crash.h"

struct lease {
	u32 ip, seconds;
	u8 mac[6];
	char host[114];
	struct list_head list;
	u64 acks[14];
};

static LIST_HEAD(leases);
static DEFINE_MUTEX(lease_lock);
static u32 given;

static noinline void dhcp_ack(u32 ip)
{
	struct lease *lease = kzalloc(sizeof(*lease), GFP_KERNEL);

	if (!lease)
		return;
	lease->ip = ip;
	lease->seconds = 20 + ip % 7;
	snprintf(lease->host, sizeof(lease->host), "host-%u", ip);
	mutex_lock(&lease_lock);
	list_add_tail(&lease->list, &leases);
	mutex_unlock(&lease_lock);
}

static noinline u32 dhcp_expire(void)
{
	struct lease *lease;
	u32 n = 0;

	mutex_lock(&lease_lock);
	list_for_each_entry(lease, &leases, list) {
		if (--lease->seconds)
			continue;
		list_del(&lease->list);
		kfree(lease);
		n++;
	}
	mutex_unlock(&lease_lock);
	return n;
}

static int dhcp_acker(void *unused)
{
	for (;;) {
		dhcp_ack(++given);
		msleep(90);
	}
	return 0;
}

static int dhcpd(void *unused)
{
	u32 n = 0;

	for (;;) {
		n += dhcp_expire();
		msleep(100);
	}
	return n;
}

static int __init lease_init(void)
{
	BUILD_BUG_ON(offsetof(struct lease, list) != 128 || sizeof(struct lease) != 256);
	run_thread(dhcp_acker, NULL, -1, "dhcp-ack");
	return run_thread(dhcpd, NULL, -1, "dhcpd");
}
module_init(lease_init);
