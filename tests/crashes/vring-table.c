// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cannot be known.  16 bytes of a live object were overwritten, and their writer has left nothing behind.
 *
 * pattern: stray write of a hardware-like descriptor; the writer (code of the freed init section, played as DMA) is gone
 * upstream: the class of stray DMA and "random corruption" reports that end in KASAN/IOMMU requests
 * finding: rings[37] is a live struct vring, of which 16 bytes (desc and kick) were replaced by {0x12c40000, len 1514, flags 2, next 7}, a receive descriptor by its look; the rest of it and its neighbours are intact.  Who wrote that, a CPU or a device, cannot be known from the dump; vring_kick() is the victim
 * never: any named function or task as the certain writer; vring_kick() or vring-poll as the cause; a freed object; an overrun from a neighbour (the bytes before are intact); bad RAM as certain
 * guest: insmod /test/vring-table.ko
 */
#include "crash.h"

struct vring {
	u16 num, last_used;
	u32 flags;
	u64 kicks;
	void *desc;
	void (*kick)(struct vring *r);
	u64 bytes;
	u8 shadow[64];
};

struct rx_desc {
	__le64 addr;
	__le32 len;
	__le16 flags, next;
};

static struct vring *rings[64];

static void vring_notify(struct vring *r)
{
	r->kicks++;
}

static noinline void vring_kick(struct vring *r)
{
	r->kick(r);
	r->last_used++;
}

static int vring_poll(void *unused)
{
	int i;

	for (;;) {
		schedule_timeout_idle(4 * HZ);
		for (i = 0; i < ARRAY_SIZE(rings); i++)
			vring_kick(rings[i]);
	}
	return 0;
}

static void __init vring_preset(void *at)
{
	struct rx_desc *d = UNKNOWN(at);

	d->addr = cpu_to_le64(0x12c40000);
	d->len = cpu_to_le32(1514);
	d->flags = cpu_to_le16(2);
	d->next = cpu_to_le16(7);
}

static int __init vring_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(rings); i++) {
		rings[i] = kzalloc(sizeof(struct vring), GFP_KERNEL);
		if (!rings[i])
			return -ENOMEM;
		rings[i]->num = 256;
		rings[i]->desc = &rings[i]->shadow;
		rings[i]->kick = vring_notify;
	}
	run_thread(vring_poll, NULL, -1, "vring-poll");
	msleep(300);
	vring_preset(&rings[37]->desc);
	return 0;
}
module_init(vring_init);
