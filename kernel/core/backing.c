// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is there memory behind the addresses of the region?  memmap=SIZE!ADDR is believed by the kernel
 * whatever lies there.  Stores to where nothing is go nowhere, and nothing complains.
 */
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>
#include "arch/arch.h"
#include "compat.h"
#include "backing.h"
#include "bad_page.h"

/* The caches would answer for any address.  A word that cannot be read is bad memory, not none. */
static bool keeps(u64 *word, u64 value)
{
	u64 now;

	WRITE_ONCE(*word, value);
	epitaph_arch_drop_line(word);
	return copy_mc_to_kernel(&now, word, sizeof(now)) || now == value;
}

/* Nothing else is there yet that would read the word meanwhile. */
static bool word_is_backed(u64 *word)
{
	unsigned long flags;
	bool is_backed;
	u64 old;

	if (copy_mc_to_kernel(&old, word, sizeof(old)))
		return true;
	local_irq_save(flags);
	is_backed = keeps(word, ~old) && keeps(word, old);
	local_irq_restore(flags);
	return is_backed;
}

static int refuse_range(const struct epitaph_extent *mem, u64 off)
{
	pr_err("there is no memory at %#llx, in the region %#llx-%#llx: what is written there is lost; boot with %s%s\n",
	       mem->phys + off, (u64)mem->phys, mem->phys + mem->size - 1,
	       epitaph_memory_advice(0, mem->size),
	       EPITAPH_ARCH_HAS_MEMMAP ? " of a range that /sys/firmware/memmap calls System RAM" : "");
	return -ENODEV;
}

int epitaph_backing_check(const struct epitaph_extent *mem)
{
	u64 off, last = mem->size - sizeof(u64);

	for (off = 0;; off = min(off + SZ_1M, last)) {
		if (!epitaph_page_is_bad(off / EPITAPH_PAGE) && !word_is_backed(mem->base + off))
			return refuse_range(mem, off);
		if (off == last)
			return 0;
	}
}
