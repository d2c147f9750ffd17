// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Counters for each CPU are not yet allocated: a count goes to offset 40 of the CPU's area, where the canary is.
 *
 * pattern: this_cpu_inc() by a NULL pointer of counters hits the first variables of the CPU
 * upstream: the class of "allocate the per-CPU stats before the device can receive" of net drivers (tstats, lstats)
 * finding: no stack was overwritten: lan_rx_drop() counted by a NULL per-CPU pointer and changed the CPU's own copy of the canary, at offset 40 of its area; lan_poll() is only the first function that compared it
 * never: that lan_poll() or a function that it called wrote beyond a local array; a stack overflow
 * must: ^likely: No stack was overwritten: .*lan_rx_drop\(\)
 * not: The stack of a function was overwritten
 * x86: the canary of a CPU at a fixed offset of its area
 * guest: insmod /test/lan-stats.ko
 * guest: sleep 1
 * guest: echo 1 >/proc/lan-up
 */
#include "crash.h"
#include <linux/percpu.h>
#include <linux/string.h>

struct lan_stats {
	u64 rx_packets, rx_bytes;
	u64 tx_packets, tx_bytes;
	u64 multicast, drops;
};

struct lan {
	struct lan_stats __percpu *stats;
	bool up, promisc;
	u32 polls;
	u8 mac[6];
};

static struct lan lan0 = { .mac = { 2, 0, 0, 1, 2, 3 } };

static noinline void lan_rx_drop(struct lan *lan)
{
	this_cpu_inc(lan->stats->drops);
}

static noinline void lan_rx_good(struct lan *lan, unsigned int len)
{
	this_cpu_inc(lan->stats->rx_packets);
	this_cpu_add(lan->stats->rx_bytes, len);
}

static noinline unsigned int lan_fetch(struct lan *lan, u8 *frame, unsigned int room)
{
	memset(frame, 0xff, 6);
	memcpy(frame + 6, lan->mac, 6);
	return min(room, 60u);
}

static noinline void lan_poll(struct lan *lan)
{
	u8 frame[64];
	unsigned int len = lan_fetch(lan, frame, sizeof(frame));

	lan->polls++;
	if (lan->promisc || !memcmp(frame, lan->mac, 6))
		lan_rx_good(lan, len);
	else
		lan_rx_drop(lan);
}

static int lan_thread(void *data)
{
	struct lan *lan = data;

	for (;;) {
		if (READ_ONCE(lan->up))
			lan_poll(lan);
		msleep(20);
	}
	return 0;
}

static noinline int lan_open(unsigned int up)
{
	WRITE_ONCE(lan0.up, up);
	msleep(100);				/* the PHY's autonegotiation */
	if (up && !lan0.stats) {
		lan0.stats = alloc_percpu(struct lan_stats);
		if (!lan0.stats)
			return -ENOMEM;
	}
	return 0;
}

PROC_NUMBER(lan, lan_open);

static int __init lan_init(void)
{
	if (!proc_create("lan-up", 0200, NULL, &lan_pops))
		return -ENOMEM;
	return run_thread(lan_thread, &lan0, 1, "lan-poll");
}
module_init(lan_init);
