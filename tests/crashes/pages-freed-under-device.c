// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver gives its receive pages back before its device (here "device0", a thread) has stopped to write there.
 * "bookkeeper" gets the pages for its objects, and finds packets in them.
 *
 * pattern: pages freed before the DMA engine is stopped
 * upstream: the class of missing stop of the RX ring before the free of its pages (ath10k, mwifiex)
 * finding: account() of "bookkeeper" used a pointer that is data (0x45450045...), no address; its memory was overwritten
 * never: bookkeeper as the author; freed slab memory as certain; NULL
 * must: ^shown: account\(\) .*45450
 * not: freed memory|NULL|damaged
 * guest: insmod /test/pages-freed-under-device.ko
 */
#include "crash.h"

struct entry {
	u64 bytes;
	struct entry *parent;
	u64 pad[6];
};

static void *rx_page;
static int stopped;

static int device(void *unused)
{
	int i;

	for (;;) {
		for (i = 0; i < 4096 * 4; i += 4)
			WRITE_ONCE(*(u32 *)(rx_page + i), 0x45450045 + i);
		msleep(50);
	}
	return 0;
}

static noinline void account(struct entry *e)
{
	WRITE_ONCE(e->parent->bytes, e->bytes + 1);
}

static int bookkeeper(void *unused)
{
	static struct entry root;
	struct entry *e[64];
	int i, j;

	while (!READ_ONCE(stopped))
		msleep(10);
	for (i = 0; i < 64; i++) {
		e[i] = (struct entry *)__get_free_pages(GFP_KERNEL, 2);
		for (j = 0; j < 4 * 64; j++)
			e[i][j].parent = &root;
	}
	for (;;) {
		msleep(20);
		for (i = 0; i < 64; i++)
			for (j = 0; j < 4 * 64; j++)
				account(&e[i][j]);
	}
	return 0;
}

static noinline void rx_stop(void)
{
	free_pages((unsigned long)rx_page, 2);
	WRITE_ONCE(stopped, 1);
}

static int remover(void *unused)
{
	msleep(300);
	rx_stop();
	return 0;
}

static int __init rx_init(void)
{
	rx_page = (void *)__get_free_pages(GFP_KERNEL, 2);
	run_thread(device, NULL, 1, "device0");
	run_thread(bookkeeper, NULL, 0, "bookkeeper");
	return run_thread(remover, NULL, 0, "remover");
}
module_init(rx_init);
