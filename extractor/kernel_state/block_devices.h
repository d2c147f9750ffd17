/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the disks and partitions that the dumped kernel had, by the number that events have of them. */
#ifndef EPITAPH_KERNEL_STATE_BLOCK_DEVICES_H
#define EPITAPH_KERNEL_STATE_BLOCK_DEVICES_H

#include "linux_kernel/linux_kernel.h"

struct block_devices;

/* Of no kernel yet.  Return: for block_devices_free(); NULL: no memory. */
struct block_devices *block_devices_new(void);

/* @devices may be NULL. */
void block_devices_free(struct block_devices *devices);

/**
 * block_devices_name() - the device that had a number when the kernel stopped
 * @devices: read from @kernel at the first call; NULL has none
 * @kernel: always the same
 * @dev: dev_t, as the kernel has it: 20 bits are the minor
 *
 * Return: "vda1", not escaped; NULL: no disk had the number, or they cannot be found.
 */
const char *block_devices_name(struct block_devices *devices, const struct kernel *kernel, u32 dev);

#endif
