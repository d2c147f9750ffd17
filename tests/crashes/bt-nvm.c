// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file of settings for a radio says in its head how long it is, and its loader believes that: it walks the tags to an end that is
 * behind the file's.
 *
 * pattern: a length in a file's head is not compared with the file's size
 * upstream: drawn from Debian's changelog: "Bluetooth: qca: add missing firmware sanity checks"
 * finding: nvm_apply() read behind the end of the image that nvm_load() took with vmalloc() (6000 bytes): the head says 12000 bytes, and is not checked
 * never: freed memory; nvm_tag(), which only looks at the tag that it is given; the image was unmapped
 * must: ^likely: nvm_tag\(\) .*past the end
 * not: freed|unmapped
 * guest: insmod /test/bt-nvm.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

struct nvm_head {
	u8 type, length[3];
};

struct nvm_tag {
	__le16 id, len;
	__le32 reserved[2];
	u8 data[];
};

struct radio {
	u8 baud, sleep;
	u32 tags;
};

static struct radio radio;

static noinline u32 nvm_tag(struct radio *r, const struct nvm_tag *tag)
{
	u16 id = le16_to_cpu(tag->id);

	if (id == 17)
		r->baud = 0x0e;
	if (id == 27)
		r->sleep = 0;
	r->tags++;
	return sizeof(*tag) + le16_to_cpu(tag->len);
}

static noinline void nvm_apply(struct radio *r, const u8 *image)
{
	const struct nvm_head *head = (const void *)image;
	u32 length = head->length[0] | head->length[1] << 8 | head->length[2] << 16;
	u32 at = sizeof(*head);

	while (at < length)
		at += nvm_tag(r, (const void *)(image + at));
}

static noinline int nvm_load(u32 size, u32 length)
{
	struct nvm_head *head;
	u8 *image = vzalloc(size);
	u32 at;

	if (!image)
		return -ENOMEM;
	head = (void *)image;
	head->length[0] = length;
	head->length[1] = length >> 8;
	head->length[2] = length >> 16;
	for (at = sizeof(*head); at + 20 <= size; at += 20) {
		image[at] = at / 20;
		image[at + 2] = 8;
	}
	nvm_apply(&radio, image);
	vfree(image);
	return 0;
}

static int bt_setup(void *unused)
{
	u32 i;

	for (i = 1; i < 6; i++) {
		nvm_load(i * 1000, i * 1000);
		msleep(150);
	}
	nvm_load(6000, 12000);
	return 0;
}

static int __init bt_init(void)
{
	return run_thread(bt_setup, NULL, -1, "bt-setup");
}
module_init(bt_init);
