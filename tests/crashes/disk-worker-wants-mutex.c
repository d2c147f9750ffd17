// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A disk's requests are carried out by a work item, which takes the mutex of the disk's settings; who changes
 * the settings holds that mutex and reads the disk.  The disk is accused, and it is not the disk.
 *
 * pattern: I/O under a lock that the completion of I/O needs
 * upstream: the class of loop (lo_mutex, "loop: fix deadlock in lo_release/ioctl"), nbd config_lock, zram init_lock against I/O
 * finding: deadlock: mapd-config holds settings_lock and waits for I/O of mapd0; that I/O is carried out by the work function mapd_work(), which waits for settings_lock
 * never: the disk as hardware that does not answer, or that lost a request; dd; the workqueue; a worker that is missing
 * must: ^likely: A deadlock: mapd-config-[0-9]+ waits for the disk mapd0 .*mapd_work\(\)
 * not: dd-|answers
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/disk-worker-wants-mutex.ko
 * guest: sleep 1
 * guest: dd if=/dev/mapd0 of=/dev/null bs=4k count=1 skip=1000 2>/dev/null
 */
#include <linux/fs.h>
#include "ramdisk.h"

static DEFINE_MUTEX(settings_lock);
static DEFINE_SPINLOCK(queue_lock);
static struct bio_list queue;
static unsigned int ratio;

static void mapd_work(struct work_struct *work)
{
	struct bio *bio;

	for (;;) {
		spin_lock(&queue_lock);
		bio = bio_list_pop(&queue);
		spin_unlock(&queue_lock);
		if (!bio)
			return;
		mutex_lock(&settings_lock);
		ratio++;
		mutex_unlock(&settings_lock);
		zero_fill_bio(bio);
		bio_endio(bio);
	}
}
static DECLARE_WORK(mapd_job, mapd_work);

static bool disk_works(struct bio *bio)
{
	spin_lock(&queue_lock);
	bio_list_add(&queue, bio);
	spin_unlock(&queue_lock);
	queue_work(system_unbound_wq, &mapd_job);
	return false;
}

static noinline void mapd_reload(void)
{
	struct file *file;
	static u8 buffer[4096];
	loff_t at = 6 << 20;

	file = filp_open("/dev/mapd0", O_RDONLY, 0);
	if (IS_ERR(file))
		return;
	mutex_lock(&settings_lock);
	kernel_read(file, buffer, sizeof(buffer), &at);
	mutex_unlock(&settings_lock);
	filp_close(file, NULL);
}

static int mapd_config(void *unused)
{
	msleep(3000);
	mapd_reload();
	return 0;
}

static int __init mapd_init(void)
{
	bio_list_init(&queue);
	run_thread(mapd_config, NULL, -1, "mapd-config");
	return add_ramdisk("mapd0");
}
module_init(mapd_init);
