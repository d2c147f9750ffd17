// SPDX-License-Identifier: GPL-2.0-or-later
#include "kmem_image.h"

#include <elf.h>
#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT_PADDR	0x200000ULL
#define TEXT_SIZE	0x300000ULL

static bool is_big(const struct kmem_paging *p)
{
	return p->machine == KMEM_S390X || p->machine == KMEM_PPC64_BE;
}

uint64_t kmem_u64(const struct kmem_paging *p, uint64_t n)
{
	return is_big(p) ? htobe64(n) : htole64(n);
}

static uint16_t put16(const struct kmem_paging *p, uint16_t n)
{
	return is_big(p) ? htobe16(n) : htole16(n);
}

static uint32_t put32(const struct kmem_paging *p, uint32_t n)
{
	return is_big(p) ? htobe32(n) : htole32(n);
}

static bool is_ppc64(const struct kmem_paging *p)
{
	return p->machine == KMEM_PPC64 || p->machine == KMEM_PPC64_BE;
}

/* log2 of a table's entries. */
static uint32_t width(const struct kmem_paging *p, uint32_t level)
{
	static const uint32_t radix[] = { 5, 9, 9, 13 };

	if (p->machine == KMEM_S390X)
		return level ? 11 : 8;
	if (is_ppc64(p))
		return level || p->page_shift == 16 ? radix[level] : 9;
	if (level < p->levels - 1)
		return p->page_shift - 3;
	return p->va_bits - p->page_shift - level * (p->page_shift - 3);
}

uint64_t kmem_span(const struct kmem_paging *p, uint32_t level)
{
	uint32_t shift = p->page_shift;

	while (level--)
		shift += width(p, level);
	return 1ULL << shift;
}

/* Entries of ppc64's tables are big-endian whatever its kernel is. */
static uint64_t swap_entry(const struct kmem_paging *p, uint64_t entry)
{
	return p->machine == KMEM_S390X || is_ppc64(p) ? htobe64(entry) : entry;
}

/* On s390x an invalid entry still holds the type of its table. */
static uint64_t empty(const struct kmem_paging *p, uint32_t level)
{
	if (p->machine != KMEM_S390X)
		return 0;
	return level ? 0x20 | (level - 1) << 2 : 0x400;
}

static uint64_t new_table(struct kmem *k, uint32_t level)
{
	uint64_t at = k->next, size = 8ULL << width(&k->paging, level);
	const uint64_t entry = swap_entry(&k->paging, empty(&k->paging, level));

	/* s390x's last tables are not aligned to pages. */
	if (k->paging.machine != KMEM_S390X && size < 1ULL << k->paging.page_shift)
		size = 1ULL << k->paging.page_shift;
	k->next += size;
	if (k->next > TEXT_PADDR)
		abort();
	for (uint64_t i = 0; i < size; i += 8)
		memcpy(k->mem + at + i, &entry, 8);
	return at;
}

/* VMCOREINFO of machines that have the kernel where it is in physical memory. */
static bool is_in_one_piece(struct kmem *k)
{
	if (k->paging.machine == KMEM_S390X) {
		kmem_info(k, "SYMBOL(lowcore_ptr)=100000");
		kmem_info(k, "SYMBOL(swapper_pg_dir)=%llx", (unsigned long long)k->root);
		return true;
	}
	if (is_ppc64(&k->paging)) {
		kmem_info(k, "SYMBOL(_stext)=c000000000000000");
		kmem_info(k, "SYMBOL(swapper_pg_dir)=%llx",
			  0xc000000000000000ULL + (unsigned long long)k->root);
		kmem_map(k, 0xc000000000000000, 0, 1);
		return true;
	}
	return false;
}

struct kmem kmem_make(const struct kmem_paging *paging)
{
	struct kmem k = { .paging = *paging, .mem = calloc(1, KMEM_SIZE), .text = TEXT_PADDR };
	uint64_t va;

