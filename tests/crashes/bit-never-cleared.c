// SPDX-License-Identifier: GPL-2.0-only
/*
 * "writer" marks a buffer as busy, meets an error, and does not clear the mark; it goes on with others.  "flusher" waits for the
 * bit.  "client" waits for flusher's mutex.
 *
 * pattern: a bit lock that is left set in an error path
 * upstream: the class of BH_Lock, NFS and CIFS bits that stay set
 * finding: client waits for flush_lock of flusher, which waits for a bit (wait_on_bit()) that none clears
 * never: writer as one that waits; a deadlock; I/O of a disk
 * must: ^shown: .*flusher-[0-9]+, waits for a bit to be cleared
 * not: writer|deadlock|I/O
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/bit-never-cleared.ko
 */
#include <linux/wait_bit.h>
#include "crash.h"

static DEFINE_MUTEX(flush_lock);
static unsigned long busy[4];

static noinline int buffer_write(int n)
{
	if (test_and_set_bit_lock(0, &busy[n]))
		return -EBUSY;
	if (n == 2)
		return -EIO;
	clear_and_wake_up_bit(0, &busy[n]);
	return 0;
}

static int writer(void *unused)
{
	int i;

	for (i = 0;; i = (i + 1) & 3) {
		msleep(50);
		buffer_write(i);
	}
	return 0;
}

static noinline void buffers_flush(void)
{
	int n;

	mutex_lock(&flush_lock);
	for (n = 0; n < 4; n++)
		wait_on_bit(&busy[n], 0, TASK_UNINTERRUPTIBLE);
	mutex_unlock(&flush_lock);
}

static int flusher(void *unused)
{
	msleep(800);
	buffers_flush();
	return 0;
}

static int client(void *unused)
{
	msleep(1000);
	mutex_lock(&flush_lock);
	mutex_unlock(&flush_lock);
	return 0;
}

static int __init buffers_init(void)
{
	run_thread(writer, NULL, 0, "writer");
	run_thread(flusher, NULL, 0, "flusher");
	return run_thread(client, NULL, 1, "client");
}
module_init(buffers_init);
