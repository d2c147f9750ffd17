// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The flash is gone and its registers read as ones; a writer polls BUSY for ever, interrupts off, lock held.
 * The reader that waits for the lock is the soft lockup.
 *
 * pattern: polling without a limit for a bit of a device that has gone (reads give all ones)
 * upstream: the class of "add a timeout to the busy loop" (mtd, spi, pci hotplug surprise removal)
 * finding: "nor-write" polls in nor_wait_idle() with interrupts off and has the lock that "nor-health"
 *	waits for
 * never: "nor-health", nor_read_id()
 * must: ^likely: .*CPU 1, task nor-write-[0-9]+, in nor_wait_idle\(\)
 * not: waits for itself
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/nor-busy.ko
 */
#include "crash.h"
#include <linux/vmalloc.h>

#define NOR_CMD		0
#define NOR_ADDR	1
#define NOR_STATUS	2
#define NOR_BUSY	0x1

struct nor {
	u32 *regs;
	spinlock_t lock;
	u32 writes, reads, size;
	char name[16];
};

static struct nor *nor;

static noinline void nor_wait_idle(struct nor *n)
{
	while (READ_ONCE(n->regs[NOR_STATUS]) & NOR_BUSY)
		cpu_relax();
}

static noinline void nor_page_program(struct nor *n, u32 addr)
{
	unsigned long flags;

	spin_lock_irqsave(&n->lock, flags);
	WRITE_ONCE(n->regs[NOR_ADDR], addr);
	WRITE_ONCE(n->regs[NOR_CMD], 0x02);
	nor_wait_idle(n);
	n->writes++;
	spin_unlock_irqrestore(&n->lock, flags);
}

static noinline u32 nor_read_id(struct nor *n)
{
	u32 id;

	spin_lock_bh(&n->lock);
	WRITE_ONCE(n->regs[NOR_CMD], 0x9f);
	id = READ_ONCE(n->regs[NOR_ADDR]);
	n->reads++;
	spin_unlock_bh(&n->lock);
	return id;
}

static int nor_writer(void *data)
{
	u32 addr = 0;

	for (;;) {
		msleep(50);
		nor_page_program(data, addr);
		addr += 256;
	}
	return 0;
}

static int nor_health(void *data)
{
	for (;;) {
		msleep(70);
		nor_read_id(data);
	}
	return 0;
}

static int slot_event(void *data)
{
	struct nor *n = data;

	msleep(3000);
	memset(n->regs, 0xff, PAGE_SIZE);	/* what a bus without its device reads */
	return 0;
}

static int __init nor_probe(void)
{
	nor = kzalloc(sizeof(*nor), GFP_KERNEL);
	if (!nor)
		return -ENOMEM;
	nor->regs = vzalloc(PAGE_SIZE);
	if (!nor->regs)
		return -ENOMEM;
	spin_lock_init(&nor->lock);
	strscpy(nor->name, "nor0", sizeof(nor->name));
	run_thread(nor_health, nor, 0, "nor-health");
	run_thread(slot_event, nor, 0, "slot-event");
	return run_thread(nor_writer, nor, 1, "nor-write");
}
module_init(nor_probe);