	k.next = 0x10000;
	k.root = new_table(&k, paging->levels - 1);
	kmem_info(&k, "OSRELEASE=6.1.0-test");
	kmem_info(&k, "PAGESIZE=%d", 1 << paging->page_shift);
	if (paging->machine == KMEM_ARM64) {
		kmem_info(&k, "NUMBER(VA_BITS)=%u", paging->va_bits);
		kmem_info(&k, "NUMBER(kimage_voffset)=0xffff7fff80000000");
		kmem_info(&k, "SYMBOL(swapper_pg_dir)=%llx",
			  0xffff7fff80000000ULL + (unsigned long long)k.root);
		return k;
	}
	if (is_in_one_piece(&k))
		return k;
	kmem_info(&k, "NUMBER(phys_base)=%lld", (long long)(TEXT_PADDR - 0x1000000));
	kmem_info(&k, "NUMBER(pgtable_l5_enabled)=%d", paging->levels == 5);
	kmem_info(&k, "NUMBER(KERNEL_IMAGE_SIZE)=1073741824");
	kmem_info(&k, "SYMBOL(swapper_pg_dir)=%llx", (unsigned long long)
		  (KMEM_TEXT - TEXT_PADDR + k.root));
	for (va = KMEM_TEXT; va < KMEM_TEXT + TEXT_SIZE; va += 4096)
		kmem_map(&k, va, TEXT_PADDR + va - KMEM_TEXT, 0);
	return k;
}

void kmem_free(struct kmem *k)
{
	free(k->mem);
}

void kmem_info(struct kmem *k, const char *fmt, ...)
{
	size_t len = strlen(k->info);
	va_list ap;

	va_start(ap, fmt);
	len += vsnprintf(k->info + len, sizeof(k->info) - len, fmt, ap);
	va_end(ap);
	if (len + 2 > sizeof(k->info))
		abort();
	strcpy(k->info + len, "\n");
}

/* Bits 48 to 51 of arm64's addresses: with pages of 64 KiB in 12 to 15, else in 8 and 9 (50, 51). */
static uint64_t encode(const struct kmem *k, uint64_t paddr)
{
	const uint64_t low = paddr & 0xffffffffffffULL, high = paddr >> 48;

	if (k->paging.machine != KMEM_ARM64)
		return paddr;
	return k->paging.page_shift == 16 ? low | high << 12
					  : low | (high & 3) << 48 | (high >> 2) << 8;
}

static uint64_t decode(const struct kmem *k, uint64_t entry)
{
	if (k->paging.machine == KMEM_S390X)
		return entry & 0xfffffffff800ULL;
	if (is_ppc64(&k->paging))
		return entry & 0xffffffffff00ULL;
	return entry & 0xfffffffff000ULL & ~((1ULL << k->paging.page_shift) - 1);
}

/* What leads to a table of @level from the one before it. */
static uint64_t link_to(const struct kmem *k, uint64_t table, uint32_t level)
{
	if (k->paging.machine == KMEM_S390X)
		return table | level << 2 | (level ? 3 : 0);
	if (is_ppc64(&k->paging))
		return table | 1ULL << 63 | width(&k->paging, level);
	return table | 3;
}

uint64_t kmem_entry(struct kmem *k, uint64_t va, uint32_t level)
{
	const struct kmem_paging *p = &k->paging;
	uint64_t table = k->root, at, entry;

	for (uint32_t l = p->levels - 1;; l--) {
		at = table + 8 * (va / kmem_span(p, l) & ((1ULL << width(p, l)) - 1));
		if (l == level)
			return at;
		memcpy(&entry, k->mem + at, 8);
		entry = swap_entry(p, entry);
		if (entry == empty(p, l)) {
			entry = link_to(k, new_table(k, l - 1), l - 1);
			memcpy(k->mem + at, &(uint64_t){ swap_entry(p, entry) }, 8);
		}
		table = decode(k, entry);
	}
}

