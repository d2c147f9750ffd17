// SPDX-License-Identifier: GPL-2.0-only
/*
 * A disk begins to refuse writes; ext4, mounted with errors=panic, gives up.
 *
 * pattern: errors=panic over a failing disk
 * finding: panic by ext4 of device failing0, because of an I/O error of that disk before
 * never: ext4 as faulty; the task that wrote, as the cause; damaged file system without the I/O error
 * x86: the guest runs a program of the host
 * must: ^likely: .*failing0 .*after reads or writes of its disk had failed
 * not: mkdir|in itself
 * programs: /bin/make-ext4 mke2fs
 * guest: load_modules /lib/modules
 * guest: insmod /test/disk-fails-under-ext4.ko
 * guest: sleep 1
 * guest: make-ext4 -q -F -t ext4 -E lazy_itable_init=0 /dev/failing0
 * guest: mkdir -p /tmp/mnt
 * guest: mount -t ext4 -o errors=panic /dev/failing0 /tmp/mnt
 * guest: echo 1 >/sys/module/disk_fails_under_ext4/parameters/fails
 * guest: for i in 1 2 3 4 5 6 7 8; do mkdir /tmp/mnt/$i; echo $i >/tmp/mnt/$i/f; sync; sleep 1; done
 */
#include "ramdisk.h"

static bool fails;
module_param(fails, bool, 0600);

static bool disk_works(struct bio *bio)
{
	if (!fails || !op_is_write(bio_op(bio)))
		return true;
	bio_io_error(bio);
	return false;
}

static int __init failing_init(void)
{
	return add_ramdisk("failing0");
}
module_init(failing_init);
