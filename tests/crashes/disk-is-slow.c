// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A disk takes 14 seconds for a read, and then answers: nothing is lost.  "reader" reads it with a mutex held; "client"
 * waits for the mutex.  The limit is 10 s.
 *
 * pattern: hung_task_panic with slow storage
 * finding: "client" or "reader" waits, at last for I/O of slow0
 * never: a lost request; a deadlock; "reader" as the culprit without the I/O; that the disk never answers
 * must: ^shown: client-[0-9]+ waits .*reader-[0-9]+ holds .*page
 * not: deadlock|never|lost
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/disk-is-slow.ko
 */
#include <linux/fs.h>
#include "ramdisk.h"

static DEFINE_MUTEX(table_lock);
static bool slow;

static struct {
	struct delayed_work work;
	struct bio *bio;
} later[64];
static atomic_t used;

static void answer(struct work_struct *work)
{
	bio_endio(container_of(to_delayed_work(work), typeof(later[0]), work)->bio);
}

static bool disk_works(struct bio *bio)
{
	int i;

	if (!READ_ONCE(slow))
		return true;
	i = atomic_inc_return(&used) - 1;
	later[i].bio = bio;
	INIT_DELAYED_WORK(&later[i].work, answer);
	schedule_delayed_work(&later[i].work, 14 * HZ);
	return false;
}

static noinline void read_table(int n)
{
	struct file *file = filp_open("/dev/slow0", O_RDONLY, 0);
	static u8 buffer[4096];
	loff_t at = n << 20;

	if (IS_ERR(file))
		return;
	kernel_read(file, buffer, sizeof(buffer), &at);
	filp_close(file, NULL);
}

static int reader(void *unused)
{
	int i;

	msleep(1000);
	slow = true;
	mutex_lock(&table_lock);
	for (i = 1; i < 12; i++)
		read_table(i);
	mutex_unlock(&table_lock);
	return 0;
}

static int client(void *unused)
{
	msleep(2000);
	mutex_lock(&table_lock);
	mutex_unlock(&table_lock);
	return 0;
}

static int __init disk_init(void)
{
	int ret = add_ramdisk("slow0");

	if (ret)
		return ret;
	run_thread(reader, NULL, -1, "reader");
	return run_thread(client, NULL, -1, "client");
}
module_init(disk_init);
