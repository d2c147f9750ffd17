/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * VMCOREINFO of a container that has none: raw memory, QEMU's
 * dump-guest-memory.  The kernel keeps it on a page of its own from boot on.
 */
#ifndef EPITAPH_LINUX_KERNEL_VMCOREINFO_SEARCH_H
#define EPITAPH_LINUX_KERNEL_VMCOREINFO_SEARCH_H

#include "vmem.h"

/**
 * vmcoreinfo_search() - look at every page for one by which the kernel's memory can be read
 * @ret: as vmem_open()'s; @in has VMCOREINFO then
 *
 * It is the right one if the kernel's own name is where it says.
 *
 * Return: 0, -ERR_NOT_OURS if there is none, -ERR_IO without memory.
 */
int vmcoreinfo_search(struct vmem **ret, struct dump *in, struct err *err);

#endif
