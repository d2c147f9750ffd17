// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A script of user space writes the oops of the boot before into the kernel's log, as some do with what pstore kept.  What
 * happens then is another thing: "client" waits for a mutex of "keeper", which sleeps.
 *
 * pattern: an old log in /dev/kmsg
 * finding: hung: client waits for table_lock of keeper
 * never: NULL pointer; ahci; that this kernel has had an oops
 * must: ^shown: .*keeper-[0-9]+
 * not: NULL|ahci
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 'BUG: kernel NULL pointer dereference, address: 0000000000000010' >/dev/kmsg
 * guest: echo '#PF: supervisor read access in kernel mode' >/dev/kmsg
 * guest: echo 'Oops: 0000 [#1] PREEMPT SMP PTI' >/dev/kmsg
 * guest: echo 'CPU: 1 PID: 77 Comm: scrub Not tainted 6.1.0-56-amd64 #1' >/dev/kmsg
 * guest: echo 'RIP: 0010:ahci_scrub+0x12/0x40 [ahci]' >/dev/kmsg
 * guest: echo 'RAX: 0000000000000000 RBX: 0000000000000000 RCX: 0000000000000000' >/dev/kmsg
 * guest: echo 'Call Trace:' >/dev/kmsg
 * guest: echo ' ahci_error+0x10/0x20' >/dev/kmsg
 * guest: echo '---[ end trace 0000000000000000 ]---' >/dev/kmsg
 * guest: echo 'Kernel panic - not syncing: Fatal exception' >/dev/kmsg
 * guest: insmod /test/old-oops-replayed.ko
 */
#include "crash.h"

static DEFINE_MUTEX(table_lock);

static noinline void table_keep(void)
{
	mutex_lock(&table_lock);
	msleep(100000);
	mutex_unlock(&table_lock);
}

static int keeper(void *unused)
{
	table_keep();
	return 0;
}

static int client(void *unused)
{
	msleep(500);
	mutex_lock(&table_lock);
	mutex_unlock(&table_lock);
	return 0;
}

static int __init table_init(void)
{
	run_thread(keeper, NULL, -1, "keeper");
	return run_thread(client, NULL, -1, "client");
}
module_init(table_init);
