// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A transmission operation is deleted and freed while its high resolution timer is armed.  The next one is
 * made of the same memory, with zeros.  The timer expires while "cruncher", innocent, computes on that CPU.
 *
 * pattern: an object is freed without hrtimer_cancel() of its timer
 * upstream: d5f9023fa61e, can: bcm: delay release of struct bcm_op after synchronize_rcu()
 * finding: a high resolution timer that has no function: it was freed, or overwritten, while it was armed
 * never: "cruncher"; a function of this module called NULL; the timer code as author
 * must: ^likely: The timer of high resolution .*tx_timeout\(\)
 * region: ^likely: The timer of high resolution .*tx_timeout\(\)
 * not: cruncher
 * guest: insmod /test/hrtimer-of-freed-op.ko
 */
#include <linux/hrtimer.h>
#include "crash.h"

struct tx_op {
	struct list_head list;
	int id;
	u8 frame[64];
	struct hrtimer timer;
};

static struct kmem_cache *op_cache;
static unsigned long sent;

static enum hrtimer_restart tx_timeout(struct hrtimer *timer)
{
	struct tx_op *op = container_of(timer, struct tx_op, timer);

	sent += op->frame[0];
	hrtimer_forward_now(timer, ms_to_ktime(200));
	return HRTIMER_RESTART;
}

static noinline struct tx_op *make_op(int id)
{
	struct tx_op *op = kmem_cache_zalloc(op_cache, GFP_KERNEL);

	op->id = id;
	return op;
}

static noinline void delete_op(struct tx_op *op)
{
	kmem_cache_free(op_cache, op);
}

static int sender(void *unused)
{
	struct tx_op *op = make_op(1);

	hrtimer_init(&op->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	op->timer.function = tx_timeout;
	hrtimer_start(&op->timer, ms_to_ktime(200), HRTIMER_MODE_REL);
	msleep(300);
	delete_op(op);
	make_op(2);
	msleep(100000);
	return 0;
}

static int cruncher(void *unused)
{
	for (;;) {
		sent++;
		cond_resched();
	}
	return 0;
}

static int __init op_init(void)
{
	op_cache = kmem_cache_create("tx_op", sizeof(struct tx_op), 0, SLAB_HWCACHE_ALIGN | SLAB_PANIC, NULL);
	run_thread(cruncher, NULL, 1, "cruncher");
	return run_thread(sender, NULL, 1, "sender");
}
module_init(op_init);
