// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mirror ends a bio for one leg and again for the other one.
 *
 * pattern: bio_endio() twice
 * upstream: the class of double completions: dm, md raid1, nvme retry, nbd
 * finding: a bio was freed twice; the second bio_endio() was of disk_submit() of this module
 * never: dd; mpage_readahead()
 * must: ^likely: bio_free\(\) freed an object that was free already
 * not: dd-
 * guest: insmod /test/mirror-disk.ko
 * guest: sleep 1
 * guest: dd if=/dev/mirror0 of=/dev/null bs=64k count=100
 * guest: dd if=/dev/mirror0 of=/dev/null bs=64k count=100 skip=100
 * guest: sleep 30
 */
#include "ramdisk.h"

static unsigned long reads;

/* The second half is answered by the other leg, whose answer counts. */
static noinline void other_leg(struct bio *bio)
{
	reads++;
	bio->bi_status = BLK_STS_OK;
	bio_endio(bio);
}

static bool disk_works(struct bio *bio)
{
	if (bio_op(bio) == REQ_OP_READ && bio->bi_iter.bi_sector >= 8192)
		other_leg(bio);
	return true;
}

static int __init mirror_init(void)
{
	return add_ramdisk("mirror0");
}
module_init(mirror_init);
