// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver maps one page of its device's registers and reads one that is behind it.  The mapping is alive; the
 * address is that of the guard page.
 *
 * pattern: the size of a BAR is not checked against the registers of a later model
 * upstream: the class of ioremap() with a too short length
 * finding: read_status() of this module read just behind the end of an area of vmalloc/ioremap that is mapped (overrun)
 * never: memory that was freed or unmapped; a module that is gone; NULL
 * must: ^likely: read_status\(\) .*guard page behind an area
 * not: freed|unloaded|NULL
 * guest: insmod /test/register-behind-mapping.ko
 */
#include <linux/io.h>
#include "crash.h"

static void __iomem *regs;

static noinline u32 read_status(unsigned int reg)
{
	return readl(regs + reg * 4);
}

static void poll_status(struct work_struct *work)
{
	unsigned int reg;
	u32 sum = 0;

	for (reg = 1000; reg < 1040; reg++)
		sum += read_status(reg);
	pr_debug("%u\n", sum);
}
static DECLARE_DELAYED_WORK(status, poll_status);

static int __init status_init(void)
{
	regs = ioremap(0xfee00000, 4096);
	if (!regs)
		return -ENOMEM;
	schedule_delayed_work(&status, HZ / 5);
	return 0;
}
module_init(status_init);
