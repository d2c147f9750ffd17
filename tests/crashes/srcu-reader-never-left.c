// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader of SRCU returns in an error path without srcu_read_unlock(), and goes on.  "replacer" waits for all readers, with a
 * mutex held; "client" waits for the mutex.
 *
 * pattern: missing srcu_read_unlock() on error
 * upstream: the class of kvm and btrfs: missing srcu_read_unlock()
 * finding: client waits for table_lock of replacer, which waits in synchronize_srcu() for readers that never leave
 * never: "reader" as one that waits; a deadlock (cycle); RCU's thread; a stall of RCU
 * must: ^shown: .*replacer-[0-9]+, waits for all readers of an SRCU
 * not: deadlock|reader-
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/srcu-reader-never-left.ko
 */
#include <linux/srcu.h>
#include "crash.h"

DEFINE_STATIC_SRCU(table_srcu);
static DEFINE_MUTEX(table_lock);
static int fails;

static noinline int table_read(void)
{
	int idx = srcu_read_lock(&table_srcu);

	if (READ_ONCE(fails))
		return -EIO;
	srcu_read_unlock(&table_srcu, idx);
	return 0;
}

static int reader(void *unused)
{
	for (;;) {
		table_read();
		msleep(20);
		WRITE_ONCE(fails, !fails);
	}
	return 0;
}

static noinline void table_replace(void)
{
	mutex_lock(&table_lock);
	synchronize_srcu(&table_srcu);
	mutex_unlock(&table_lock);
}

static int replacer(void *unused)
{
	msleep(500);
	table_replace();
	return 0;
}

static int client(void *unused)
{
	msleep(200);
	for (;;) {
		msleep(100);
		mutex_lock(&table_lock);
		mutex_unlock(&table_lock);
	}
	return 0;
}

static int __init table_init(void)
{
	run_thread(reader, NULL, 0, "reader");
	run_thread(replacer, NULL, 0, "replacer");
	return run_thread(client, NULL, 1, "client");
}
module_init(table_init);
