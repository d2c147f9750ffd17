// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  CPU 1 polls a register with interrupts off; CPU 0 is the one that is reported, as it waits for an IPI to CPU 1.
 *
 * pattern: endless poll with irqs off; smp_call_function on the other CPU locks up
 * upstream: the class of "soft lockup in smp_call_function_many_cond" reports, whose cause is always the CPU that does not answer
 * finding: CPU 1 (task phy-cal) is in mdio_wait_ready() with interrupts disabled (spin_lock_irqsave on hw_lock in phy_calibrate()) and polls ad->status for MDIO_READY without an end; mac-init on CPU 0 would set that bit, but first waits in on_each_cpu() for CPU 1 to run mac_flush_cpu()
 * never: mac-init, the IPI or the TLB code as the cause; a lost IPI or broken APIC; CPU 1 being dead or offline
 * must: ^likely: .*Probably that is CPU 1, task phy-cal-[0-9]+, in mdio_wait_ready\(\) of module mdio_ready
 * not: delay_tsc|^(shown|likely): .*in mac_
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: insmod /test/mdio-ready.ko
 */
#include "crash.h"
#include <linux/smp.h>

#define MDIO_READY	0x80

struct mac_adapter {
	char name[16];
	spinlock_t hw_lock;
	u32 status;
	u32 polls;
	atomic_t flushed;
};

static noinline u32 mdio_wait_ready(struct mac_adapter *ad)
{
	u32 status;

	for (;;) {
		status = READ_ONCE(ad->status);
		if (status & MDIO_READY)
			return status;
		ad->polls++;
		udelay(10);
	}
}

static noinline void phy_calibrate(struct mac_adapter *ad)
{
	unsigned long flags;

	spin_lock_irqsave(&ad->hw_lock, flags);
	mdio_wait_ready(ad);
	ad->status &= ~MDIO_READY;
	spin_unlock_irqrestore(&ad->hw_lock, flags);
}

static void mac_flush_cpu(void *info)
{
	struct mac_adapter *ad = info;

	atomic_inc(&ad->flushed);
}

static noinline void mac_start_clock(struct mac_adapter *ad)
{
	on_each_cpu(mac_flush_cpu, ad, 1);
	WRITE_ONCE(ad->status, ad->status | MDIO_READY);
}

static int mac_init_thread(void *data)
{
	msleep(1560);
	mac_start_clock(data);
	return 0;
}

static int phy_cal(void *data)
{
	msleep(1500);
	phy_calibrate(data);
	return 0;
}

static int __init mac_init(void)
{
	struct mac_adapter *ad = kzalloc(sizeof(*ad), GFP_KERNEL);

	if (!ad)
		return -ENOMEM;
	strscpy(ad->name, "emac0", sizeof(ad->name));
	spin_lock_init(&ad->hw_lock);
	run_thread(phy_cal, ad, 1, "phy-cal");
	return run_thread(mac_init_thread, ad, 0, "mac-init");
}
module_init(mac_init);
