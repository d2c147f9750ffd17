// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Thread "thief" puts a reference that it never took.  Two seconds later the rightful
 * owner puts its own, and the kernel warns there.
 *
 * pattern: unbalanced put, seen by the next one
 * upstream: CVE-2023-53189, ipv6/addrconf: a reference put by a timer that never took it
 * finding: refcount underflow, noticed in owner_release(); who put too often is not known
 * never: owner_release() or thread "owner" as the one who put once too often, as more than possible
 * must: ^shown: .*as owner(_release)?\(\) .*found: refcount_t: underflow
 * not: thief|owner-[0-9]
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/put-by-another.ko
 */
#include <linux/refcount.h>
#include "crash.h"

struct buffer {
	refcount_t users;
	u8 data[400];
};

static struct buffer *buffer;

static noinline void owner_release(struct buffer *b)
{
	if (refcount_dec_and_test(&b->users))
		pr_info("buffer is free\n");
}

static noinline void peek(struct buffer *b)
{
	if (refcount_dec_and_test(&b->users))
		pr_info("buffer is free, says peek\n");
}

static int owner(void *unused)
{
	msleep(2200);
	owner_release(buffer);
	return 0;
}

static int thief(void *unused)
{
	msleep(200);
	peek(buffer);
	return 0;
}

static int __init buffer_init(void)
{
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	refcount_set(&buffer->users, 1);
	run_thread(owner, NULL, -1, "owner");
	return run_thread(thief, NULL, -1, "thief");
}
module_init(buffer_init);
