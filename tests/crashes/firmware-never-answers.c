// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver waits without a timeout for an answer of its firmware, which never comes.
 *
 * pattern: wait_for_completion() without a timeout
 * finding: hung task "loader" waits for a completion that was never completed, in load_firmware() of
 *	this module; no owner
 * never: a lock; a deadlock; any other task as holder
 * must: ^shown: .*loader-[0-9]+ waited .*completion in load_firmware
 * not: deadlock|holds
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/firmware-never-answers.ko
 */
#include <linux/completion.h>
#include "crash.h"

static DECLARE_COMPLETION(answer);

static noinline int load_firmware(void)
{
	wait_for_completion(&answer);
	return 0;
}

static int loader(void *unused)
{
	return load_firmware();
}

static int __init loader_init(void)
{
	return run_thread(loader, NULL, -1, "loader");
}
module_init(loader_init);
