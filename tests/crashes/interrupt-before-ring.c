// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver enables its interrupt before its ring exists.  The interrupt comes while an
 * innocent task, "cruncher", computes on CPU 1.
 *
 * pattern: request_irq() before the data of the handler is set, as in many probe functions
 * finding: NULL pointer in rx_interrupt(), in an interrupt on CPU 1; the ring was NULL
 * never: "cruncher", which was interrupted; "probe"; the kernel's code of interrupts
 * must: ^shown: rx_interrupt\(\) .*read .*NULL
 * not: cruncher|probe
 * guest: insmod /test/interrupt-before-ring.ko
 */
#include <linux/smp.h>
#include "crash.h"

struct ring {
	u32 head, tail;
	u64 frames[16];
};

struct nic {
	int irq;
	struct ring *ring;
};

static struct nic nic;

static noinline void rx_interrupt(void *data)
{
	struct nic *n = data;

	n->ring->frames[3]++;
}

static int cruncher(void *unused)
{
	u64 sum = 0;

	while (!kthread_should_stop())
		sum = sum * 31 + get_cycles();
	return sum & 1;
}

static int probe(void *unused)
{
	msleep(300);
	smp_call_function_single(1, rx_interrupt, &nic, 0);
	msleep(100);
	WRITE_ONCE(nic.ring, kzalloc(sizeof(struct ring), GFP_KERNEL));
	return 0;
}

static int __init nic_init(void)
{
	run_thread(cruncher, NULL, 1, "cruncher");
	return run_thread(probe, NULL, 0, "probe");
}
module_init(nic_init);