static uint64_t flags(const struct kmem_paging *p, uint32_t level)
{
	switch (p->machine) {
	case KMEM_X86_64:
		return 0x63 | (level ? 0x80 : 0) | 1ULL << 63;
	case KMEM_ARM64:
		/* With 52 bits and pages of 4 or 16 KiB, the address takes the place of shareability. */
		return (p->va_bits == 52 && p->page_shift < 16 ? 0x401 : 0x701) |
		       (level ? 0 : 2) | 1ULL << 54;
	case KMEM_S390X:
		return level ? 0x400 | (level - 1) << 2 : 0x100;
	default:
		return 3ULL << 62 | 0x187;
	}
}

void kmem_map(struct kmem *k, uint64_t va, uint64_t paddr, uint32_t level)
{
	uint64_t entry = swap_entry(&k->paging, encode(k, paddr) | flags(&k->paging, level));

	memcpy(k->mem + kmem_entry(k, va, level), &entry, 8);
}

uint64_t kmem_put(struct kmem *k, const void *data, size_t size)
{
	uint64_t va = KMEM_TEXT + k->used;

	if (size > TEXT_SIZE - k->used)
		abort();
	memcpy(kmem_at(k, va), data, size);
	k->used += (size + 7) & ~7ULL;
	return va;
}

void *kmem_at(struct kmem *k, uint64_t va)
{
	return k->mem + k->text + (va - KMEM_TEXT);
}

int kmem_fd(const struct kmem *k)
{
	static const char name[12] = "VMCOREINFO";
	static const uint16_t machines[] = {
		[KMEM_X86_64] = EM_X86_64, [KMEM_ARM64] = EM_AARCH64, [KMEM_S390X] = EM_S390,
		[KMEM_PPC64] = EM_PPC64, [KMEM_PPC64_BE] = EM_PPC64,
	};
	const struct kmem_paging *p = &k->paging;
	const size_t info = (strlen(k->info) + 3) & ~3ULL;
	const Elf64_Nhdr note = {
		.n_namesz = put32(p, 11), .n_descsz = put32(p, strlen(k->info)),
	};
	const size_t notes = sizeof(note) + sizeof(name) + info;
	const Elf64_Ehdr head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
			     is_big(p) ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT },
		.e_type = put16(p, ET_CORE), .e_version = put32(p, EV_CURRENT),
		.e_phoff = kmem_u64(p, sizeof(head)), .e_machine = put16(p, machines[p->machine]),
		.e_ehsize = put16(p, sizeof(head)), .e_phentsize = put16(p, sizeof(Elf64_Phdr)),
		.e_phnum = put16(p, 2),
	};
	const Elf64_Phdr phdr[2] = {
		{ .p_type = put32(p, PT_NOTE), .p_offset = kmem_u64(p, 4096),
		  .p_filesz = kmem_u64(p, k->bare ? 0 : notes) },
		{ .p_type = put32(p, PT_LOAD), .p_offset = kmem_u64(p, 65536),
		  .p_filesz = kmem_u64(p, KMEM_SIZE), .p_memsz = kmem_u64(p, KMEM_SIZE) },
	};
	int fd = memfd_create("kmem", MFD_CLOEXEC);

	if (fd < 0 || pwrite(fd, &head, sizeof(head), 0) < 0 ||
	    pwrite(fd, phdr, sizeof(phdr), sizeof(head)) < 0 ||
	    pwrite(fd, &note, sizeof(note), 4096) < 0 ||
	    pwrite(fd, name, sizeof(name), 4096 + sizeof(note)) < 0 ||
	    pwrite(fd, k->info, strlen(k->info), 4096 + sizeof(note) + sizeof(name)) < 0 ||
	    pwrite(fd, k->mem, KMEM_SIZE, 65536) < 0 ||
	    (k->size && ftruncate(fd, k->size)))
		abort();
	return fd;
}
