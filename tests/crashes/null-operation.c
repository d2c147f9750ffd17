// SPDX-License-Identifier: GPL-2.0-only
/*
 * A back end registers without the optional operation "flush"; the core calls it unchecked, from a
 * workqueue.
 *
 * pattern: optional callbacks called without a check
 * finding: a call through a NULL function pointer, by core_flush() of this module, in a kworker
 * never: the workqueue code; "damaged text"; address 0 as a function's place
 * must: ^shown: .*NULL and was called, by core_flush\(\)
 * not: process_one_work
 * guest: insmod /test/null-operation.ko
 */
#include "crash.h"

struct backend_ops {
	int (*open)(void *);
	int (*flush)(void *);
};

struct backend {
	const struct backend_ops *ops;
	struct delayed_work work;
};

static const struct backend_ops ram_ops;
static struct backend ram = { .ops = &ram_ops };

static noinline void core_flush(struct backend *b)
{
	const struct backend_ops *ops = UNKNOWN(b->ops);

	if (ops->flush(b))
		pr_err("flush failed\n");
}

static void flush_work_fn(struct work_struct *work)
{
	core_flush(container_of(to_delayed_work(work), struct backend, work));
}

static int __init core_init(void)
{
	INIT_DELAYED_WORK(&ram.work, flush_work_fn);
	schedule_delayed_work(&ram.work, HZ);
	return 0;
}
module_init(core_init);
