// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  What a disk has stored is damaged, by something that wrote zeros over its inode table.  The disk answers all that it
 * is asked; ext4 finds it out and panics, as the file system is made with errors=panic.
 *
 * pattern: silent corruption below a file system; errors=panic
 * upstream: the class of ext4's "bad extra_isize", "iget: checksum invalid" on damaged images, syzbot
 * finding: ext4 on stored0 found a damaged inode and panicked as it was told; no I/O error in the log
 * never: an I/O error; the disk does not answer; a bug of ext4; "ls" as the culprit
 * x86: the guest runs a program of the host
 * must: ^shown: The file system on stored0 .*error in itself
 * not: reads or writes
 * programs: /bin/make-ext4 mke2fs
 * guest: load_modules /lib/modules
 * guest: insmod /test/ext4-on-damaged-disk.ko
 * guest: make-ext4 -q -F -t ext4 -E lazy_itable_init=0 /dev/stored0
 * guest: mkdir -p /tmp/mnt
 * guest: mount -t ext4 -o errors=panic /dev/stored0 /tmp/mnt
 * guest: mkdir /tmp/mnt/one
 * guest: echo text >/tmp/mnt/one/file
 * guest: umount /tmp/mnt
 * guest: echo 1 >/sys/module/ext4_on_damaged_disk/parameters/damage
 * guest: mount -t ext4 -o errors=panic /dev/stored0 /tmp/mnt
 * guest: ls -l /tmp/mnt/one /tmp/mnt/lost+found
 */
#include <linux/moduleparam.h>
#include "ramdisk.h"

static bool disk_works(struct bio *bio)
{
	return true;
}

/* All inodes are overwritten but those up to 2: mode and size of a directory are left out of the zeros. */
static int damage_set(const char *text, const struct kernel_param *param)
{
	u32 table = *(u32 *)(disk_memory + (*(u32 *)(disk_memory + 1024 + 24) ? 4096 : 2048) + 8);
	u32 block = 1024 << *(u32 *)(disk_memory + 1024 + 24);
	u16 size = *(u16 *)(disk_memory + 1024 + 88);

	memset(disk_memory + (u64)table * block + 10 * size + 4, 0x5a, 8 * size);
	return 0;
}

static const struct kernel_param_ops damage_ops = { .set = damage_set };
module_param_cb(damage, &damage_ops, NULL, 0200);

static int __init disk_init(void)
{
	return add_ramdisk("stored0");
}
module_init(disk_init);
