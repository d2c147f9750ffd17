// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A bio driver parks bios on a retry list; a pause deletes the timer that would send them, and resume does not arm it again.
 *
 * pattern: timer not re-armed after a quiesce: I/O that never completes
 * upstream: the class of nvme-multipath requeue_list / dm-mpath queued bios without a kick; virtio_blk/aoe requeue timers
 * finding: bios of dd sit on v->retry of struct vdsk and retry_timer is not pending while paused is false: vdsk_pause() deleted the timer (called by vdsk-fabric at the link flap) and vdsk_resume() did not arm it again; the writer waits for their writeback for ever
 * never: dd, the page cache or the block layer as the cause; a deadlock on locks; bios lost or freed; slow or broken storage hardware
 * kernels: 6.1
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/vdsk-retry.ko
 * guest: mkdir -p /tmp
 * guest: mknod /tmp/vdsk0 b 251 0
 * guest: dd if=/dev/zero of=/tmp/vdsk0 bs=4k count=64 &
 */
#include "crash.h"
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/bvec.h>
#include <linux/vmalloc.h>

#define VDSK_SECTORS	2048
#define VDSK_CREDITS	4

struct vdsk {
	spinlock_t lock;
	bool paused;
	u32 credits, done, flaps;
	struct bio_list retry;
	struct timer_list retry_timer;
	char *store;
	struct gendisk *disk;
};

static noinline void vdsk_transfer(struct vdsk *v, struct bio *bio)
{
	char *at = v->store + (bio->bi_iter.bi_sector << 9);
	struct bvec_iter iter;
	struct bio_vec bv;

	bio_for_each_segment(bv, bio, iter) {
		if (bio_data_dir(bio) == WRITE)
			memcpy_from_bvec(at, &bv);
		else
			memcpy_to_bvec(&bv, at);
		at += bv.bv_len;
	}
	v->done++;
	bio_endio(bio);
}

static void vdsk_retry(struct timer_list *t)
{
	struct vdsk *v = from_timer(v, t, retry_timer);
	struct bio_list todo = BIO_EMPTY_LIST;
	struct bio *bio;

	spin_lock(&v->lock);
	for (v->credits = VDSK_CREDITS; v->credits; v->credits--) {
		bio = bio_list_pop(&v->retry);
		if (!bio)
			break;
		bio_list_add(&todo, bio);
	}
	if (!bio_list_empty(&v->retry))
		mod_timer(&v->retry_timer, jiffies + HZ / 10);
	spin_unlock(&v->lock);
	while ((bio = bio_list_pop(&todo)))
		vdsk_transfer(v, bio);
}

static void vdsk_submit_bio(struct bio *bio)
{
	struct vdsk *v = bio->bi_bdev->bd_disk->private_data;

	spin_lock_bh(&v->lock);
	if (v->paused || !v->credits) {
		bio_list_add(&v->retry, bio);
		if (!v->paused && !timer_pending(&v->retry_timer))
			mod_timer(&v->retry_timer, jiffies + HZ / 10);
		spin_unlock_bh(&v->lock);
		return;
	}
	v->credits--;
	spin_unlock_bh(&v->lock);
	vdsk_transfer(v, bio);
}

static noinline void vdsk_pause(struct vdsk *v)
{
	spin_lock_bh(&v->lock);
	v->paused = true;
	spin_unlock_bh(&v->lock);
	del_timer_sync(&v->retry_timer);
}

static noinline void vdsk_resume(struct vdsk *v)
{
	spin_lock_bh(&v->lock);
	v->paused = false;
	v->credits = VDSK_CREDITS;
	v->flaps++;
	spin_unlock_bh(&v->lock);
}

static int vdsk_fabric(void *data)
{
	struct vdsk *v = data;

	while (!READ_ONCE(v->retry.head))
		usleep_range(500, 1000);
	vdsk_pause(v);
	msleep(1500);
	vdsk_resume(v);
	for (;;)
		schedule_timeout_idle(HZ);
	return 0;
}

static const struct block_device_operations vdsk_fops = {
	.owner = THIS_MODULE,
	.submit_bio = vdsk_submit_bio,
};

static int __init vdsk_init(void)
{
	struct vdsk *v = kzalloc(sizeof(*v), GFP_KERNEL);
	int err;

	if (!v)
		return -ENOMEM;
	spin_lock_init(&v->lock);
	bio_list_init(&v->retry);
	timer_setup(&v->retry_timer, vdsk_retry, 0);
	v->credits = VDSK_CREDITS;
	v->store = vzalloc(VDSK_SECTORS << 9);
	v->disk = blk_alloc_disk(NUMA_NO_NODE);
	err = register_blkdev(251, "vdsk");
	if (!v->store || !v->disk || err < 0)
		return -ENOMEM;
	v->disk->major = 251;
	v->disk->first_minor = 0;
	v->disk->minors = 1;
	v->disk->flags |= GENHD_FL_NO_PART;
	v->disk->fops = &vdsk_fops;
	v->disk->private_data = v;
	strscpy(v->disk->disk_name, "vdsk0", DISK_NAME_LEN);
	set_capacity(v->disk, VDSK_SECTORS);
	err = add_disk(v->disk);
	if (err)
		return err;
	return run_thread(vdsk_fabric, v, -1, "vdsk-fabric");
}
module_init(vdsk_init);
