// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "page_table.h"

#define SLOTS	512		/* translations that are kept; a power of 2 */
#define PAGE_NONE (~0ULL)

/* A page and where it is. */
struct translation {
	u64 page;		/* its number, or PAGE_NONE */
	u64 paddr;
};

/**
 * struct vmem - kernel memory
 * @lack: why the last read ended early; what follows says where
 * @at: virtual address
 * @paddr: of the page, or of the table's entry, that is not there
 */
struct vmem {
	struct dump *in;
	struct page_table paging;
	struct translation slots[SLOTS];
	enum vmem_lack lack;
	u64 at;
	u64 paddr;
	char why[160];
};

int vmem_open(struct vmem **ret, struct dump *in, struct err *err)
{
	struct vmem *vmem = calloc(1, sizeof(*vmem));
	int res;

	if (!vmem)
		return err_sys(err, "memory for translations");
	vmem->in = in;
	for (size_t i = 0; i < SLOTS; i++)
		vmem->slots[i].page = PAGE_NONE;
	res = page_table_find(&vmem->paging, in, err);
	if (res) {
		free(vmem);
		return res;
	}
	*ret = vmem;
	return 0;
}

void vmem_close(struct vmem *vmem)
{
	free(vmem);
}

void vmem_skip_hole(struct vmem *vmem, u64 hole)
{
	page_table_skip_hole(&vmem->paging, hole);
	for (size_t i = 0; i < SLOTS; i++)
		vmem->slots[i].page = PAGE_NONE;
}

u64 vmem_hole(const struct vmem *vmem)
{
	return vmem->paging.hole;
}

struct dump *vmem_input(const struct vmem *vmem)
{
	return vmem->in;
}

u64 vmem_page_size(const struct vmem *vmem)
{
	return 1ULL << vmem->paging.page_shift;
}

/* --- translation --------------------------------------------------------- */

static void set_lack(struct vmem *vmem, enum vmem_lack lack, u64 va, u64 paddr)
{
	vmem->lack = lack;
	vmem->at = va;
	vmem->paddr = paddr;
}

static bool walk_page_table(struct vmem *vmem, u64 va, u64 *paddr)
{
	struct page_table_leaf leaf;

	switch (page_table_walk(&vmem->paging, vmem->in, va, &leaf)) {
	case PAGE_TABLE_MAPPED:
		*paddr = leaf.paddr;
		return true;
	case PAGE_TABLE_NO_TABLE:
		if (page_table_image(&vmem->paging, va, paddr))
			return true;
		set_lack(vmem, VMEM_NO_TABLE, va, leaf.at);
		return false;
	default:
		set_lack(vmem, VMEM_UNMAPPED, va, leaf.at);
		return false;
	}
}

/* The page @va is in, from the cache or by the tables. */
static bool find_page(struct vmem *vmem, u64 va, u64 *paddr)
{
	u64 page = va >> vmem->paging.page_shift;
	struct translation *slot = &vmem->slots[page & (SLOTS - 1)];
	u64 start = page << vmem->paging.page_shift;

	if (slot->page != page) {
		if (!walk_page_table(vmem, start, paddr)) {
			vmem->at = va;
			return false;
		}
		*slot = (struct translation){ page, *paddr };
	}
	*paddr = slot->paddr;
	return true;
}

bool vmem_translate(struct vmem *vmem, u64 va, u64 *paddr)
{
	u64 mask = vmem_page_size(vmem) - 1;

	vmem->lack = VMEM_WHOLE;
	if (!find_page(vmem, va, paddr))
		return false;
	*paddr += va & mask;
	return true;
}

/* --- reading ------------------------------------------------------------- */

/* Read up to the end of the page. Return: bytes read */
static size_t read_virtual_page(struct vmem *vmem, u64 va, void *buf, size_t size)
{
	u64 off = va & (vmem_page_size(vmem) - 1);
	u64 room = vmem_page_size(vmem) - off, paddr;
	ssize_t n;

	if (!find_page(vmem, va, &paddr))
		return 0;
	if (size > room)
		size = room;
	n = dump_read(vmem->in, paddr + off, buf, size, NULL);
	if (n < 0)
		n = 0;
	if ((size_t)n < size)
		set_lack(vmem, VMEM_LEFT_OUT, va + n, paddr);
	return n;
}

