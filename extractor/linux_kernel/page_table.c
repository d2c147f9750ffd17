// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_table.h"

#include <string.h>

#include "base/byte_reader.h"
#include "dump/vmcoreinfo.h"

#define X86_IMAGE	0xffffffff80000000ULL	/* __START_KERNEL_map */
#define X86_IMAGE_SIZE	(1ULL << 30)
#define X86_PRESENT	(1ULL << 0)
#define X86_LARGE	(1ULL << 7)
#define X86_PROTNONE	(1ULL << 8)	/* of an entry of a process that is not present */
#define ARM64_VALID	(1ULL << 0)
#define ARM64_TABLE	(1ULL << 1)	/* a page, in the last table; a block if not set elsewhere */
#define S390_INVALID	(1ULL << 5)	/* of all tables but the last */
#define S390_NO_PAGE	(1ULL << 10)	/* of the last */
#define S390_LARGE	(1ULL << 10)	/* of the two before it */
#define S390_TYPE	2		/* shift of the bits with the type of table */
#define PPC64_LINEAR	0xc000000000000000ULL
#define PPC64_LINEAR_SIZE (1ULL << 51)	/* up to where modules are */
#define PPC64_PRESENT	(1ULL << 63)
#define PPC64_LEAF	(1ULL << 62)

/* Address bits from @low up to, not with, @high. */
static u64 bits(u32 low, u32 high)
{
	return (1ULL << high) - (1ULL << low);
}

/* Tables that fill a page each, but for the first. */
static void set_levels(struct page_table *p, u32 nr, u32 va_bits)
{
	u32 step = p->page_shift - 3;

	p->nr_levels = nr;
	for (u32 i = 0; i < nr; i++)
		p->width[i] = step;
	p->width[nr - 1] = va_bits - p->page_shift - (nr - 1) * step;
}

/* Upper bits of 1. */
static void set_ones(struct page_table *p, u32 bits)
{
	p->upper_bits = bits;
	p->upper = (1ULL << bits) - 1;
}

/* --- where the tables are ------------------------------------------------ */

static int find_x86_64(struct page_table *p, const struct dump *in, u64 phys_base, struct err *err)
{
	u64 root, five = 0, sme = 0, size = X86_IMAGE_SIZE;

	if (!vmcoreinfo_symbol(in, "swapper_pg_dir", &root) &&
	    !vmcoreinfo_symbol(in, "init_top_pgt", &root))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "VMCOREINFO has no SYMBOL(swapper_pg_dir)");
	vmcoreinfo_number(in, "pgtable_l5_enabled", &five);
	vmcoreinfo_number(in, "sme_mask", &sme);
	vmcoreinfo_number(in, "KERNEL_IMAGE_SIZE", &size);
	*p = (struct page_table){
		.machine = PAGE_TABLE_X86_64, .page_shift = 12, .order = ORDER_LITTLE,
		.paddr_mask = bits(12, 52) & ~sme,
		.image = X86_IMAGE, .image_size = size < X86_IMAGE_SIZE ? size : X86_IMAGE_SIZE,
		.image_paddr = phys_base,
	};
	set_levels(p, five ? 5 : 4, five ? 57 : 48);
	set_ones(p, five ? 8 : 17);
	if (!page_table_image(p, root, &p->root))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the page tables at %#llx are outside the kernel image", root);
	return 0;
}

static u32 arm64_page_shift(const struct dump *in)
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
static int find_arm64(struct page_table *p, const struct dump *in, u64 voffset, struct err *err)
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
	*p = (struct page_table){
		.machine = PAGE_TABLE_ARM64, .page_shift = shift, .order = ORDER_LITTLE,
		.paddr_mask = bits(shift, 48), .wide = shift == 16 || va_bits == 52,
		.root = root - voffset,
	};
	set_levels(p, (va_bits - 4) / (shift - 3), va_bits);
	set_ones(p, 64 - va_bits);
	return 0;
}

/* An entry of a table, in the order of the machine's bytes. */
static bool read_entry(const struct page_table *p, struct dump *in, u64 at, u64 *ret)
{
	u8 raw[8];
	struct bytes b = bytes_of(raw, sizeof(raw), p->order);

	if (dump_read(in, at, raw, sizeof(raw), NULL) != sizeof(raw))
		return false;
	*ret = bytes_u64(&b, 0);
	return true;
}

static int no_root(u64 root, struct err *err)
{
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
		       "the kernel's first page table, at %#llx, is not in the dump", root);
}

/*
 * How many levels there are, an entry of the first table says, also one that is not valid.
 * Kernels up to 6.9 are at their physical addresses; later ones say where they are.
 */
