// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A card has a FAT file system, in whose table the second cluster of a file is marked as free: it was taken out
 * of a camera that wrote.  The card answers all that it is asked; FAT panics as it was told by errors=panic.
 *
 * pattern: damaged file allocation table; errors=panic
 * upstream: the class of "fat_get_cluster: invalid cluster chain"
 * finding: the file system FAT on card0 found an error in itself and panicked as it was told
 * never: an I/O error; that the disk does not answer; "cat"; a bug of this module's code
 * must: ^shown: The file system on card0 .*error in itself
 * region: ^shown: The file system on card0
 * not: reads or writes|cat-
 * modules: vfat nls_cp437 nls_ascii
 * guest: load_modules /lib/modules
 * guest: insmod /test/fat-free-cluster.ko
 * guest: mkdir -p /tmp/mnt
 * guest: mount -t vfat -o errors=panic /dev/card0 /tmp/mnt
 * guest: ls -l /tmp/mnt
 * guest: cat /tmp/mnt/* >/dev/null
 */
#include "ramdisk.h"

static bool disk_works(struct bio *bio)
{
	return true;
}

/* A FAT16 with clusters of 2 KiB, and FILE.TXT with 8 KiB from cluster 2 on. */
static void make_fat(u8 *disk)
{
	static const u8 boot[] = {
		0xeb, 0x3c, 0x90, 'M', 'S', 'D', 'O', 'S', '5', '.', '0', 0x00, 0x02, 0x04, 0x01, 0x00,
		0x01, 0x00, 0x02, 0x00, 0x80, 0xf8, 0x20, 0x00, 0x20, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00,
	};
	u8 *fat = disk + 512, *root = fat + 32 * 512;

	memcpy(disk, boot, sizeof(boot));
	disk[510] = 0x55;
	disk[511] = 0xaa;
	*(u16 *)(fat + 0) = 0xfff8;
	*(u16 *)(fat + 2) = 0xffff;
	*(u16 *)(fat + 4) = 3;
	*(u16 *)(fat + 6) = 0;
	memcpy(root, "FILE    TXT", 11);
	root[11] = 0x20;
	*(u16 *)(root + 26) = 2;
	*(u32 *)(root + 28) = 8192;
}

static int __init card_init(void)
{
	int err = add_ramdisk("card0");

	make_fat(disk_memory);
	return err;
}
module_init(card_init);