ssize_t vmem_read(struct vmem *vmem, u64 va, void *buf, size_t size)
{
	size_t got = 0;

	vmem->lack = VMEM_WHOLE;
	while (got < size && vmem->lack == VMEM_WHOLE) {
		u64 at;

		if (!add_fits(va, got, &at)) {
			set_lack(vmem, VMEM_UNMAPPED, ~0ULL, 0);
			break;
		}
		got += read_virtual_page(vmem, at, (u8 *)buf + got, size - got);
	}
	return got;
}

bool vmem_get(struct vmem *vmem, u64 va, void *buf, size_t size)
{
	return vmem_read(vmem, va, buf, size) == (ssize_t)size;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	u8 buf[8];
	struct bytes b = bytes_of(buf, sizeof(buf), dump_byte_order(vmem->in));

	if (!is_number_size(size) || !vmem_get(vmem, va, buf, size))
		return false;
	*ret = bytes_number(&b, 0, size, false);
	return true;
}

bool vmem_bits(struct vmem *vmem, u64 va, u32 bit, u32 nr_bits, u64 *ret)
{
	u64 word;

	if (bit > 7 || !nr_bits || bit + nr_bits > 32 || !vmem_number(vmem, va, 4, &word))
		return false;
	if (dump_byte_order(vmem->in) == ORDER_BIG)
		bit = 32 - bit - nr_bits;
	*ret = word >> bit & ((1ULL << nr_bits) - 1);
	return true;
}

bool vmem_u64(struct vmem *vmem, u64 va, u64 *ret)
{
	return vmem_number(vmem, va, 8, ret);
}

bool vmem_u32(struct vmem *vmem, u64 va, u32 *ret)
{
	u64 n;

	if (!vmem_number(vmem, va, 4, &n))
		return false;
	*ret = n;
	return true;
}

ssize_t vmem_string(struct vmem *vmem, u64 va, char *buf, size_t size)
{
	ssize_t n = vmem_read(vmem, va, buf, size - 1);
	const char *end = memchr(buf, '\0', n);

	buf[n] = '\0';
	if (end)
		return end - buf;
	return (size_t)n == size - 1 ? n : -1;
}

/* --- why a read ended early ---------------------------------------------- */

enum vmem_lack vmem_lack(const struct vmem *vmem)
{
	return vmem->lack;
}

/* Why bytes that the tables speak of are not there. */
static const char *fate_of_page(const struct vmem *vmem)
{
	for (size_t i = 0; i < dump_nr_segments(vmem->in); i++) {
		struct dump_segment s = dump_segment(vmem->in, i);

		if (vmem->paddr >= s.paddr && vmem->paddr - s.paddr < s.size)
			return dump_incomplete(vmem->in) ?
			       "was left out of the dump, or is damaged" :
			       "was left out by makedumpfile";
	}
	return "is no memory of this dump";
}

const char *vmem_why(struct vmem *vmem)
{
	switch (vmem->lack) {
	case VMEM_WHOLE:
		return "nothing lacks";
	case VMEM_UNMAPPED:
		snprintf(vmem->why, sizeof(vmem->why), "nothing is mapped at virtual %#llx",
			 vmem->at);
		break;
	case VMEM_NO_TABLE:
		if (!vmem->paging.nr_levels) {
			snprintf(vmem->why, sizeof(vmem->why),
				 "virtual %#llx is mapped by a hash of pages, which is not read", vmem->at);
			break;
		}
		snprintf(vmem->why, sizeof(vmem->why),
			 "the page table at %#llx (for virtual %#llx) %s", vmem->paddr, vmem->at,
			 fate_of_page(vmem));
		break;
	case VMEM_LEFT_OUT:
		snprintf(vmem->why, sizeof(vmem->why), "page at %#llx (virtual %#llx) %s",
			 vmem->paddr, vmem->at, fate_of_page(vmem));
		break;
	}
	return vmem->why;
}
