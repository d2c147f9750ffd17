// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Banks of registers have offsets within a window; that of the first is 0.  reg_read() takes an offset for an address: the
 * window's is not added.  No pointer was NULL.
 *
 * pattern: an offset that is used as an address
 * upstream: the class of readl(offset) for readl(base + offset)
 * finding: reg_read() read at 0x40, a small number that is an offset, which bank_sum() made
 * never: that a pointer of bank_sum() was NULL, as shown
 * must: ^likely: reg_read\(\)
 * not: ^shown: .*behind a NULL pointer
 * guest: insmod /test/offset-for-address.ko
 * guest: sleep 30
 */
#include "crash.h"

struct bank {
	u64 offset;
	u32 registers, sum;
};

static struct bank *banks;

static noinline u32 reg_read(u64 at)
{
	return *(volatile u32 *)at;
}

static noinline void bank_sum(struct bank *bank)
{
	bank->sum += reg_read(bank->offset + 0x40);
}

static int reader(void *unused)
{
	for (;;) {
		msleep(500);
		bank_sum(&banks[0]);
	}
	return 0;
}

static int __init bank_init(void)
{
	int i;

	banks = kcalloc(4, sizeof(*banks), GFP_KERNEL);
	if (!banks)
		return -ENOMEM;
	for (i = 0; i < 4; i++)
		banks[i].offset = i * 0x1000;
	return run_thread(reader, NULL, -1, "reader");
}
module_init(bank_init);
