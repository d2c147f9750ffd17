// SPDX-License-Identifier: GPL-2.0-only
/* The signatures that a disk has where something was written to it: each a few bytes at a fixed place. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "disk_signature.h"

static const struct {
	const char	*what;
	const char	*bytes;
	u32		off;
	u8		length;
} signatures[] = {
	{ "an XFS file system",			"XFSB", 0, 4 },
	{ "a squashfs file system",		"hsqs", 0, 4 },
	{ "a file system of type FAT",		"FAT12   ", 54, 8 },
	{ "a file system of type FAT",		"FAT16   ", 54, 8 },
	{ "a file system of type FAT",		"FAT32   ", 82, 8 },
	{ "an exFAT file system",		"EXFAT   ", 3, 8 },
	{ "a btrfs file system",		"_BHRfS_M", 65536 + 64, 8 },
	{ "an F2FS file system",		"\x10\x20\xf5\xf2", 1024, 4 },
	{ "an encrypted volume (LUKS)",		"LUKS\xba\xbe", 0, 6 },
	{ "a physical volume of LVM",		"LABELONE", 512, 8 },
	{ "a member of a RAID (md)",		"\xfc\x4e\x2b\xa9", 4096, 4 },
	{ "a partition table (GPT)",		"EFI PART", 512, 8 },
	{ "swap space",				"SWAPSPACE2", 4096 - 10, 10 },
	{ "a namespace of nvdimm",		"NVDIMM_BTT_INFO", 4096, 16 },
	{ "a namespace of nvdimm",		"NVDIMM_PFN_INFO", 4096, 16 },
	{ "a namespace of nvdimm",		"NVDIMM_DAX_INFO", 4096, 16 },
	{ "a dump of ramoops",			"DBGC", 0, 4 },
	{ }
};

/* Its magic has two bytes: the size of a block and the revision are looked at as well. */
static bool is_ext(const u8 *super)
{
	return !memcmp(super + 0x38, "\x53\xef", 2) && super[0x18] <= 6 && super[0x4c] <= 1;
}

/* Two bytes as well, so each of the four entries has to be one: active or not. */
static bool is_partition_table(const u8 *entries)
{
	bool has_partition = false;
	unsigned int i;

	for (i = 0; i < 4; i++, entries += 16) {
		if (entries[0] & 0x7f)
			return false;
		has_partition |= entries[4];
	}
	return has_partition && !memcmp(entries, "\x55\xaa", 2);
}

static const struct {
	bool		(*is_there)(const u8 *bytes);
	const char	*what;
	u32		off;
	u8		length;
} structures[] = {
	{ is_partition_table,	"a partition table", 446, 66 },
	{ is_ext,		"an ext2, ext3 or ext4 file system", 1024, 80 },
	{ }
};

const char *epitaph_disk_signature(size_t (*read)(void *to, u64 off, size_t size), u64 size)
{
	u8 bytes[80];
	size_t i, n;

	for (i = 0; signatures[i].what; i++) {
		n = signatures[i].length;
		if (signatures[i].off + n <= size && read(bytes, signatures[i].off, n) == n &&
		    !memcmp(bytes, signatures[i].bytes, n))
			return signatures[i].what;
	}
	for (i = 0; structures[i].what; i++) {
		n = structures[i].length;
		if (structures[i].off + n <= size && read(bytes, structures[i].off, n) == n &&
		    structures[i].is_there(bytes))
			return structures[i].what;
	}
	return NULL;
}
