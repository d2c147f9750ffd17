// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module starts a thread and is unloaded without stopping it; the thread wakes up where no code is.
 *
 * pattern: missing kthread_stop() in module_exit()
 * upstream: the class of "fix missing kthread_stop() in exit" (for example rcuscale, ntb_perf)
 * finding: a jump to code of an unloaded module (thread_left_in_module), by task "poller"
 * never: rmmod or the other module, loaded meanwhile
 * must: ^shown: The CPU jumped to .*where no code is
 * not: rmmod
 * guest: insmod /test/thread-left-in-module.ko
 * guest: sleep 1
 * guest: rmmod thread_left_in_module
 */
#include "crash.h"

static unsigned long polls;

static int poller(void *unused)
{
	for (;;) {
		polls++;
		msleep(700);
	}
	return 0;
}

static int __init poll_init(void)
{
	return run_thread(poller, NULL, -1, "poller");
}
module_init(poll_init);

static void __exit poll_exit(void)
{
}
module_exit(poll_exit);
