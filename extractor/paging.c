// SPDX-License-Identifier: GPL-2.0-or-later
#include "paging.h"

#include "bytes.h"
#include "vmcoreinfo.h"

#define X86_IMAGE	0xffffffff80000000ULL	/* __START_KERNEL_map */
#define X86_IMAGE_SIZE	(1ULL << 30)
#define X86_PRESENT	(1ULL << 0)
#define X86_LARGE	(1ULL << 7)
#define ARM64_VALID	(1ULL << 0)
#define ARM64_TABLE	(1ULL << 1)	/* a page, in the last table; a block if not set elsewhere */

/* Address bits from @low up to, not with, @high. */
static u64 bits(u32 low, u32 high)
{
	return (1ULL << high) - (1ULL << low);
}

/* --- where the tables are ------------------------------------------------ */

static int find_x86_64(struct paging *p, const struct input *in, u64 phys_base, struct err *err)
{
	u64 root, five = 0, sme = 0, size = X86_IMAGE_SIZE;

	if (!vmcoreinfo_symbol(in, "swapper_pg_dir", &root) &&
	    !vmcoreinfo_symbol(in, "init_top_pgt", &root))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "VMCOREINFO has no SYMBOL(swapper_pg_dir)");
	vmcoreinfo_number(in, "pgtable_l5_enabled", &five);
	vmcoreinfo_number(in, "sme_mask", &sme);
	vmcoreinfo_number(in, "KERNEL_IMAGE_SIZE", &size);
	*p = (struct paging){
		.machine = PAGING_X86_64, .page_shift = 12,
		.nr_levels = five ? 5 : 4, .va_bits = five ? 57 : 48,
		.paddr_mask = bits(12, 52) & ~sme,
		.image = X86_IMAGE, .image_size = size < X86_IMAGE_SIZE ? size : X86_IMAGE_SIZE,
		.image_paddr = phys_base,
	};
	if (!paging_image(p, root, &p->root))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the page tables at %#llx are outside the kernel image", root);
	return 0;
}

static u32 arm64_page_shift(const struct input *in)
{
	u64 size = 4096;

	vmcoreinfo_decimal(in, "PAGESIZE", &size);
	return size == 4096 ? 12 : size == 16384 ? 14 : size == 65536 ? 16 : 0;
}

/*
 * The kernel of 64 KiB pages indexes its first table by the bits it was built for, others by
 * those it runs with.  Entries with more than 48 bits of address come with 52 bits
 * of virtual address (LPA2), or with pages of 64 KiB, in another place.
 */
static int find_arm64(struct paging *p, const struct input *in, u64 voffset, struct err *err)
{
	u64 root, va_bits = 48, t1sz = 0;
	u32 shift = arm64_page_shift(in);

	if (!shift || !vmcoreinfo_symbol(in, "swapper_pg_dir", &root))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "VMCOREINFO has no SYMBOL(swapper_pg_dir) or a strange PAGESIZE");
	vmcoreinfo_number(in, "VA_BITS", &va_bits);
	if (vmcoreinfo_number(in, "TCR_EL1_T1SZ", &t1sz) && shift != 16)
		va_bits = 64 - t1sz;
	if (va_bits < 36 || va_bits > 52)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "VMCOREINFO has %llu VA_BITS",
			       va_bits);
	*p = (struct paging){
		.machine = PAGING_ARM64, .page_shift = shift, .va_bits = va_bits,
		.nr_levels = (va_bits - 4) / (shift - 3),
		.paddr_mask = bits(shift, 48), .wide = shift == 16 || va_bits == 52,
		.root = root - voffset,
	};
	return 0;
}

int paging_find(struct paging *paging, const struct input *in, struct err *err)
{
	u64 base;

	if (!input_vmcoreinfo(in, NULL))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "has no VMCOREINFO, so the kernel's page tables cannot be found");
	if (input_byte_order(in) == ORDER_LITTLE) {
		if (vmcoreinfo_number(in, "phys_base", &base))
			return find_x86_64(paging, in, base, err);
		if (vmcoreinfo_number(in, "kimage_voffset", &base))
			return find_arm64(paging, in, base, err);
	}
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "is of a machine whose page tables are not read (those of x86-64 and arm64 are)");
}

bool paging_image(const struct paging *p, u64 va, u64 *paddr)
{
	if (!p->image || va < p->image || va - p->image >= p->image_size)
		return false;
	*paddr = va - p->image + p->image_paddr;
	return true;
}

/* --- the walk ------------------------------------------------------------ */

static bool is_canonical(const struct paging *p, u64 va)
{
	u32 same = p->machine == PAGING_X86_64 ? p->va_bits - 1 : p->va_bits;

	return va >> same == ~0ULL >> same;
}

static u64 entry_address(const struct paging *p, u64 entry)
{
	u64 paddr = entry & p->paddr_mask;

	if (p->wide && p->page_shift == 16)
		paddr |= (entry & bits(12, 16)) << 36;
	else if (p->wide)
		paddr |= (entry & bits(48, 50)) | (entry & bits(8, 10)) << 42;
	return paddr;
}

static bool is_present(const struct paging *p, u64 entry, u32 level)
{
	if (p->machine == PAGING_X86_64)
		return entry & X86_PRESENT;
	return (entry & ARM64_VALID) && (level || (entry & ARM64_TABLE));
}

/* Does the entry map memory, instead of a table of the next level? */
static bool is_leaf(const struct paging *p, u64 entry, u32 level)
{
	if (!level)
		return true;
	return p->machine == PAGING_X86_64 ? entry & X86_LARGE : !(entry & ARM64_TABLE);
}

/* Large pages are at most as large as what a table of the second level maps. */
#define MAX_LEAF_LEVEL	2

enum paging_result paging_walk(const struct paging *p, struct input *in, u64 va,
			       u64 *paddr, u64 *entry)
{
	u32 step = p->page_shift - 3, level = p->nr_levels;
	u64 table = p->root, value;

	if (!is_canonical(p, va))
		return PAGING_UNMAPPED;
	while (level--) {
		u32 shift = p->page_shift + level * step;
		u32 width = level == p->nr_levels - 1 ? p->va_bits - shift : step;
		u8 raw[8];
		struct bytes b = bytes_of(raw, sizeof(raw), ORDER_LITTLE);

		*entry = table + 8 * (va >> shift & ((1ULL << width) - 1));
		if (input_read(in, *entry, raw, sizeof(raw), NULL) != sizeof(raw))
			return PAGING_NO_TABLE;
		value = bytes_u64(&b, 0);
		if (!is_present(p, value, level))
			return PAGING_UNMAPPED;
		table = entry_address(p, value);
		if (is_leaf(p, value, level)) {
			u64 inside = (1ULL << shift) - 1;

			*paddr = (table & ~inside) | (va & inside);
			return level <= MAX_LEAF_LEVEL ? PAGING_MAPPED : PAGING_UNMAPPED;
		}
	}
	return PAGING_UNMAPPED;
}
