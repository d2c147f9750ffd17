/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page tables of a dumped kernel; see docs/kernel-memory.md.  Only for memory of this room. */
#ifndef EPITAPH_LINUX_KERNEL_PAGE_TABLE_H
#define EPITAPH_LINUX_KERNEL_PAGE_TABLE_H

#include "base/byte_reader.h"
#include "dump/dump.h"

enum page_table_machine {
	PAGE_TABLE_X86_64,
	PAGE_TABLE_ARM64,
	PAGE_TABLE_S390X,
	PAGE_TABLE_PPC64,		/* radix tables, or no tables: what is mapped in one piece */
};

#define PAGE_TABLE_LEVELS	5
#define PAGE_TABLE_HOLE_END	(4ULL << 30)	/* devices of x86-64 are in front of it */

/**
 * struct page_table - how a virtual address is taken apart
 * @root: physical address of the first table
 * @page_shift: log2 of the page size
 * @nr_levels: of tables, the last one is level 0; 0: there are none, or none that are read
 * @width: log2 of the entries of each level's tables, of 8 bytes
 * @upper, @upper_bits: an address has these upper bits
 * @order: of entries
 * @paddr_mask: address bits of an entry
 * @wide: arm64's entries have bits 48 to 51 of the address elsewhere
 * @image: first virtual address of the kernel image; 0: unknown
 * @image_size: bytes that may be it; with ppc64 all that the kernel maps in one piece
 * @image_paddr: where it is in physical memory, in one piece
 * @hole: bytes below 4 GiB that a file of memory leaves out: what is above lies so much before its address
 * @is_process: of a process: a page that it may not touch for now has an entry of its own
 */
struct page_table {
	enum page_table_machine machine;
	u64 root;
	u32 page_shift;
	u32 nr_levels;
	u8 width[PAGE_TABLE_LEVELS];
	u64 upper;
	u32 upper_bits;
	enum byte_order order;
	u64 paddr_mask;
	bool wide;
	u64 image;
	u64 image_size;
	u64 image_paddr;
	u64 hole;
	bool is_process;
};

enum page_table_result {
	PAGE_TABLE_MAPPED,
	PAGE_TABLE_UNMAPPED,
	PAGE_TABLE_NO_TABLE,	/* an entry is not in the dump */
};

/**
 * struct page_table_leaf - the last entry on the way to an address
 * @paddr: of the address; set if mapped
 * @at: physical address of the entry
 * @value: the entry; unknown with PAGE_TABLE_NO_TABLE
 * @level: of its table
 * @shift: log2 of the bytes that it maps
 */
struct page_table_leaf {
	u64 paddr;
	u64 at;
	u64 value;
	u32 level;
	u32 shift;
};

/* page_table_find() - out of VMCOREINFO; see vmem_open() for what it returns */
int page_table_find(struct page_table *paging, struct dump *in, struct err *err);

/* A file of memory has no hole of @hole bytes below 4 GiB: from here on, all addresses are those in the file. */
void page_table_skip_hole(struct page_table *paging, u64 hole);

/* From virtual to physical, as the dump has it. */
enum page_table_result page_table_walk(const struct page_table *paging, struct dump *in, u64 va,
				       struct page_table_leaf *leaf);

/* The page that an entry of a last table, which the caller has read, maps. */
bool page_table_page(const struct page_table *paging, u64 value, u64 *paddr);

/* The tables of a process with its first table at @root; false: such tables are not read. */
bool page_table_of_process(struct page_table *paging, u64 root);

/* The physical address of a @va in the kernel image, without reading the tables. */
bool page_table_image(const struct page_table *paging, u64 va, u64 *paddr);

#endif
