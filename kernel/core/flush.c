// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dirty cache lines go to memory before a reset can lose them.  Optional: a
 * reader does without, it finds some events less.
 *
 *	console_flush_on_panic	near the end of panic(), when no capture kernel
 *				was started and pstore has had its turn; once
 *				more before it waits for ever
 *	emergency_restart	sysrq-b, and panic() when its time is over
 */
#include <linux/kernel.h>
#include <linux/reboot.h>
#include "arch/arch.h"
#include "flush.h"
#include "events/hook.h"
#include "lost.h"
#include "parity.h"
#include "recorder.h"

/* By address, so all CPUs' caches are meant; clwb on x86 where there is one. */
void epitaph_flush(void)
{
	epitaph_arch_write_back(epitaph_region.base, epitaph_region.size);
	/*
	 * The lines are on their way; this waits until they are there.
	 * order:flush is for memory: no CPU reads it, the reset that follows is who must come later
	 */
	wmb();
}

static void on_the_way_down(struct pt_regs *regs)
{
	if (epitaph_lost())
		return;
	epitaph_parity_finish(EPITAPH_PARITY_MS);
	epitaph_flush();
}

static struct epitaph_hook hooks[] = {
	{ .function = "console_flush_on_panic", .reached = on_the_way_down },
	{ .function = "emergency_restart", .exported = emergency_restart,
	  .reached = on_the_way_down },
};

void epitaph_flush_start(void)
{
	int i, err;

	if (!IS_ENABLED(CONFIG_ARCH_HAS_PMEM_API))
		pr_info("this kernel cannot write caches back: a reset may lose the last events\n");
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		err = epitaph_hook_set(&hooks[i]);
		if (err)
			pr_info("no hook on %s (%d), going without\n",
				hooks[i].function, err);
	}
}

void epitaph_flush_stop(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		epitaph_hook_clear(&hooks[i]);
}
