// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Two readers and a mutex: the first reads and wants the mutex, the second has the mutex and wants to read, and
 * a writer that came between keeps the second out.  All eyes fall on the writer.
 *
 * pattern: ABBA of a mutex and an rwsem that is only read, closed by a writer in the queue
 * upstream: the class of mmap_lock read recursion (io_uring, vfio: mmap_lock against a driver's lock) and of kernfs_rwsem
 * finding: deadlock: map-fault reads map_sem and waits for bank_lock, which bank-sync holds; bank-sync waits to read map_sem behind the writer map-resize, which waits for map-fault.  Guilty: the order of map_sem and bank_lock in bank_sync()
 * never: map-resize as the culprit, or as one who holds map_sem; a reader that read twice; a self-deadlock
 * must: ^likely: A deadlock: .*(map-fault.*bank-sync|bank-sync.*map-fault)
 * not: map-resize-[0-9]+ holds
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/reader-behind-writer.ko
 */
#include <linux/rwsem.h>
#include "crash.h"

static DECLARE_RWSEM(map_sem);
static DEFINE_MUTEX(bank_lock);
static unsigned long pages, banks;

static noinline void map_fault_one(void)
{
	down_read(&map_sem);
	msleep(600);
	mutex_lock(&bank_lock);
	banks++;
	mutex_unlock(&bank_lock);
	up_read(&map_sem);
}

static int map_fault(void *unused)
{
	msleep(500);
	map_fault_one();
	return 0;
}

static noinline void map_resize_to(unsigned long n)
{
	down_write(&map_sem);
	pages = n;
	up_write(&map_sem);
}

static int map_resize(void *unused)
{
	msleep(650);
	map_resize_to(9);
	return 0;
}

static noinline void bank_sync_all(void)
{
	mutex_lock(&bank_lock);
	msleep(200);
	down_read(&map_sem);
	banks += pages;
	up_read(&map_sem);
	mutex_unlock(&bank_lock);
}

static int bank_sync(void *unused)
{
	msleep(600);
	bank_sync_all();
	return 0;
}

static int __init map_init(void)
{
	run_thread(map_resize, NULL, -1, "map-resize");
	run_thread(map_fault, NULL, -1, "map-fault");
	return run_thread(bank_sync, NULL, -1, "bank-sync");
}
module_init(map_init);
