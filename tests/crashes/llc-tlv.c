// SPDX-License-Identifier: GPL-2.0-only
/*
 * The general bytes of a peer are a row of TLVs.  The offset has 8 bits and the length 16: above 255 bytes the offset goes round, the
 * pointer does not, and the parser runs out of the buffer.
 *
 * pattern: a u8 offset that is compared with a longer length
 * upstream: drawn from Debian's changelog: "nfc: llcp: fix OOB read and u8 offset wrap in TLV parsers"
 * finding: llc_parse_gb() read behind the end of the area that gb_recv() took with vmalloc(): its offset, a byte, goes round below the length of 330 or more
 * never: freed memory; gb_recv(), which gave the right length; a peer that said a wrong length
 * must: ^likely: llc_parse_gb\(\) .*past the end .*counter of 8 bits
 * not: freed|unmapped|gave a wrong
 * guest: insmod /test/llc-tlv.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

struct llc_local {
	u8 version, lto, opt;
	u16 miu, wks;
	u32 unknown;
};

static struct llc_local local;

static noinline int llc_parse_gb(struct llc_local *l, const u8 *tlv, u16 len)
{
	u8 offset = 0;

	while (offset < len) {
		u8 type = tlv[0], length = tlv[1];

		switch (type) {
		case 1:
			l->version = tlv[2];
			break;
		case 2:
			l->miu = tlv[2] << 8 | tlv[3];
			break;
		case 3:
			l->wks = tlv[2] << 8 | tlv[3];
			break;
		case 4:
			l->lto = tlv[2];
			break;
		default:
			l->unknown++;
		}
		offset += length + 2;
		tlv += length + 2;
	}
	return 0;
}

static noinline int gb_recv(u16 len)
{
	u8 *gb = vmalloc(PAGE_SIZE);
	int i, err;

	if (!gb)
		return -ENOMEM;
	for (i = 0; i < PAGE_SIZE; i += 4) {
		gb[i] = i / 4 % 6;
		gb[i + 1] = 2;
		gb[i + 2] = 0x13;
		gb[i + 3] = i;
	}
	err = llc_parse_gb(&local, gb, len);
	vfree(gb);
	return err;
}

static int nfc_poll(void *unused)
{
	u16 len;

	for (len = 60; ; len += 30) {
		gb_recv(len);
		msleep(100);
	}
	return 0;
}

static int __init llc_init(void)
{
	return run_thread(nfc_poll, NULL, -1, "nfc-poll");
}
module_init(llc_init);
