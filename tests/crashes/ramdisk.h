/* SPDX-License-Identifier: GPL-2.0-only */
/* A disk in memory for the modules of this directory, which goes wrong in the way of the includer. */
#ifndef RAMDISK_H
#define RAMDISK_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/vmalloc.h>
#include "crash.h"

#define DISK_BYTES (16UL << 20)

static u8 *disk_memory;

/* What becomes of a bio: true if it is carried out. */
static bool disk_works(struct bio *bio);

static void disk_submit(struct bio *bio)
{
	u64 at = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT;
	struct bvec_iter iter;
	struct bio_vec bv;

	if (!disk_works(bio))
		return;
	bio_for_each_segment(bv, bio, iter) {
		u8 *page = kmap_local_page(bv.bv_page);

		if (op_is_write(bio_op(bio)))
			memcpy(disk_memory + at, page + bv.bv_offset, bv.bv_len);
		else
			memcpy(page + bv.bv_offset, disk_memory + at, bv.bv_len);
		kunmap_local(page);
		at += bv.bv_len;
	}
	bio_endio(bio);
}

static const struct block_device_operations disk_operations = {
	.owner = THIS_MODULE,
	.submit_bio = disk_submit,
};

static int add_ramdisk(const char *name)
{
#ifdef BLK_FEAT_WRITE_CACHE
	struct gendisk *disk = blk_alloc_disk(NULL, NUMA_NO_NODE);
#else
	struct gendisk *disk = blk_alloc_disk(NUMA_NO_NODE);
#endif

	disk_memory = vzalloc(DISK_BYTES);
	disk->major = register_blkdev(0, name);
	disk->minors = 1;
	disk->fops = &disk_operations;
	strscpy(disk->disk_name, name, sizeof(disk->disk_name));
#ifdef DISK_HAS_CACHE
	blk_queue_write_cache(disk->queue, true, false);
#endif
	set_capacity(disk, DISK_BYTES >> SECTOR_SHIFT);
	return add_disk(disk);
}

#endif
