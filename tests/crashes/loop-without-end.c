// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring of descriptors is walked until an end mark that the hardware never writes.
 *
 * pattern: unbounded polling loop in a driver
 * finding: soft lockup: "ring-worker" on its CPU in walk_ring() of this module, since when
 * never: the timer interrupt that noticed; another CPU
 * must: ^shown: .*CPU 1 .*ring-worker-[0-9]+ in walk_ring\(\)
 * not: CPU 0
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/loop-without-end.ko
 */
#include "crash.h"

static u32 ring[64];

static noinline int walk_ring(void)
{
	unsigned int i = 0;

	while (READ_ONCE(ring[i % 64]) != 0xdead)
		i++;
	return i;
}

static int worker(void *unused)
{
	msleep(500);
	return walk_ring();
}

static int __init ring_init(void)
{
	return run_thread(worker, NULL, 1, "ring-worker");
}
module_init(ring_init);
