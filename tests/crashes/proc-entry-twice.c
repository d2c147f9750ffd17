// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver removes an entry of /proc that is not there; the kernel warns, and panic_on_warn ends it.
 *
 * pattern: unbalanced remove in an error path, WARN in core code
 * finding: a WARNING in remove_proc_entry(), called by status_remove() of this module; fatal by
 *	panic_on_warn
 * never: proc as the culprit; corruption
 * must: ^shown: .*remove_proc_entry\(\), called by run\(\) .*warned
 * not: corrupt
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/proc-entry-twice.ko
 */
#include <linux/proc_fs.h>
#include "crash.h"

static noinline void status_remove(void)
{
	remove_proc_entry("driver/status7", NULL);
}

static int run(void *unused)
{
	msleep(500);
	status_remove();
	return 0;
}

static int __init status_init(void)
{
	return run_thread(run, NULL, -1, "status");
}
module_init(status_init);
