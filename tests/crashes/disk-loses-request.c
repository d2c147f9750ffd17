// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A disk loses a request.  "dd" waits for it and holds nothing else; thread "keeper" reads the
 * disk too, with a mutex held, and "client" waits for that mutex.
 *
 * pattern: a block driver that loses a completion; tasks pile up behind a file system's locks
 * finding: hung: "client" waits for table_lock of "keeper", which waits for I/O or a page of lossy0; the disk
 *	does not answer
 * never: "keeper" as the culprit without the I/O; a deadlock (cycle); dd
 * must: ^shown: .*client-[0-9]+ waits .*keeper-[0-9]+ holds .*page
 * not: deadlock|dd-
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/disk-loses-request.ko
 * guest: sleep 1
 * guest: dd if=/dev/lossy0 of=/dev/null bs=4k count=1 skip=3000 &
 */
#include <linux/fs.h>
#include "ramdisk.h"

static DEFINE_MUTEX(table_lock);

static bool disk_works(struct bio *bio)
{
	return bio->bi_iter.bi_sector < 8192;
}

static noinline void read_table(void)
{
	struct file *file = filp_open("/dev/lossy0", O_RDONLY, 0);
	static u8 buffer[4096];
	loff_t at = 6 << 20;

	if (IS_ERR(file))
		return;
	kernel_read(file, buffer, sizeof(buffer), &at);
	filp_close(file, NULL);
}

static int keeper(void *unused)
{
	msleep(2000);
	mutex_lock(&table_lock);
	read_table();
	mutex_unlock(&table_lock);
	return 0;
}

static int client(void *unused)
{
	msleep(2300);
	mutex_lock(&table_lock);
	mutex_unlock(&table_lock);
	return 0;
}

static int __init lossy_init(void)
{
	run_thread(client, NULL, -1, "client");
	run_thread(keeper, NULL, -1, "keeper");
	return add_ramdisk("lossy0");
}
module_init(lossy_init);
