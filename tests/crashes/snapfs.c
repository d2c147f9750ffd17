// SPDX-License-Identifier: GPL-2.0-only
/*
 * A snapshot that finds no room freezes the writers, while it counts as one.
 *
 * pattern: freeze under own write access (btrfs/f2fs/gfs2: sb_start_write held, percpu_down_write by the same task)
 * finding: sh, in snap_ioctl(), holds wr_gate for reading and wants it for writing in snap_freeze()
 * never: fsync-a, fsync-b, flusher
 * must: likely: sh-[0-9]+ waits for itself: it wants to write a per-CPU semaphore that it has for reading, taken in snap_ioctl\(\)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/snapfs.ko
 * guest: sh -c 'for i in 1 2 3 4 5 6; do echo $i >/proc/snap_take; sleep 0.1; done' &
 * guest: while :; do read line </proc/uptime; sleep 0.5; done
 */
#include <linux/percpu-rwsem.h>
#include "crash.h"

struct vol {
	struct percpu_rw_semaphore wr_gate;
	u32 free_extents, snaps, generation;
	u64 dirtied, flushed;
};

static struct vol *vol;

static noinline void snap_freeze(struct vol *v)
{
	percpu_down_write(&v->wr_gate);
	v->generation++;
	percpu_up_write(&v->wr_gate);
}

static noinline void extent_trim(struct vol *v)
{
	snap_freeze(v);
	v->free_extents += 40;
}

static noinline int cow_reserve(struct vol *v, u32 n)
{
	if (v->free_extents < n)
		extent_trim(v);
	v->free_extents -= n;
	usleep_range(2000, 3000);
	return 0;
}

static noinline int snap_ioctl(u32 id)
{
	int err;

	percpu_down_read(&vol->wr_gate);
	err = cow_reserve(vol, 16);
	vol->snaps++;
	percpu_up_read(&vol->wr_gate);
	return err;
}

PROC_NUMBER(snap_take, snap_ioctl);

static noinline void file_write(struct vol *v, u32 bytes)
{
	percpu_down_read(&v->wr_gate);
	v->dirtied += bytes;
	usleep_range(500, 1000);
	percpu_up_read(&v->wr_gate);
}

static int fsync_run(void *data)
{
	for (;;) {
		file_write(vol, 4096);
		msleep(8 + (long)data);
	}
	return 0;
}

static int flusher(void *unused)
{
	for (;;) {
		vol->flushed = vol->dirtied;
		msleep(30);
	}
	return 0;
}

static int __init snapfs_init(void)
{
	vol = kzalloc(sizeof(*vol), GFP_KERNEL);
	if (!vol || percpu_init_rwsem(&vol->wr_gate))
		return -ENOMEM;
	vol->free_extents = 70;
	run_thread(fsync_run, (void *)1, -1, "fsync-a");
	run_thread(fsync_run, (void *)4, -1, "fsync-b");
	run_thread(flusher, NULL, -1, "flusher");
	return proc_create("snap_take", 0600, NULL, &snap_take_pops) ? 0 : -ENOMEM;
}
module_init(snapfs_init);
