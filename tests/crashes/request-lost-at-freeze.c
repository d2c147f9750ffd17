// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A blk-mq driver forgets one of its requests.  Much later "remover" changes the disk, and waits for the queue to
 * be empty, with a mutex that "status" wants.
 *
 * pattern: a request that is never ended; blk_mq_freeze_queue() then waits for ever
 * upstream: the class of hung tasks in blk_mq_freeze_queue_wait() (nbd, nvme, loop)
 * finding: "status" waits for "remover", which waits until all requests of queue lost0 have ended; one never does
 * never: "remover" as the culprit without what it waits for; a deadlock
 * must: ^shown: remover-[0-9]+ waits until all requests of the disk lost0
 * not: deadlock
 * kernels: 6.1
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/request-lost-at-freeze.ko
 * guest: sleep 1
 * guest: dd if=/dev/lost0 of=/dev/null bs=4k count=1 skip=2000 &
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include "crash.h"

static struct blk_mq_tag_set tags;
static struct gendisk *disk;
static DEFINE_MUTEX(config_lock);

static blk_status_t disk_queue(struct blk_mq_hw_ctx *hctx, const struct blk_mq_queue_data *bd)
{
	blk_mq_start_request(bd->rq);
	if (blk_rq_pos(bd->rq) < 8192)
		blk_mq_end_request(bd->rq, BLK_STS_OK);
	return BLK_STS_OK;
}

static const struct blk_mq_ops disk_mq_ops = { .queue_rq = disk_queue };
static const struct block_device_operations disk_ops = { .owner = THIS_MODULE };

static int remover(void *unused)
{
	msleep(4000);
	mutex_lock(&config_lock);
	blk_mq_freeze_queue(disk->queue);
	set_capacity(disk, 4096);
	blk_mq_unfreeze_queue(disk->queue);
	mutex_unlock(&config_lock);
	return 0;
}

static int status(void *unused)
{
	msleep(5000);
	mutex_lock(&config_lock);
	mutex_unlock(&config_lock);
	return 0;
}

static int __init disk_init(void)
{
	tags.ops = &disk_mq_ops;
	tags.nr_hw_queues = 1;
	tags.queue_depth = 8;
	tags.numa_node = NUMA_NO_NODE;
	tags.flags = BLK_MQ_F_SHOULD_MERGE;
	if (blk_mq_alloc_tag_set(&tags))
		return -ENOMEM;
	disk = blk_mq_alloc_disk(&tags, NULL);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	disk->major = register_blkdev(0, "lost");
	disk->minors = 1;
	disk->fops = &disk_ops;
	strscpy(disk->disk_name, "lost0", sizeof(disk->disk_name));
	set_capacity(disk, 32768);
	if (add_disk(disk))
		return -EIO;
	run_thread(remover, NULL, -1, "remover");
	return run_thread(status, NULL, -1, "status");
}
module_init(disk_init);
