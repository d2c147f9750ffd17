// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A disk takes bio->bi_private for its own pointer; but who submitted the bio has it.  Of a flush it is a completion on the
 * stack of blkdev_issue_flush(), which waits there: that stack is in use, and its task innocent.
 *
 * pattern: a private pointer of another layer is taken for one's own
 * upstream: the class of stacked block drivers that used bi_private without a clone
 * finding: unit_work() of the disk followed bi_private, which is the submitter's
 * never: a variable of a function that came back; a stack that was left
 * not: came back before|of a task that has ended
 * kernels: 6.1
 * guest: insmod /test/private-of-submitter.ko
 * guest: dd if=/dev/zero of=/dev/unitdisk bs=4096 count=16 conv=fsync
 * guest: sleep 30
 */
#define DISK_HAS_CACHE
#include "ramdisk.h"

struct unit {
	u64 flushes;
};

struct unit_command {
	u64 tag[4];
	struct unit *unit;
};

static struct bio *flush;
static DECLARE_WAIT_QUEUE_HEAD(flush_queue);

static noinline void unit_work(struct unit_command *command)
{
	struct unit *unit = command->unit;

	unit->flushes++;
	command->tag[1] = unit->flushes;
}

static int unit_thread(void *unused)
{
	for (;;) {
		wait_event(flush_queue, READ_ONCE(flush));
		msleep(20);
		unit_work(flush->bi_private);
		bio_endio(flush);
		WRITE_ONCE(flush, NULL);
	}
	return 0;
}

static bool disk_works(struct bio *bio)
{
	if (!op_is_flush(bio->bi_opf))
		return true;
	flush = bio;
	wake_up(&flush_queue);
	return false;
}

static int __init unit_init(void)
{
	int err = run_thread(unit_thread, NULL, -1, "unit");

	return err ? err : add_ramdisk("unitdisk");
}
module_init(unit_init);
