// SPDX-License-Identifier: GPL-2.0-only
/*
 * A script finds that its service does not answer, and crashes the machine by sysrq.  The module is
 * innocent; it keeps a lock for a second, now and then.
 *
 * pattern: a cluster's fencing agent
 * finding: sysrq-c, written by task "fence" (PID); a deliberate crash
 * never: NULL pointer; this module; a lock
 * must: ^shown: .*fence-[0-9]+ wrote
 * not: NULL|keep
 * guest: insmod /test/sysrq-by-script.ko
 * guest: sleep 2
 * guest: printf '#!/bin/sh\nsleep 1\necho c >/proc/sysrq-trigger\n' >/tmp/fence
 * guest: chmod +x /tmp/fence
 * guest: /tmp/fence
 */
#include "crash.h"

static DEFINE_MUTEX(lock);

static int keep(void *unused)
{
	for (;;) {
		mutex_lock(&lock);
		msleep(1000);
		mutex_unlock(&lock);
		msleep(100);
	}
	return 0;
}

static int __init keep_init(void)
{
	return run_thread(keep, NULL, -1, "keep");
}
module_init(keep_init);
