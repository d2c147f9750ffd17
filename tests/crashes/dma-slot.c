// SPDX-License-Identifier: GPL-2.0-only
/*
 * A free channel is looked for in a bitmap.  None is free, and the size of the bitmap is taken for
 * an index: what stands behind the table of channels is taken for one.
 *
 * pattern: result of find_first_bit() used without a comparison with the size
 * upstream: the class of "fix out-of-bounds when no free slot" (dmaengine: ti, scsi: ufs, usb: host)
 * finding: dma_slot_get() takes slots->chan[8], one behind the table of 8: it reads the burst size 0x5dc0 there as a pointer, and writes through it
 * never: NULL; a use after free; a pointer of a process; who wrote over the table, for it is whole
 * must: likely: dma_slot_get\(\) .*took the number 24000 .*at index 8
 * not: freed|overwr|copy_(to|from)_user
 * guest: insmod /test/dma-slot.ko
 */
#include <linux/bitmap.h>
#include "crash.h"

#define DMA_SLOTS 8

struct dma_chan {
	u32 id, users;
	u64 bytes;
};

struct dma_slots {
	char name[16];
	DECLARE_BITMAP(free, DMA_SLOTS);
	struct dma_chan *chan[DMA_SLOTS];
	u64 max_burst;
	u64 timeouts;
};

static struct dma_slots *dma_slots;

static noinline struct dma_chan *dma_slot_get(struct dma_slots *s)
{
	unsigned int i = find_first_bit(s->free, DMA_SLOTS);
	struct dma_chan *chan = s->chan[i];

	clear_bit(i, s->free);
	chan->users++;
	return chan;
}

static int dma_client(void *data)
{
	struct dma_slots *s = data;

	for (;;) {
		struct dma_chan *chan = dma_slot_get(s);

		chan->bytes += s->max_burst;
		msleep(120);
	}
	return 0;
}

static int __init dma_slots_init(void)
{
	unsigned int i;

	dma_slots = kzalloc(sizeof(*dma_slots), GFP_KERNEL);
	if (!dma_slots)
		return -ENOMEM;
	strscpy(dma_slots->name, "edma0", sizeof(dma_slots->name));
	dma_slots->max_burst = 24000;
	for (i = 0; i < DMA_SLOTS; i++) {
		dma_slots->chan[i] = kzalloc(sizeof(struct dma_chan), GFP_KERNEL);
		if (!dma_slots->chan[i])
			return -ENOMEM;
		dma_slots->chan[i]->id = i;
	}
	bitmap_fill(dma_slots->free, DMA_SLOTS);
	return run_thread(dma_client, dma_slots, 1, "dma-client");
}
module_init(dma_slots_init);
