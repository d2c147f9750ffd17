/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Devices of a virtual machine whose memory the host keeps: docs/virtual-machines.md. */
#ifndef EPITAPH_HOST_SETUP_DEVICE_H
#define EPITAPH_HOST_SETUP_DEVICE_H

#include "setup.h"

#define DEVICE_PAGE	4096
#define DEVICE_LEAST	(1ULL << 20)	/* the smallest region */

/**
 * struct device_content - what the pages of a device hold
 * @has_region: the start of a region
 * @has_data: something else than zeroes
 */
struct device_content {
	bool has_region;
	bool has_data;
};

/**
 * struct device_offer - memory that a recorder can have
 * @name: of the device
 * @kind: "an ivshmem device"
 * @words: for the kernel command line
 * @addr: physical address; 0: the kernel chooses
 */
struct device_offer {
	char name[64];
	char kind[48];
	char words[64];
	u64 addr;
	u64 size;
	bool has_region;
};

/**
 * struct device_search - the devices so far
 * @best: fits best
 * @nr: that fit as well as @best
 */
struct device_search {
	struct setup *s;
	struct device_offer best;
	unsigned int nr;
};

void device_look_at_page(struct device_content *content, const u8 *page);

/* May a recorder have it?  Another program needs no driver to use it. */
bool device_is_free(const struct device_content *content);

void device_take_offer(struct device_search *d, const struct device_offer *offer);

/* device_find_ivshmem(), device_find_pmem() - offer those that fit, say why others do not */
void device_find_ivshmem(struct device_search *d);
void device_find_pmem(struct device_search *d);

#endif
