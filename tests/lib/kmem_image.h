/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dump of a small kernel: memory, page tables and VMCOREINFO, written from
 * the manuals of the machines and from the kernel's vmcoreinfo.rst; shares
 * nothing with the extractor.
 */
#ifndef KMEM_IMAGE_H
#define KMEM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KMEM_SIZE	(8U << 20)	/* of physical memory, from address 0 on */
#define KMEM_TEXT	0xffffffff81000000ULL	/* virtual address of what kmem_put() puts */

enum kmem_machine { KMEM_X86_64, KMEM_ARM64, KMEM_S390X, KMEM_PPC64, KMEM_PPC64_BE };

/* How its page tables are; see kmem_make(). */
struct kmem_paging {
	enum kmem_machine machine;
	uint32_t page_shift;		/* 12, 14 or 16 */
	uint32_t va_bits;
	uint32_t levels;
};

struct kmem {
	struct kmem_paging paging;
	uint8_t *mem;
	uint64_t next;			/* physical address of the next page for a table */
	uint64_t root;
	uint64_t text;			/* physical address of KMEM_TEXT */
	uint64_t used;			/* of it, bytes */
	char info[8192];		/* VMCOREINFO */
	size_t size;			/* of the file; 0: whole */
	bool bare;			/* VMCOREINFO is not in the file's notes */
};

/* Bytes that an entry of the table of @level maps; numbers in the machine's order. */
uint64_t kmem_span(const struct kmem_paging *paging, uint32_t level);
uint64_t kmem_u64(const struct kmem_paging *paging, uint64_t n);

/* Empty tables, and VMCOREINFO that says where; x86-64's have the text mapped. */
struct kmem kmem_make(const struct kmem_paging *paging);
void kmem_free(struct kmem *k);

/* Another line of VMCOREINFO. */
__attribute__((format(printf, 2, 3)))
void kmem_info(struct kmem *k, const char *fmt, ...);

/* Map @va to @paddr by an entry of the table of @level: 0 is a page, 1 and 2 are larger ones. */
void kmem_map(struct kmem *k, uint64_t va, uint64_t paddr, uint32_t level);

/* The physical address of the entry for @va in the table of @level. */
uint64_t kmem_entry(struct kmem *k, uint64_t va, uint32_t level);

/* Put bytes into the text, aligned to 8.  Return: their virtual address. */
uint64_t kmem_put(struct kmem *k, const void *data, size_t size);

/* Where a virtual address of the text is in @k->mem. */
void *kmem_at(struct kmem *k, uint64_t va);

/* An ELF core of it, as a descriptor. */
int kmem_fd(const struct kmem *k);

#endif
