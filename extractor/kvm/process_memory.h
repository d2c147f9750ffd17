/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of a process of the dumped kernel, by its own page tables. They are read of x86-64, and of arm64 with
 * pages of 4 KiB.
 */
#ifndef EPITAPH_KVM_PROCESS_MEMORY_H
#define EPITAPH_KVM_PROCESS_MEMORY_H

#include "linux_kernel/linux_kernel.h"

struct process_memory;

enum process_page {
	PROCESS_PAGE_THERE,
	PROCESS_PAGE_NONE,	/* no page is mapped: not touched, or shared and taken back by the kernel */
	PROCESS_PAGE_SWAPPED,	/* it is in swap, or was on its way to another place */
	PROCESS_PAGE_NO_TABLE,	/* a page table is not in the dump */
};

/**
 * process_memory_open() - the memory of a struct mm_struct
 * @ret: for process_memory_close(); set only on success
 * @kernel: must outlive it
 * @mm: its address
 *
 * Return: 0; -ERR_NOT_OURS if its page tables cannot be found; -ERR_IO without memory.
 */
int process_memory_open(struct process_memory **ret, const struct kernel *kernel, u64 mm, struct err *err);

/* @memory may be NULL. */
void process_memory_close(struct process_memory *memory);

/**
 * process_memory_find() - from virtual to physical
 * @paddr: set with PROCESS_PAGE_THERE; its page may be missing in the dump all the same
 * @len: bytes from @va on for which the answer is the same; not 0
 */
enum process_page process_memory_find(struct process_memory *memory, u64 va, u64 *paddr, u64 *len);

/*
 * How often tables were walked from the first one on. Between two of these walks addresses were
 * found in the last table, at most as many as it has entries.
 */
u64 process_memory_walks(const struct process_memory *memory);

/* Return: how many bytes from @va on are there. */
size_t process_memory_read(struct process_memory *memory, u64 va, void *buf, size_t size);

#endif
