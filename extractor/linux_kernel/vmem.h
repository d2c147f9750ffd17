/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "n bytes at a virtual address of the dumped kernel", through the page tables in the dump.
 * VMCOREINFO says where the tables are.
 *
 * A read ends early at memory that cannot be read, as in dump.h. vmem_why() says whether the
 * address is not mapped, or the memory is not in the dump.
 */
#ifndef EPITAPH_LINUX_KERNEL_VMEM_H
#define EPITAPH_LINUX_KERNEL_VMEM_H

#include "dump/dump.h"

struct vmem;

/**
 * vmem_open() - find the kernel's page tables
 * @ret: for vmem_close(); set only on success
 * @in: must outlive it
 *
 * Return: 0; -ERR_NOT_OURS if the dump has no VMCOREINFO, or is of a machine
 *	that is not supported; -ERR_CORRUPT if its numbers cannot be; -ERR_IO
 *	without memory.
 */
int vmem_open(struct vmem **ret, struct dump *in, struct err *err);

/* A piece of memory, at a virtual address. */
struct vmem_piece {
	u64 va;
	u32 size;
	const u8 *bytes;
};

/* Memory that is nothing but @nr pieces, which are copied: little-endian, without page tables and without a dump. */
int vmem_open_pieces(struct vmem **ret, const struct vmem_piece *pieces, u32 nr, struct err *err);

/* @vmem may be NULL. */
void vmem_close(struct vmem *vmem);

/**
 * vmem_skip_hole() - the dump is a file of memory that leaves out what is no memory below 4 GiB
 * @hole: how many bytes; 0: it leaves out nothing
 *
 * Memory files of QEMU and VMware do.  Physical addresses are those in the file then.
 */
void vmem_skip_hole(struct vmem *vmem, u64 hole);
u64 vmem_hole(const struct vmem *vmem);

/* NULL: vmem_open_pieces() made it. */
struct dump *vmem_input(const struct vmem *vmem);

/* Bytes of a page of the kernel's. */
u64 vmem_page_size(const struct vmem *vmem);

/**
 * vmem_read() - read kernel memory
 * @buf: room for @size bytes; what is not read is left as it was
 *
 * Return: how many bytes from @va on are there; 0 if the first one is not.
 */
ssize_t vmem_read(struct vmem *vmem, u64 va, void *buf, size_t size);

/* All @size bytes, or false. */
bool vmem_get(struct vmem *vmem, u64 va, void *buf, size_t size);

/* A number of 1, 2, 4 or 8 bytes in the dumped machine's byte order. */
bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret);

/**
 * vmem_bits() - a bit field, as BTF says where it is
 * @va: of the byte with its first bit
 * @bit: its first bit in that byte, below 8: from the least significant one of a little-endian machine,
 *	from the most significant one of a big-endian one
 * @nr_bits: with @bit at most 32
 */
bool vmem_bits(struct vmem *vmem, u64 va, u32 bit, u32 nr_bits, u64 *ret);

/* A pointer, an unsigned long. */
bool vmem_u64(struct vmem *vmem, u64 va, u64 *ret);
bool vmem_u32(struct vmem *vmem, u64 va, u32 *ret);

/**
 * vmem_string() - a string of the kernel's
 * @buf: terminated; not escaped
 * @size: room, at least 1
 *
 * Return: its length, cut to @size - 1; -1 if its end is not in the dump.
 */
ssize_t vmem_string(struct vmem *vmem, u64 va, char *buf, size_t size);

/* The physical address of @va; false: it is unknown. */
bool vmem_translate(struct vmem *vmem, u64 va, u64 *paddr);

enum vmem_lack {
	VMEM_WHOLE,		/* nothing is missing */
	VMEM_UNMAPPED,		/* no page is mapped there: the address is wrong */
	VMEM_NO_TABLE,		/* a page of the page tables is not in the dump */
	VMEM_LEFT_OUT,		/* the page is not in the dump */
};

/* Why the last read came short, and in words; the vmem's until the next read. */
enum vmem_lack vmem_lack(const struct vmem *vmem);
const char *vmem_why(struct vmem *vmem);

#endif
