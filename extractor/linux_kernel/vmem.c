// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "page_table.h"

#define SLOTS	512		/* translations that are kept; a power of 2 */
#define PAGE_NONE (~0ULL)
#define PIECES_PAGE_SHIFT 12

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
	struct vmem_piece *pieces;
	u32 nr_pieces;
	u8 *bytes;		/* of all pieces */
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

int vmem_open_pieces(struct vmem **ret, const struct vmem_piece *pieces, u32 nr, struct err *err)
{
	struct vmem *vmem = calloc(1, sizeof(*vmem));
	size_t size = 1, used = 0;

	for (u32 i = 0; i < nr; i++)
		size += pieces[i].size;
	if (vmem) {
		vmem->pieces = calloc(nr ? nr : 1, sizeof(*pieces));
		vmem->bytes = malloc(size);
	}
	if (!vmem || !vmem->pieces || !vmem->bytes) {
		vmem_close(vmem);
		return err_sys(err, "memory for what was kept of the kernel");
	}
	for (u32 i = 0; i < nr; i++) {
		memcpy(vmem->bytes + used, pieces[i].bytes, pieces[i].size);
		vmem->pieces[i] = (struct vmem_piece){ pieces[i].va, pieces[i].size, vmem->bytes + used };
		used += pieces[i].size;
	}
	vmem->nr_pieces = nr;
	vmem->paging.page_shift = PIECES_PAGE_SHIFT;
	*ret = vmem;
	return 0;
}

void vmem_close(struct vmem *vmem)
{
	if (!vmem)
		return;
	free(vmem->pieces);
	free(vmem->bytes);
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
	if (!vmem->in) {
		set_lack(vmem, VMEM_NO_TABLE, va, 0);
		return false;
	}
	if (!find_page(vmem, va, paddr))
		return false;
	*paddr += va & mask;
	return true;
}

/* --- reading ------------------------------------------------------------- */

static enum byte_order vmem_order(const struct vmem *vmem)
{
	return vmem->in ? dump_byte_order(vmem->in) : ORDER_LITTLE;
}

/* Read up to the end of the piece that has @va. Return: bytes read */
static size_t read_kept_bytes(struct vmem *vmem, u64 va, void *buf, size_t size)
{
	for (u32 i = 0; i < vmem->nr_pieces; i++) {
		const struct vmem_piece *piece = &vmem->pieces[i];
		u64 off = va - piece->va;

		if (off >= piece->size)
			continue;
		if (size > piece->size - off)
			size = piece->size - off;
		memcpy(buf, piece->bytes + off, size);
		return size;
	}
	set_lack(vmem, VMEM_LEFT_OUT, va, 0);
	return 0;
}

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
		got += vmem->in ? read_virtual_page(vmem, at, (u8 *)buf + got, size - got) : read_kept_bytes(vmem, at, (u8 *)buf + got, size - got);
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
	struct bytes b = bytes_of(buf, sizeof(buf), vmem_order(vmem));

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
	if (vmem_order(vmem) == ORDER_BIG)
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
	if (!vmem->in && vmem->lack != VMEM_WHOLE) {
		snprintf(vmem->why, sizeof(vmem->why), "virtual %#llx is not in the memory that the recorder kept", vmem->at);
		return vmem->why;
	}
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
