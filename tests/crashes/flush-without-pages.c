// SPDX-License-Identifier: GPL-2.0-only
/*
 * A disk says that it has a write cache, and then does not expect a request to flush it, which has no pages.
 *
 * pattern: a bio-based driver that takes the first page of each bio
 * upstream: the class of zero-length bios (bcache, zram, dm targets)
 * finding: NULL pointer in store_block() of this module: the bio has no pages (its bi_io_vec is NULL)
 * never: "dd"; the page cache or block layer; I/O errors of a disk
 * must: ^shown: store_block\(\) .*NULL pointer
 * not: dd-|I/O
 * kernels: 6.1
 * guest: insmod /test/flush-without-pages.ko
 * guest: sleep 1
 * guest: dd if=/dev/zero of=/dev/cached0 bs=4k count=8 conv=fsync
 * guest: sync
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/vmalloc.h>
#include "crash.h"

#define DISK_BYTES (16UL << 20)

static u8 *disk_memory;

static noinline void store_block(struct bio *bio)
{
	struct bio_vec *first = UNKNOWN(bio->bi_io_vec);
	u8 *from = kmap_local_page(READ_ONCE(first->bv_page));
	u64 at = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT;
	unsigned int i;

	for (i = 0; i < first->bv_len && at + i < DISK_BYTES; i++)
		disk_memory[at + i] = from[i];
	kunmap_local(from);
}

static void disk_submit(struct bio *bio)
{
	u64 at = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT;
	struct bvec_iter iter;
	struct bio_vec bv;

	if (op_is_write(bio_op(bio))) {
		store_block(bio);
	} else {
		bio_for_each_segment(bv, bio, iter) {
			u8 *page = kmap_local_page(bv.bv_page);

			memcpy(page + bv.bv_offset, disk_memory + at, bv.bv_len);
			kunmap_local(page);
			at += bv.bv_len;
		}
	}
	bio_endio(bio);
}

static const struct block_device_operations disk_operations = {
	.owner = THIS_MODULE,
	.submit_bio = disk_submit,
};

static int __init disk_init(void)
{
	struct gendisk *disk = blk_alloc_disk(NUMA_NO_NODE);

	disk_memory = vzalloc(DISK_BYTES);
	disk->major = register_blkdev(0, "cached0");
	disk->minors = 1;
	disk->fops = &disk_operations;
	strscpy(disk->disk_name, "cached0", sizeof(disk->disk_name));
	set_capacity(disk, DISK_BYTES >> SECTOR_SHIFT);
	blk_queue_write_cache(disk->queue, true, false);
	return add_disk(disk);
}
module_init(disk_init);