static int find_s390x(struct page_table *p, struct dump *in, struct err *err)
{
	static const u8 widths[PAGE_TABLE_LEVELS] = { 8, 11, 11, 11, 11 };
	u64 root, offset, physical, entry;

	if (!vmcoreinfo_symbol(in, "swapper_pg_dir", &root))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "VMCOREINFO has no SYMBOL(swapper_pg_dir)");
	if (vmcoreinfo_hex(in, "KERNELOFFSET", &offset) &&
	    vmcoreinfo_hex(in, "KERNELOFFPHYS", &physical))
		root += physical - offset;
	*p = (struct page_table){
		.machine = PAGE_TABLE_S390X, .page_shift = 12, .order = ORDER_BIG,
		.paddr_mask = bits(12, 63) | 1ULL << 63, .root = root,
	};
	if (!read_entry(p, in, root, &entry))
		return no_root(root, err);
	p->nr_levels = 2 + (entry >> S390_TYPE & 3);
	memcpy(p->width, widths, sizeof(widths));
	p->upper_bits = 64 - (20 + 11 * (p->nr_levels - 1));
	return 0;
}

/*
 * The first entry of a radix table has the size of the next table. Hash page tables are not read:
 * then only the linear mapping is there, which is all memory but modules and vmalloc.
 */
static int find_ppc64(struct page_table *p, struct dump *in, struct err *err)
{
	static const u8 widths[][4] = { { 5, 9, 9, 13 }, { 9, 9, 9, 13 } };
	u64 root, entry, size = 65536;

	vmcoreinfo_decimal(in, "PAGESIZE", &size);
	*p = (struct page_table){
		.machine = PAGE_TABLE_PPC64, .page_shift = size == 4096 ? 12 : 16, .order = ORDER_BIG,
		.paddr_mask = bits(8, 57), .upper = PPC64_LINEAR >> 52, .upper_bits = 12,
		.image = PPC64_LINEAR, .image_size = PPC64_LINEAR_SIZE,
	};
	if (!vmcoreinfo_symbol(in, "swapper_pg_dir", &root) || !page_table_image(p, root, &p->root))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "VMCOREINFO has no SYMBOL(swapper_pg_dir), or a strange one");
	if (!read_entry(p, in, p->root, &entry))
		return no_root(p->root, err);
	if ((entry & (PPC64_PRESENT | PPC64_LEAF | 31)) != (PPC64_PRESENT | 9))
		return 0;
	p->nr_levels = 4;
	memcpy(p->width, widths[size == 4096], sizeof(widths[0]));
	return 0;
}

int page_table_find(struct page_table *paging, struct dump *in, struct err *err)
{
	u64 base;

	if (!dump_vmcoreinfo(in, NULL))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "has no VMCOREINFO, so the kernel's page tables cannot be found");
	if (dump_byte_order(in) == ORDER_LITTLE && vmcoreinfo_number(in, "phys_base", &base))
		return find_x86_64(paging, in, base, err);
	if (dump_byte_order(in) == ORDER_LITTLE && vmcoreinfo_number(in, "kimage_voffset", &base))
		return find_arm64(paging, in, base, err);
	if (dump_byte_order(in) == ORDER_BIG && vmcoreinfo_symbol(in, "lowcore_ptr", &base))
		return find_s390x(paging, in, err);
	if (vmcoreinfo_symbol(in, "_stext", &base) && base >> 52 == PPC64_LINEAR >> 52)
		return find_ppc64(paging, in, err);
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "has a VMCOREINFO that is cut off, or of a machine whose page tables are not read (those of x86-64, arm64, s390x and ppc64 are)");
}

static u64 address_in_dump(const struct page_table *p, u64 paddr)
{
	return paddr >= PAGE_TABLE_HOLE_END ? paddr - p->hole : paddr;
}

bool page_table_image(const struct page_table *p, u64 va, u64 *paddr)
{
	if (!p->image || va < p->image || va - p->image >= p->image_size)
		return false;
	*paddr = address_in_dump(p, va - p->image + p->image_paddr);
	return true;
}

void page_table_skip_hole(struct page_table *p, u64 hole)
{
	if (p->root >= PAGE_TABLE_HOLE_END - p->hole)
		p->root += p->hole;
	p->hole = hole;
	p->root = address_in_dump(p, p->root);
}

/* --- the walk ------------------------------------------------------------ */

static bool is_canonical(const struct page_table *p, u64 va)
{
	return !p->upper_bits || va >> (64 - p->upper_bits) == p->upper;
}

