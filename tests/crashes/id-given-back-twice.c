// SPDX-License-Identifier: GPL-2.0-only
/*
 * An error path gives a number back that its caller gives back too; panic_on_warn.
 *
 * pattern: ida_free() twice
 * upstream: the class of "ida_free called for id=%d which is not allocated"
 * finding: channel_close() of this module gave number 2 back to an ida that has not given it out
 * never: the ida code as author; the kworker
 * must: ^shown: ida_free\(\), called by channel_close\(\)
 * not: kworker
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/id-given-back-twice.ko
 */
#include <linux/idr.h>
#include "crash.h"

static DEFINE_IDA(channels);

static noinline void channel_close(int id)
{
	ida_free(&channels, id);
	barrier();
}

static void close_all(struct work_struct *work)
{
	int id;

	for (id = 0; id < 3; id++)
		ida_alloc(&channels, GFP_KERNEL);
	channel_close(2);
	channel_close(2);
}
static DECLARE_DELAYED_WORK(closing, close_all);

static int __init channel_init(void)
{
	schedule_delayed_work(&closing, HZ / 5);
	return 0;
}
module_init(channel_init);
