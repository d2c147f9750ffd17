// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  As mutex-of-ended-thread, but "client" is older than "loader", and waits for the mutex before the memory of loader's
 * task_struct is given to one of many threads "bystander".
 *
 * pattern: a thread that returns in an error path without mutex_unlock()
 * upstream: the class of "missing unlock on error path" of threads
 * finding: "client" waits for table_lock; the task that held it has ended; the owner word's task is younger than that
 * never: "bystander" as the holder
 * not: ^(shown|likely): A deadlock|^(shown|likely): .*(bystander|sleep)-[0-9]+ holds
 * must: ^(possible|likely): client-[0-9]+
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/owner-is-another-by-now.ko
 */
#include "crash.h"

static DEFINE_MUTEX(table_lock);

static noinline int table_load(void)
{
	mutex_lock(&table_lock);
	if (!READ_ONCE(table_lock.owner.counter))
		mutex_unlock(&table_lock);
	return -EIO;
}

static int loader(void *unused)
{
	return table_load();
}

static int client(void *unused)
{
	msleep(500);
	mutex_lock(&table_lock);
	mutex_unlock(&table_lock);
	return 0;
}

static int bystander(void *unused)
{
	while (!kthread_should_stop())
		msleep(300);
	return 0;
}

static int starter(void *unused)
{
	int i;

	run_thread(client, NULL, 0, "client");
	run_thread(loader, NULL, 0, "loader");
	msleep(1000);
	for (i = 0; i < 300; i++)
		run_thread(bystander, NULL, i & 1, "bystander");
	return 0;
}

static int __init table_init(void)
{
	return run_thread(starter, NULL, 1, "starter");
}
module_init(table_init);
