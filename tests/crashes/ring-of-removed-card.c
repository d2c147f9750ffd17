// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A card was pulled out: its registers read as ones.  The tasklet that empties its ring goes round until its
 * place is the one that the card named, which it never is.  "cruncher" was interrupted by that.
 *
 * pattern: loop of an interrupt's lower half against a register of hardware that is gone
 * upstream: the class of surprise removal (alx, tg3, xhci: "bail out if the register reads as ~0")
 * finding: soft lockup on CPU 1: clean_ring(), a tasklet of this module, does not end; it reads "head" again and again
 * never: "cruncher"; ksoftirqd; a spinlock
 * must: ^shown: CPU 1 was in a softirq, in clean_ring\(\)
 * region: ^shown: CPU 1 was in a softirq, in clean_ring\(\)
 * not: spinlock
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/ring-of-removed-card.ko
 */
#include <linux/interrupt.h>
#include "crash.h"

static struct {
	u32 head;
	u32 tail;
	u64 bytes;
	u32 length[256];
} ring;

static noinline void clean_ring(struct tasklet_struct *tasklet)
{
	u32 tail = ring.tail;

	while (tail != READ_ONCE(ring.head)) {
		ring.bytes += READ_ONCE(ring.length[tail]);
		tail = (tail + 1) & 255;
	}
	ring.tail = tail;
}
static DECLARE_TASKLET(clean_tasklet, clean_ring);

static int cruncher(void *unused)
{
	int i;

	for (i = 0; ; i++) {
		if (i < 200) {
			WRITE_ONCE(ring.head, i < 199 ? i : 0xffffffff);
			tasklet_schedule(&clean_tasklet);
			msleep(5);
		}
		cond_resched();
	}
	return 0;
}

static int __init ring_init(void)
{
	return run_thread(cruncher, NULL, 1, "cruncher");
}
module_init(ring_init);
