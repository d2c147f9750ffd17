/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * VMCOREINFO of a container that has none: raw memory, QEMU's
 * dump-guest-memory.  The kernel keeps it on a page of its own from boot on.
 */
#ifndef EPITAPH_LINUX_KERNEL_VMCOREINFO_SEARCH_H
#define EPITAPH_LINUX_KERNEL_VMCOREINFO_SEARCH_H

#include "vmem.h"

/**
 * vmcoreinfo_search() - look at every page for one by which a kernel's memory can be read
 * @ret: as vmem_open()'s; @in has VMCOREINFO then
 * @at: where to begin; behind the page that was found then
 *
 * It is a right one if the kernel's own name is where it says. Memory may have several: of a kernel
 * that crashed and of the one that saves its memory, or of one that ran before the last reset.
 *
 * Return: 0, -ERR_NOT_OURS if there is none, -ERR_IO without memory.
 */
int vmcoreinfo_search(struct vmem **ret, struct dump *in, u64 *at, struct err *err);

#endif
