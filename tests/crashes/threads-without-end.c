// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server begins a thread for each request, and each waits for a word that never comes.  Stacks and tasks fill the memory.
 *
 * pattern: a kernel thread for each request that is never stopped
 * upstream: the class of kthreads leaked by error paths (ksmbd's per-connection threads; nbd; usbip)
 * finding: no memory is left: kernel stacks have the most, of some thousand threads "conn", all asleep in conn_serve()
 * never: the process that asked when the memory ended as the one that used it; "cache-user"; a leak of slab as the first cause
 * must: ^shown: Memory ran out, and the stacks of tasks .* named conn, and sleep in conn_serve\(\)
 * region: ^shown: Memory ran out, and the stacks of tasks
 * not: cache-user|kthreadd
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: echo 60000 >/proc/sys/kernel/pid_max
 * guest: echo 60000 >/proc/sys/kernel/threads-max
 * guest: insmod /test/threads-without-end.ko
 */
#include "crash.h"

static DECLARE_COMPLETION(word);
static void *cached[64];

static noinline int conn_serve(void *unused)
{
	wait_for_completion_interruptible(&word);
	return 0;
}

static int acceptor(void *unused)
{
	int i;

	msleep(500);
	for (i = 0; ; i++) {
		if (run_thread(conn_serve, NULL, -1, "conn"))
			msleep(10);
		cond_resched();
	}
	return 0;
}

static int cache_user(void *unused)
{
	int i;

	for (i = 0; i < 64; i++)
		cached[i] = kmalloc(4096, GFP_KERNEL);
	for (;;)
		msleep(100);
	return 0;
}

static int __init server_init(void)
{
	run_thread(cache_user, NULL, 1, "cache-user");
	run_thread(acceptor, NULL, 0, "acceptor");
	return 0;
}
module_init(server_init);
