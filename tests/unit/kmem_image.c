// SPDX-License-Identifier: GPL-2.0-or-later
#include "kmem_image.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT_PADDR	0x200000ULL
#define TEXT_SIZE	0x300000ULL

static uint64_t new_table(struct kmem *k)
{
	uint64_t at = k->next;

	k->next += 1ULL << k->paging.page_shift;
	if (k->next > TEXT_PADDR)
		abort();
	return at;
}

struct kmem kmem_make(const struct kmem_paging *paging)
{
	struct kmem k = { .paging = *paging, .mem = calloc(1, KMEM_SIZE), .text = TEXT_PADDR };
	uint64_t va;

	k.next = 0x10000;
	k.root = new_table(&k);
	kmem_info(&k, "OSRELEASE=6.1.0-test");
	kmem_info(&k, "PAGESIZE=%d", 1 << paging->page_shift);
	if (paging->machine == KMEM_ARM64) {
		kmem_info(&k, "NUMBER(VA_BITS)=%u", paging->va_bits);
		kmem_info(&k, "NUMBER(kimage_voffset)=0xffff7fff80000000");
		kmem_info(&k, "SYMBOL(swapper_pg_dir)=%llx",
			  0xffff7fff80000000ULL + (unsigned long long)k.root);
		return k;
	}
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

	if (k->paging.machine == KMEM_X86_64)
		return paddr;
	return k->paging.page_shift == 16 ? low | high << 12
					  : low | (high & 3) << 48 | (high >> 2) << 8;
}

static uint64_t decode(const struct kmem *k, uint64_t entry)
{
	return entry & 0xfffffffff000ULL & ~((1ULL << k->paging.page_shift) - 1);
}

uint64_t kmem_entry(struct kmem *k, uint64_t va, uint32_t level)
{
	const struct kmem_paging *p = &k->paging;
	uint64_t table = k->root, at;

	for (uint32_t l = p->levels - 1;; l--) {
		uint32_t shift = p->page_shift + l * (p->page_shift - 3);
		uint64_t high = 1ULL << (l == p->levels - 1 ? p->va_bits - shift : p->page_shift - 3);

		at = table + 8 * ((va >> shift) & (high - 1));
		if (l == level)
			return at;
		memcpy(&table, k->mem + at, 8);
		if (!table) {
			table = new_table(k);
			memcpy(k->mem + at, &(uint64_t){ table | 3 }, 8);
		}
		table = decode(k, table);
	}
}

void kmem_map(struct kmem *k, uint64_t va, uint64_t paddr, uint32_t level)
{
	uint64_t entry = encode(k, paddr);

	if (k->paging.machine == KMEM_X86_64)
		entry |= 0x63 | (level ? 0x80 : 0) | 1ULL << 63;
	else
		/* With 52 bits and pages of 4 or 16 KiB, the address takes the place of shareability. */
		entry |= (k->paging.va_bits == 52 && k->paging.page_shift < 16 ? 0x401 : 0x701) |
			 (level ? 0 : 2) | 1ULL << 54;
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
	const size_t info = (strlen(k->info) + 3) & ~3ULL;
	const Elf64_Nhdr note = { .n_namesz = 11, .n_descsz = strlen(k->info) };
	const size_t notes = sizeof(note) + sizeof(name) + info;
	const Elf64_Ehdr head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE, .e_version = EV_CURRENT, .e_phoff = sizeof(head),
		.e_machine = k->paging.machine == KMEM_ARM64 ? EM_AARCH64 : EM_X86_64,
		.e_ehsize = sizeof(head), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
	};
	const Elf64_Phdr phdr[2] = {
		{ .p_type = PT_NOTE, .p_offset = 4096, .p_filesz = k->bare ? 0 : notes },
		{ .p_type = PT_LOAD, .p_offset = 65536, .p_filesz = KMEM_SIZE,
		  .p_memsz = KMEM_SIZE },
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
