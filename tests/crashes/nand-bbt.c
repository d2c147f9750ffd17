// SPDX-License-Identifier: GPL-2.0-only
/*
 * An offset of 32 bits is put together as an int, and extended with its sign: the image lies 4 GiB further down.
 *
 * pattern: sign extension of a byte that is shifted by 24
 * upstream: the class of "sign extension bug in get_unaligned-like code" (mtd, hid, staging), by Coverity
 * finding: bbt_entry() reads at 4 GiB in front of the image (image plus 0xffffffff00010000): an offset above 2 GiB was extended with its sign in le32_at()
 * never: freed memory; the guard page of an area; that the image was given back; a NULL pointer
 * must: ^likely: bbt_bad_blocks\(\) of module nand_bbt .* 4 GiB behind that is an area of vmalloc\(\)
 * not: freed|guard page|given back|NULL
 * guest: insmod /test/nand-bbt.ko
 */
#include "crash.h"
#include <linux/vmalloc.h>

#define IMAGE_SIZE (4 << 20)

struct bbt_desc {
	u8 type, chips;
	u8 offset[4];			/* little endian, of the flash */
	u8 blocks[2];
};

struct bbt_entry {
	u32 seq;
	u16 version;
	u16 bad;
};

struct nand_chip {
	u8 *image;			/* of the flash, from base on */
	u64 base;
	struct bbt_desc *descs;
	u32 n_descs, bad_blocks, scans;
	struct mutex lock;
};

static u64 le32_at(const u8 *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24;
}

static noinline struct bbt_entry *bbt_entry(struct nand_chip *chip, const struct bbt_desc *desc)
{
	return (struct bbt_entry *)(chip->image + (le32_at(desc->offset) - chip->base));
}

static noinline u32 bbt_bad_blocks(struct nand_chip *chip, u32 n)
{
	u32 bad = 0, i;

	for (i = 0; i < n; i++) {
		struct bbt_entry *entry = bbt_entry(chip, &chip->descs[i]);

		if (entry->version)
			bad += entry->bad;
	}
	return bad;
}

static int bbt_scan(void *data)
{
	struct nand_chip *chip = data;

	for (;;) {
		mutex_lock(&chip->lock);
		chip->scans++;
		chip->bad_blocks = bbt_bad_blocks(chip, min(chip->scans / 4 + 1, chip->n_descs));
		mutex_unlock(&chip->lock);
		msleep(40);
	}
	return 0;
}

static int __init nand_init(void)
{
	struct nand_chip *chip = kzalloc(sizeof(*chip), GFP_KERNEL);
	u32 i;

	if (!chip)
		return -ENOMEM;
	mutex_init(&chip->lock);
	chip->base = 0x7fe00000;
	chip->n_descs = 16;
	chip->image = vzalloc(IMAGE_SIZE);
	chip->descs = kcalloc(chip->n_descs, sizeof(*chip->descs), GFP_KERNEL);
	if (!chip->image || !chip->descs)
		return -ENOMEM;
	for (i = 0; i < chip->n_descs; i++) {
		u32 offset = chip->base + i * 0x42000;

		chip->descs[i] = (struct bbt_desc){ 'b', 1,
			{ offset, offset >> 8, offset >> 16, offset >> 24 }, { 64 } };
		((struct bbt_entry *)(chip->image + i * 0x42000))->version = 1;
	}
	return run_thread(bbt_scan, chip, -1, "nand-bbt");
}
module_init(nand_init);
