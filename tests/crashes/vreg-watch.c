// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A notifier block is a local variable of the function that registers it.  The chain is called by another task, later.
 *
 * pattern: a notifier block on the stack, registered for longer than the function runs
 * upstream: the class of on-stack notifier blocks, clock notifiers, wait entries
 * finding: the chain has a block that lies on the stack of vreg-watch, from vreg_watch_start(), which has returned; what vreg_survey() wrote there since was taken for its function
 * never: vreg-scale or vreg_set() as guilty; a module that was unloaded; freed slab memory
 * must: (lies|lay|is) on the stack of (task )?vreg-watch|vreg_watch_start\(\)|on the stack .*vreg-watch
 * not: unloaded|freed
 * guest: insmod /test/vreg-watch.ko
 */
#include <linux/notifier.h>
#include "crash.h"

static RAW_NOTIFIER_HEAD(vreg_chain);
static u32 uvolts = 900000, seen;

static int vreg_seen(struct notifier_block *nb, unsigned long uv, void *data)
{
	seen++;
	return NOTIFY_OK;
}

static noinline int vreg_watch_start(void)
{
	struct notifier_block nb = { .notifier_call = vreg_seen, .priority = 3 };

	return raw_notifier_chain_register(&vreg_chain, UNKNOWN(&nb));
}

static noinline u64 vreg_survey(u64 seed)
{
	u64 table[24], sum = 0;
	int i;

	for (i = 0; i < 24; i++)
		table[i] = UNKNOWN(seed) * 0x0001000300070001ull + i;
	OPTIMIZER_HIDE_VAR(seed);
	for (i = 0; i < 24; i++)
		sum += *UNKNOWN(&table[(seed + i) % 24]);
	return sum;
}

static noinline void vreg_set(u32 uv)
{
	uvolts = uv;
	raw_notifier_call_chain(&vreg_chain, uv, NULL);
}

static int vreg_watch(void *unused)
{
	u64 sum = 0x0a13;

	msleep(400);
	vreg_watch_start();
	for (;;) {
		sum += vreg_survey(sum | 1);
		msleep(150);
	}
	return sum;
}

static int vreg_scale(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		vreg_set(900000 + (i & 3) * 25000);
		msleep(130);
	}
	return 0;
}

static int __init vreg_init(void)
{
	run_thread(vreg_watch, NULL, 1, "vreg-watch");
	return run_thread(vreg_scale, NULL, 0, "vreg-scale");
}
module_init(vreg_init);
