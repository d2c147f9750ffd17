/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of a virtual machine's device, which the host keeps: ivshmem-plain; docs/virtual-machines.md. */
#ifndef EPITAPH_CORE_SHARED_DEVICE_H
#define EPITAPH_CORE_SHARED_DEVICE_H

#include "memory.h"

/**
 * epitaph_shared_device_open() - find, check, map and claim a device
 * @mem: filled in
 * @name: "0000:00:04.0", or "ivshmem" for the only one that fits
 *
 * Context: process. What is wrong is in the kernel's log.
 * Return: 0, or -EINVAL, -ENODEV, -EBUSY, -ENOMEM, -EOPNOTSUPP.
 */
int epitaph_shared_device_open(struct epitaph_extent *mem, const char *name);
void epitaph_shared_device_close(struct epitaph_extent *mem);

/**
 * epitaph_shared_device_watch() - from now on, or no longer, recording ends when the device is removed
 * @on: all that writes to the region has been started, or is about to be stopped
 *
 * Context: process, may sleep. Without a device there is nothing to watch.
 */
void epitaph_shared_device_watch(bool on);

#endif /* EPITAPH_CORE_SHARED_DEVICE_H */
