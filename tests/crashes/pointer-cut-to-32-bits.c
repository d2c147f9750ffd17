// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A pointer is given to a device as a cookie of 32 bits, and comes back without its upper half.  It looks like an
 * address of user space.
 *
 * pattern: u32 cookie for a pointer; works on 32 bits
 * upstream: the class of "cast from pointer to integer of different size" in old SCSI and crypto drivers
 * finding: request_done() of this module used a pointer of which only the lower 32 bits are left
 * never: a pointer of a process used without copy_from_user(), as certain; NULL; freed memory; a bit flip
 * must: ^likely: request_done\(\) .*lower 32 bits
 * not: ^shown
 * not: NULL|freed
 * guest: insmod /test/pointer-cut-to-32-bits.ko
 */
#include "crash.h"

struct request {
	u64 sector;
	u64 tag;
	u64 done;
};

static u32 mailbox;

static noinline void request_done(u32 cookie)
{
	struct request *r = (struct request *)(unsigned long)cookie;

	WRITE_ONCE(r->done, 1);
}

static noinline void request_send(struct request *r)
{
	WRITE_ONCE(mailbox, (u32)(unsigned long)r);
}

static int device(void *unused)
{
	struct request *r = kzalloc(sizeof(*r), GFP_KERNEL);

	msleep(200);
	request_send(r);
	msleep(100);
	request_done(READ_ONCE(mailbox));
	return 0;
}

static int __init request_init(void)
{
	return run_thread(device, NULL, -1, "device");
}
module_init(request_init);
