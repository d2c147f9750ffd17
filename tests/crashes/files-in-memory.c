// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A script fills a tmpfs without a limit; then an allocation of another task fails.  (The
 * module only asks for pages now and then, and frees them.)
 *
 * pattern: tmpfs without a size limit
 * finding: out of memory, panic_on_oom; shmem is most of it: files in tmpfs
 * never: the module or its thread "modest"; a leak of the kernel; the largest process
 * must: ^shown: .*tmpfs or shared memory have
 * not: modest|head
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/files-in-memory.ko
 * guest: mkdir -p /tmp/big && mount -t tmpfs -o size=100% none /tmp/big
 * guest: for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do head -c 67108864 /dev/zero >/tmp/big/$i; done
 */
#include "crash.h"

static int modest(void *unused)
{
	for (;;) {
		unsigned long pages = __get_free_pages(GFP_KERNEL, 2);

		msleep(10);
		free_pages(pages, 2);
	}
	return 0;
}

static int __init modest_init(void)
{
	return run_thread(modest, NULL, -1, "modest");
}
module_init(modest_init);
