/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel keeps by number in an xarray. */
#ifndef EPITAPH_KERNEL_STATE_XARRAY_H
#define EPITAPH_KERNEL_STATE_XARRAY_H

#include "linux_kernel/linux_kernel.h"

#define XARRAY_NODES	65536

/**
 * kernel_xarray_each() - each pointer in it
 * @head: the xarray's xa_head
 * @budget: nodes that may be read, XARRAY_NODES for one array; those that were are taken off
 * @found: gets the pointer; false: no more
 *
 * Nodes that are not there, or lead upwards, are left out.
 *
 * Return: false if the kernel's types do not say how it is laid out.
 */
bool kernel_xarray_each(const struct kernel *kernel, u64 head, u32 *budget,
			bool (*found)(u64 pointer, void *priv), void *priv);

#endif
