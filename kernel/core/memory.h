/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of the region, which outlives this kernel: where it is, and that it is ours alone. */
#ifndef EPITAPH_CORE_MEMORY_H
#define EPITAPH_CORE_MEMORY_H

#include <linux/types.h>
#include <epitaph/format.h>

/**
 * struct epitaph_extent - the whole region, mapped
 * @base: write-back
 * @size: bytes, a multiple of 4096
 * @phys: of @base
 * @kind: how it was come by
 * @is_registered: it is in /proc/iomem as "System RAM (epitaph)"
 * @is_assumed: the only memmap=SIZE!ADDR is taken for it, which may be meant for a disk
 */
struct epitaph_extent {
	void		*base;
	u64		size;
	phys_addr_t	phys;
	enum epitaph_memory kind;
	bool		is_registered;
	bool		is_assumed;
};

/**
 * epitaph_memory_open() - find, check, map and claim the memory
 * @mem: filled in
 *
 * By the parameters addr= and size=, reserve=, device= or pages=; without them by
 * the kernel's command line.  What is wrong is in the kernel's log, with numbers.
 *
 * Return: 0, or -EINVAL, -ENODEV, -EBUSY, -ENOMEM.
 */
int epitaph_memory_open(struct epitaph_extent *mem);
void epitaph_memory_close(struct epitaph_extent *mem);

/**
 * epitaph_memory_advice() - what a kernel of this architecture is booted with to have a region
 * @at: where; 0: anywhere, if that can be chosen
 * @bytes: how large
 *
 * Context: while the memory is opened; the next call overwrites the text.
 */
const char *epitaph_memory_advice(u64 at, u64 bytes);

#endif /* EPITAPH_CORE_MEMORY_H */
