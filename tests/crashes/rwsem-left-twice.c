// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  An error path calls up_read() twice.  Nothing notices; later "writer" waits for readers who do not exist.  "reader"
 * goes on and sleeps in its own loop.
 *
 * pattern: unbalanced up_read()
 * upstream: the class of double unlock in error paths (btrfs, ocfs2, f2fs)
 * finding: writer waits for table_sem, whose count (-0x100) no balanced use can give: left once too often; none holds it
 * never: "reader" (or any task) as its holder; a deadlock
 * must: ^likely: writer-[0-9]+ waits to write rwsem table_sem .*count of readers is -1
 * not: reader-[0-9]+ holds|deadlock
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/rwsem-left-twice.ko
 */
#include <linux/rwsem.h>
#include "crash.h"

static DECLARE_RWSEM(table_sem);
static int fails;

static noinline int table_read(void)
{
	int ret = 0;

	down_read(&table_sem);
	if (READ_ONCE(fails)) {
		up_read(&table_sem);
		ret = -EIO;
	}
	up_read(&table_sem);
	return ret;
}

static int reader(void *unused)
{
	int i;

	for (i = 0; i < 5; i++) {
		table_read();
		msleep(50);
	}
	WRITE_ONCE(fails, 1);
	table_read();
	for (;;)
		msleep(100);
	return 0;
}

static int writer(void *unused)
{
	msleep(1000);
	down_write(&table_sem);
	up_write(&table_sem);
	return 0;
}

static int __init table_init(void)
{
	run_thread(reader, NULL, 0, "reader");
	return run_thread(writer, NULL, 1, "writer");
}
module_init(table_init);
