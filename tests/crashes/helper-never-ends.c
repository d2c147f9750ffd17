// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The kernel waits for a program that it started, and the program does not end: the kernel does nothing wrong.
 *
 * pattern: call_usermodehelper(UMH_WAIT_PROC) of a script that hangs; FUSE and NFS servers that do not answer are like it
 * finding: "reloader" waits for a program of user space ("/tmp/hook", or "the helper"); no lock is in it
 * never: a deadlock; a disk; a bug of the kernel; "client" as the culprit
 * must: ^likely: reloader-[0-9]+ waits for a program of user space, sleep-[0-9]+
 * not: deadlock|disk
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: printf '#!/bin/sh\nexec /bin/sleep 1000\n' >/tmp/hook
 * guest: chmod +x /tmp/hook
 * guest: insmod /test/helper-never-ends.ko
 */
#include <linux/umh.h>
#include "crash.h"

static DEFINE_MUTEX(config_lock);

static noinline int config_reload(void)
{
	static char *argv[] = { "/tmp/hook", NULL };
	static char *envp[] = { "PATH=/bin:/sbin:/usr/bin:/usr/sbin", NULL };
	int ret;

	mutex_lock(&config_lock);
	ret = call_usermodehelper(argv[0], argv, envp, UMH_WAIT_PROC);
	mutex_unlock(&config_lock);
	return ret;
}

static int reloader(void *unused)
{
	msleep(500);
	return config_reload();
}

static int client(void *unused)
{
	msleep(1500);
	mutex_lock(&config_lock);
	mutex_unlock(&config_lock);
	return 0;
}

static int __init config_init(void)
{
	run_thread(reloader, NULL, -1, "reloader");
	return run_thread(client, NULL, -1, "client");
}
module_init(config_init);
