// SPDX-License-Identifier: GPL-2.0-only
/*
 * An error path frees a buffer that the function it called had freed already.
 *
 * pattern: double free in error paths
 * upstream: CVE-2026-43249, 9p/xen: the front end's state freed twice
 * finding: double free, by send_message() of this module; BUG in mm/slub.c is how it was noticed
 * never: the allocator; memory corruption of unknown origin
 * must: ^likely: .*send_message\(\) .*freed an object that was free already
 * not: __kmem_cache_free
 * guest: insmod /test/freed-twice-at-once.ko
 */
#include "crash.h"

static noinline int submit(void *buffer)
{
	kfree(buffer);
	return -EIO;
}

static noinline int send_message(void)
{
	void *buffer = kmalloc(700, GFP_KERNEL);
	int err = submit(UNKNOWN(buffer));

	if (err)
		kfree(buffer);
	return err;
}

static int run(void *unused)
{
	msleep(700);
	return send_message();
}

static int __init message_init(void)
{
	return run_thread(run, NULL, -1, "messages");
}
module_init(message_init);
