// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A statistics counter, indexed out of its array, counts on the lock word behind it: a spinlock that no CPU holds.
 *
 * pattern: index out of range within an object hits the spinlock behind the array
 * upstream: the class of "array index out of bounds" by unchecked prio/tc (mqprio, ice dcb, cfg80211 UP mapping; UBSAN bounds fixes)
 * finding: the spinlock port->lock is not held by any task: its locked byte is 5, which no locker writes.  It lies directly behind hits[8], and rx_count() did hits[prio]++ with prio 8 (of a 4-bit field never checked against 8): prio-rx counted on the lock word.  port_show() in pcp-stat, which spins, is innocent
 * never: a missing spin_unlock(); a holder that sleeps; a deadlock between tasks; the spinner as the cause; freed memory
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: insmod /test/prio-hits.ko
 */
#include "crash.h"

struct rx_frame {
	u16 proto, tci;
	u32 len;
};

struct sw_port {
	char name[16];
	u64 bytes;
	u8 hits[8];
	spinlock_t lock;
	u32 shows;
	struct rx_frame ring[8];
};

static noinline void rx_count(struct sw_port *port, const struct rx_frame *f)
{
	unsigned int prio = READ_ONCE(f->tci) >> 12;

	port->hits[prio]++;
	port->bytes += f->len;
}

static int prio_rx(void *data)
{
	struct sw_port *port = data;
	int i;

	for (i = 0; i < 60; i++) {
		port->ring[i & 7].tci = ((i & 7) << 12) | 42;
		rx_count(port, &port->ring[i & 7]);
		msleep(20);
	}
	for (i = 0; i < 5; i++) {	/* a burst of another vendor's tags */
		port->ring[i].tci = 0x8000 | 42;
		rx_count(port, &port->ring[i]);
	}
	for (;;) {
		schedule_timeout_idle(HZ);
		port->ring[0].tci = 0x3000;
		rx_count(port, &port->ring[0]);
	}
	return 0;
}

static noinline u64 port_show(struct sw_port *port)
{
	u64 sum;

	spin_lock(&port->lock);
	sum = port->bytes;
	port->shows++;
	spin_unlock(&port->lock);
	return sum;
}

static int pcp_stat(void *data)
{
	u64 all = 0;

	for (;;) {
		all += port_show(data);
		schedule_timeout_idle(3 * HZ);
	}
	return all;
}

static int __init port_init(void)
{
	struct sw_port *port = kzalloc(sizeof(*port), GFP_KERNEL);

	if (!port)
		return -ENOMEM;
	BUILD_BUG_ON(offsetof(struct sw_port, lock) != offsetof(struct sw_port, hits) + 8);
	strscpy(port->name, "swp1", sizeof(port->name));
	spin_lock_init(&port->lock);
	run_thread(prio_rx, port, 0, "prio-rx");
	return run_thread(pcp_stat, port, 1, "pcp-stat");
}
module_init(port_init);
