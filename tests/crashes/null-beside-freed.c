// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Objects of a cache come and go, correctly.  The fault is a pointer of a live object of the
 * same cache that was never set.
 *
 * pattern: an object is published before it is complete
 * upstream: CVE-2026-43271, md: a message handled before the thread it needs is set
 * finding: NULL pointer in request_done(), +0x8 of r->owner
 * never: use after free: the object lives
 * must: ^shown: .*request_done\(\) .*0x8 of a NULL
 * not: freed memory
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/null-beside-freed.ko
 */
#include "crash.h"

struct owner {
	long id;
	long done;
};

struct request {
	long sector;
	struct owner *owner;
	u8 data[170];
};

static struct request *requests[32];

static noinline void request_done(struct request *r)
{
	WRITE_ONCE(r->owner->done, 1);
}

static int run(void *unused)
{
	static struct owner owner;
	int i, round;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < 32; i++) {
			requests[i] = kzalloc(sizeof(struct request), GFP_KERNEL);
			if (round != 19 || i != 17)
				requests[i]->owner = &owner;
		}
		msleep(20);
		for (i = 0; i < 32; i++)
			request_done(requests[i]);
		for (i = 0; i < 32; i++)
			kfree(requests[i]);
	}
	return 0;
}

static int __init request_init(void)
{
	return run_thread(run, NULL, -1, "requests");
}
module_init(request_init);
