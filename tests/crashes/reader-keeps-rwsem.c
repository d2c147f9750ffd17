// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader of a rwsem waits for an answer that never comes; a writer waits for the reader, and all later
 * readers wait behind the writer.
 *
 * pattern: mmap_lock or i_rwsem held for reading over an endless wait
 * finding: the chain's end: "fault" holds the rwsem for reading and waits for a completion; at least: owner is a
 *	reader, not certain
 * never: the writer "unmap" as the cause; "late-reader"; a deadlock (cycle)
 * must: ^likely: .*fault-[0-9]+ holds what is waited for
 * not: deadlock
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/reader-keeps-rwsem.ko
 */
#include <linux/completion.h>
#include <linux/rwsem.h>
#include "crash.h"

static DECLARE_RWSEM(map_lock);
static DECLARE_COMPLETION(answer);

static noinline void ask_server(void)
{
	wait_for_completion_killable(&answer);
}

static int fault(void *unused)
{
	down_read(&map_lock);
	ask_server();
	up_read(&map_lock);
	return 0;
}

static int unmap(void *unused)
{
	msleep(200);
	down_write(&map_lock);
	up_write(&map_lock);
	return 0;
}

static int late_reader(void *unused)
{
	msleep(400);
	down_read(&map_lock);
	up_read(&map_lock);
	return 0;
}

static int __init map_init(void)
{
	run_thread(late_reader, NULL, -1, "late-reader");
	run_thread(unmap, NULL, -1, "unmap");
	return run_thread(fault, NULL, -1, "fault");
}
module_init(map_init);
