// SPDX-License-Identifier: GPL-2.0-only
/*
 * A map is changed under a spinlock, and the other CPU is asked by an interrupt to forget the old one.  The other CPU wants
 * the lock, with interrupts off.
 *
 * pattern: smp_call_function_single(..., wait) with a lock held that others take with interrupts off
 * upstream: the class of IPI under a spinlock (iommu flush, perf, kvm, cpufreq)
 * finding: a deadlock of two CPUs: CPU 0 (dma-remap, dma_remap()) has map_lock and waits until CPU 1 took its interrupt; CPU 1 (dma-lookup, dma_find()) has interrupts off and spins for map_lock
 * never: the function forget_map(), which does not run; one of the CPUs alone as guilty; dma-stat
 * must: (CPU 0|dma-remap).*(CPU 1|dma-lookup).*(lock|spin)|(CPU 1|dma-lookup).*(lock|spin).*(CPU 0|dma-remap)
 * not: dma-stat|forget_map\(\) (runs|loops|does not end)
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/tlb-ipi.ko
 */
#include <linux/smp.h>
#include "crash.h"

static DEFINE_SPINLOCK(map_lock);
static u64 map[64], found, forgotten;

static void forget_map(void *unused)
{
	forgotten++;
}

static noinline void dma_remap(int i)
{
	spin_lock(&map_lock);
	map[i & 63] += 0x1000;
	udelay(300);
	smp_call_function_single(1, forget_map, NULL, 1);
	spin_unlock(&map_lock);
}

static noinline u64 dma_find(int i)
{
	unsigned long flags;
	u64 got;

	spin_lock_irqsave(&map_lock, flags);
	got = map[i & 63];
	spin_unlock_irqrestore(&map_lock, flags);
	return got;
}

static int dma_lookup(void *unused)
{
	int i;

	msleep(500);
	for (i = 0;; i++) {
		found += dma_find(i);
		if (!(i & 0xfff))
			usleep_range(50, 80);
	}
	return 0;
}

static int dma_remapper(void *unused)
{
	int i;

	for (i = 0;; i++) {
		msleep(100);
		dma_remap(i);
	}
	return 0;
}

static int dma_stat(void *unused)
{
	for (;;) {
		map[0] = found + forgotten;
		msleep(40);
	}
	return 0;
}

static int __init dma_init(void)
{
	run_thread(dma_stat, NULL, 0, "dma-stat");
	run_thread(dma_lookup, NULL, 1, "dma-lookup");
	return run_thread(dma_remapper, NULL, 0, "dma-remap");
}
module_init(dma_init);