static u64 entry_address(const struct page_table *p, u64 entry, u32 level)
{
	u64 paddr = entry & p->paddr_mask;

	if (p->wide && p->page_shift == 16)
		paddr |= (entry & bits(12, 16)) << 36;
	else if (p->wide)
		paddr |= (entry & bits(48, 50)) | (entry & bits(8, 10)) << 42;
	/* The last tables are of 2 KiB. */
	if (p->machine == PAGE_TABLE_S390X && level == 1 && !(entry & S390_LARGE))
		paddr |= entry & bits(11, 12);
	return paddr;
}

static bool is_present(const struct page_table *p, u64 entry, u32 level)
{
	switch (p->machine) {
	case PAGE_TABLE_X86_64:
		return entry & X86_PRESENT;
	case PAGE_TABLE_ARM64:
		return (entry & ARM64_VALID) && (level || (entry & ARM64_TABLE));
	case PAGE_TABLE_S390X:
		if (!level)
			return !(entry & S390_NO_PAGE);
		return !(entry & S390_INVALID) && (entry >> S390_TYPE & 3) == level - 1;
	case PAGE_TABLE_PPC64:
		return entry & PPC64_PRESENT;
	}
	return false;
}

/* Does the entry map memory, instead of a table of the next level? */
static bool is_leaf(const struct page_table *p, u64 entry, u32 level)
{
	if (!level)
		return true;
	switch (p->machine) {
	case PAGE_TABLE_X86_64:
		return entry & X86_LARGE;
	case PAGE_TABLE_ARM64:
		return !(entry & ARM64_TABLE);
	case PAGE_TABLE_S390X:
		return level <= 2 && (entry & S390_LARGE);
	case PAGE_TABLE_PPC64:
		return entry & PPC64_LEAF;
	}
	return false;
}

/* Large pages are at most as large as what a table of the second level maps. */
#define MAX_LEAF_LEVEL	2

/*
 * A page that a process may not touch for now is not present, and still there: the kernel wants to
 * see the next access. Its address is inverted, so that no processor takes it for one.
 */
static u64 as_present(const struct page_table *p, u64 entry)
{
	if (p->machine != PAGE_TABLE_X86_64 || !p->is_process || entry & X86_PRESENT || !(entry & X86_PROTNONE))
		return entry;
	return (entry ^ p->paddr_mask) | X86_PRESENT;
}

enum page_table_result page_table_walk(const struct page_table *p, struct dump *in, u64 va,
				       struct page_table_leaf *leaf)
{
	u32 level = p->nr_levels, shift = p->page_shift;
	u64 table = p->root, value;

	*leaf = (struct page_table_leaf){ .at = p->root, .level = level, .shift = shift };
	if (!is_canonical(p, va))
		return PAGE_TABLE_UNMAPPED;
	if (!level)
		return page_table_image(p, va, &leaf->paddr) ? PAGE_TABLE_MAPPED : PAGE_TABLE_NO_TABLE;
	for (u32 i = 0; i < level; i++)
		shift += p->width[i];
	while (level--) {
		shift -= p->width[level];
		leaf->at = table + 8 * (va >> shift & ((1ULL << p->width[level]) - 1));
		leaf->level = level;
		leaf->shift = shift;
		if (!read_entry(p, in, leaf->at, &leaf->value))
			return PAGE_TABLE_NO_TABLE;
		value = as_present(p, leaf->value);
		if (!is_present(p, value, level))
			return PAGE_TABLE_UNMAPPED;
		table = entry_address(p, value, level);
		if (is_leaf(p, value, level)) {
			u64 inside = (1ULL << shift) - 1;

			leaf->paddr = address_in_dump(p, (table & ~inside) | (va & inside));
			return level <= MAX_LEAF_LEVEL ? PAGE_TABLE_MAPPED : PAGE_TABLE_UNMAPPED;
		}
		table = address_in_dump(p, table);
	}
	return PAGE_TABLE_UNMAPPED;
}

bool page_table_page(const struct page_table *p, u64 value, u64 *paddr)
{
	value = as_present(p, value);
	if (!is_present(p, value, 0))
		return false;
	*paddr = address_in_dump(p, entry_address(p, value, 0));
	return true;
}

bool page_table_of_process(struct page_table *p, u64 root)
{
	/* Tables of arm64's processes look like the kernel's, but for their upper bits. */
	if (p->page_shift != 12 || (p->machine != PAGE_TABLE_X86_64 && p->machine != PAGE_TABLE_ARM64))
		return false;
	p->root = root;
	p->upper = 0;
	p->image = 0;
	p->is_process = true;
	return true;
}
