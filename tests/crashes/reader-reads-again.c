// SPDX-License-Identifier: GPL-2.0-only
/*
 * "scanner" reads under an rwsem and calls a helper that takes it again, for reading; a writer came
 * between, so the second read waits behind the writer, and the writer for the first read.
 *
 * pattern: down_read() taken twice by one task
 * upstream: the class of recursive mmap_lock and kernfs_rwsem reads
 * finding: scanner waits for tree_lock, which it holds itself for reading; writer waits behind
 * never: "writer" as the holder
 * must: scanner-[0-9]+ waits for a lock that it holds itself
 * not: writer
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/reader-reads-again.ko
 */
#include <linux/rwsem.h>
#include "crash.h"

static DECLARE_RWSEM(tree_lock);

static noinline void count_leaves(void)
{
	down_read(&tree_lock);
	up_read(&tree_lock);
}

static int scanner(void *unused)
{
	down_read(&tree_lock);
	msleep(600);
	count_leaves();
	up_read(&tree_lock);
	return 0;
}

static int writer(void *unused)
{
	msleep(200);
	down_write(&tree_lock);
	up_write(&tree_lock);
	return 0;
}

static int __init tree_init(void)
{
	run_thread(scanner, NULL, -1, "scanner");
	return run_thread(writer, NULL, -1, "writer");
}
module_init(tree_init);
