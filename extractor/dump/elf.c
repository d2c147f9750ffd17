// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ELF64 cores of a kernel: /proc/vmcore, makedumpfile -E, QEMU's
 * dump-guest-memory, of either byte order; /proc/kcore of the live one.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "dump_impl.h"

#define EHDR_SIZE	64
#define PHDR_SIZE	56
#define SHDR_SIZE	64
#define MAX_PHDRS	(1U << 18)
#define E_FLAGS_INCOMPLETE 1	/* makedumpfile ran out of room */
#define NO_PADDR	(~0ULL)	/* /proc/kcore has virtual memory, too: modules, vmalloc */

/**
 * struct elf - the PT_LOADs, taken apart
 * @data: what is in the file; by address, not overlapping
 * @zero: behind p_filesz up to p_memsz: reads as zeroes, as ELF says;
 *	makedumpfile leaves excluded pages out this way
 * @load: both, and what a truncated file lacks
 * @is_live: it is /proc/kcore
 */
struct elf {
	struct extents data;
	struct extents zero;
	struct extents load;
	bool is_live;
};

/* --- headers ------------------------------------------------------------- */

struct phdr {
	u32 type;
	u64 offset, paddr, filesz, memsz;
};

static int add_load(struct dump *in, const struct phdr *p, struct err *err)
{
	struct elf *elf = in->container;
	u64 memsz = p->memsz > p->filesz ? p->memsz : p->filesz;
	u64 filesz = p->filesz, there;

	if (p->paddr == NO_PADDR) {
		elf->is_live = true;
		return 0;
	}
	if (memsz > ~0ULL - p->paddr) {
		dump_note_damage(in, "a segment of %#llx bytes at %#llx leaves the address space",
				 memsz, p->paddr);
		memsz = ~0ULL - p->paddr;
		filesz = min_u64(filesz, memsz);
	}
	there = p->offset < in->file_size ? min_u64(filesz, in->file_size - p->offset) : 0;
	if (!extents_add(&elf->data, p->paddr, there, p->offset) ||
	    !extents_add(&elf->zero, p->paddr + filesz, memsz - filesz, 0) ||
	    !extents_add(&elf->load, p->paddr, memsz, 0))
		return err_sys(err, "no memory for %zu segments", elf->load.nr);
	return 0;
}

/* How long the file must be for @p; saturates. */
static u64 phdr_end(const struct phdr *p)
{
	u64 end;

	if (p->type == PT_LOAD && p->paddr == NO_PADDR)
		return 0;
	return add_fits(p->offset, p->filesz, &end) ? end : ~0ULL;
}

/**
 * struct phdr_table - where the program headers are
 * @nr_known: @nr is what the file says; else read while they look like one
 */
struct phdr_table {
	u64 off;
	u32 nr;
	u32 stride;
	bool nr_known;
};

static int read_phdrs(struct dump *in, const struct phdr_table *t, struct err *err)
{
	u64 need = 0;

	for (u32 i = 0; i < t->nr; i++) {
		u8 buf[PHDR_SIZE];
		struct bytes b = bytes_of(buf, sizeof(buf), in->order);
		u64 off = t->off + (u64)i * t->stride;
		ssize_t n = file_read(in, off, buf, sizeof(buf), err);
		struct phdr p;
		int ret;

		if (n < 0)
			return n;
		if (n < PHDR_SIZE) {
			dump_note_damage(in, "program headers %u to %u are missing",
					 i, t->nr - 1);
			need = t->nr_known ? t->off + (u64)t->nr * t->stride : need;
			break;
		}
		p = (struct phdr){
			.type = bytes_u32(&b, 0),
			.offset = bytes_u64(&b, 8),
			.paddr = bytes_u64(&b, 24),
			.filesz = bytes_u64(&b, 32),
			.memsz = bytes_u64(&b, 40),
		};
		if (!t->nr_known && p.type != PT_LOAD && p.type != PT_NOTE)
			break;
		if (p.type == PT_NOTE)
			note_find_vmcoreinfo(in, p.offset, p.filesz);
		ret = p.type == PT_LOAD ? add_load(in, &p, err) : 0;
		if (ret)
			return ret;
		if (phdr_end(&p) > need)
			need = phdr_end(&p);
	}
	dump_note_size(in, need);
	return 0;
}

/* Was none of them written? */
static bool is_all_null(struct dump *in, const struct phdr_table *t)
{
	for (u32 i = 0; i < t->nr; i++) {
		static const u8 null[PHDR_SIZE];
		u8 buf[PHDR_SIZE];

		if (file_read(in, t->off + (u64)i * t->stride, buf, PHDR_SIZE, NULL) != PHDR_SIZE ||
		    memcmp(buf, null, PHDR_SIZE))
			return false;
	}
	return true;
}

/* A count of 65535 means that the true count is in sh_info of section 0. */
static int find_phdrs(struct dump *in, struct bytes *ehdr, struct phdr_table *t, struct err *err)
{
	u8 buf[SHDR_SIZE];
	struct bytes shdr = bytes_of(buf, sizeof(buf), in->order);
	u64 shoff = bytes_u64(ehdr, 40);
	ssize_t n;

	t->off = bytes_u64(ehdr, 32);
	t->stride = bytes_u16(ehdr, 54);
	if (t->stride < PHDR_SIZE)
		return err_set(err, ERR_CORRUPT, 54, "e_phentsize is %u, less than %u",
			       t->stride, PHDR_SIZE);
	if (t->off > INT64_MAX)
		return err_set(err, ERR_CORRUPT, 32, "e_phoff is %#llx, behind any file",
			       t->off);
	t->nr = bytes_u16(ehdr, 56);
	t->nr_known = true;
	if (t->nr == PN_XNUM) {
		n = file_read(in, shoff, buf, sizeof(buf), err);
		if (n < 0)
			return n;
		t->nr_known = n == SHDR_SIZE;
		t->nr = t->nr_known ? bytes_u32(&shdr, 44) : MAX_PHDRS;
		if (!t->nr_known)
			dump_note_damage(in, "the section header at byte %llu with the number of segments is missing",
					 shoff);
	}
	if (t->nr > MAX_PHDRS) {
		dump_note_damage(in, "%u program headers, of which %u are looked at",
				 t->nr, MAX_PHDRS);
		t->nr = MAX_PHDRS;
	}
	return 0;
}

/*
 * makedumpfile -E writes program headers last: without its end a dump has none.
 * The pages lie behind the notes one after the other, and their addresses are lost.
 */
static int take_unplaced(struct dump *in, const struct phdr_table *t, struct err *err)
{
	struct elf *elf = in->container;
	u64 off = t->off + (u64)t->nr * t->stride, size;

	if (elf->load.nr || elf->is_live || !t->nr || !t->nr_known || off >= in->file_size ||
	    !is_all_null(in, t))
		return 0;
	off = note_end(in, off);
	size = in->file_size - off;
	dump_note_damage(in, "the %u program headers were not written; the %llu bytes behind the notes are taken for memory, and are not where they were",
			 t->nr, size);
	if (!extents_add(&elf->data, 0, size, off) || !extents_add(&elf->load, 0, size, 0))
		return err_sys(err, "no memory");
	in->is_unplaced = true;
	return 0;
}

/*
 * A core of a process has no physical addresses: all are 0.  QEMU's has its guest's memory in one
 * stretch, and a region is found wherever it lies.  What is all in one place is put one behind
 * the other.
 */
static bool place_process(struct dump *in)
{
	struct elf *elf = in->container;
	u64 at = 0;
	size_t i;

	for (i = 0; i < elf->load.nr && !elf->load.e[i].paddr; i++)
		;
	if (elf->load.nr < 2 || i < elf->load.nr)
		return false;
	extents_free(&elf->load);
	extents_free(&elf->zero);
	elf->load = elf->zero = (struct extents){ 0 };
	for (i = 0; i < elf->data.nr; i++) {
		u64 size = elf->data.e[i].size;

		if (size > ~0ULL - DUMP_PAGE - at) {
			dump_note_damage(in, "%zu of %zu segments leave the address space", elf->data.nr - i, elf->data.nr);
			elf->data.nr = i;
			break;
		}
		elf->data.e[i].paddr = at;
		if (!extents_add(&elf->load, at, size, 0))
			break;
		at = page_up(at + size);
	}
	return true;
}

static int check_ident(struct dump *in, const u8 *ehdr, ssize_t n, struct err *err)
{
	if (n < EHDR_SIZE)
		return dump_short_header(in, n, EHDR_SIZE, err);
	if (ehdr[EI_CLASS] == ELFCLASS32)
		return err_set(err, ERR_NOT_OURS, EI_CLASS, "is a 32-bit ELF file; 64-bit cores are read");
	if (ehdr[EI_CLASS] != ELFCLASS64)
		return err_set(err, ERR_CORRUPT, EI_CLASS, "ELF class is %u, 2 is 64-bit",
			       ehdr[EI_CLASS]);
	if (ehdr[EI_DATA] != ELFDATA2LSB && ehdr[EI_DATA] != ELFDATA2MSB)
		return err_set(err, ERR_CORRUPT, EI_DATA, "ELF byte order is %u, neither 1 nor 2",
			       ehdr[EI_DATA]);
	in->order = ehdr[EI_DATA] == ELFDATA2MSB ? ORDER_BIG : ORDER_LITTLE;
	return 0;
}

static int read_headers(struct dump *in, struct err *err)
{
	u8 buf[EHDR_SIZE];
	struct bytes ehdr = bytes_of(buf, sizeof(buf), ORDER_LITTLE);
	struct phdr_table table = { 0 };
	ssize_t n = file_read(in, 0, buf, sizeof(buf), err);
	int ret = n < 0 ? n : check_ident(in, buf, n, err);

	if (ret)
		return ret;
	ehdr.order = in->order;
	if (bytes_u16(&ehdr, 16) != ET_CORE)
		return err_set(err, ERR_NOT_OURS, 16, "is an ELF file of type %u, a program or a part of one; a dump is a core, of type %u",
			       bytes_u16(&ehdr, 16), ET_CORE);
	if (bytes_u32(&ehdr, 48) & E_FLAGS_INCOMPLETE)
		dump_note_damage(in, "the header says that the dump is incomplete: makedumpfile ran out of room");
	ret = find_phdrs(in, &ehdr, &table, err);
	if (!ret)
		ret = read_phdrs(in, &table, err);
	return ret ? ret : take_unplaced(in, &table, err);
}

static int elf_open(struct dump *in, struct err *err)
{
	struct elf *elf = calloc(1, sizeof(*elf));
	bool is_process;
	int ret;

	if (!elf)
		return err_sys(err, "no memory");
	in->container = elf;
	ret = read_headers(in, err);
	if (ret)
		return ret;
	in->changes = elf->is_live;
	is_process = place_process(in);
	in->is_unplaced |= is_process;
	snprintf(in->kind, sizeof(in->kind), "%s%s",
		 elf->is_live ? "ELF core of a live kernel" :
		 is_process ? "ELF core of a process" : "ELF vmcore",
		 in->order == ORDER_BIG ? " (big-endian)" : "");
	if (elf->is_live)
		dump_note_damage(in, "a live kernel's core has what was RAM when it booted; a region that memmap= reserves is in /dev/epitaph only");
	extents_sort(&elf->data);
	extents_sort(&elf->zero);
	extents_sort(&elf->load);
	for (size_t i = 0; i < elf->load.nr && !ret; i++)
		ret = dump_add_segment(in, elf->load.e[i].paddr, elf->load.e[i].size, err);
	extents_free(&elf->load);
	return ret;
}

static void elf_close(struct dump *in)
{
	struct elf *elf = in->container;

	if (!elf)
		return;
	extents_free(&elf->data);
	extents_free(&elf->zero);
	extents_free(&elf->load);
	free(elf);
}

/* --- bytes --------------------------------------------------------------- */

/* Zeroes at @paddr, up to where there is data again. */
static size_t read_zeroes(const struct elf *elf, size_t next, u64 paddr, void *buf,
			  size_t size)
{
	u64 room = extents_room(&elf->zero, extents_find(&elf->zero, paddr), paddr);

	size = min_u64(size, room);
	if (next < elf->data.nr)
		size = min_u64(size, elf->data.e[next].paddr - paddr);
	memset(buf, 0, size);
	return size;
}

static ssize_t elf_read(struct dump *in, u64 paddr, void *buf, size_t size,
			struct err *err)
{
	const struct elf *elf = in->container;
	size_t done = 0;

	while (done < size) {
		u64 at = paddr + done;
		size_t i = extents_find(&elf->data, at);
		size_t want = min_u64(size - done, extents_room(&elf->data, i, at));
		ssize_t n;

		if (want) {
			const struct extent *e = &elf->data.e[i];

			n = file_fetch(in, e->off + (at - e->paddr), (u8 *)buf + done, want, err);
		} else {
			n = want = read_zeroes(elf, i, at, (u8 *)buf + done, size - done);
		}
		if (n < 0)
			return n;
		done += n;
		if (!n || (size_t)n < want)
			break;
	}
	return done;
}

static bool elf_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	const struct elf *elf = in->container;
	size_t i = extents_find(&elf->data, paddr);

	if (extents_room(&elf->data, i, paddr) < 8)
		return elf_read(in, paddr, bytes, 8, NULL) == 8;
	return file_peek(in, elf->data.e[i].off + (paddr - elf->data.e[i].paddr), bytes);
}

static bool elf_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	const struct elf *elf = in->container;

	for (size_t i = extents_find(&elf->data, paddr); i < elf->data.nr; i++) {
		const struct extent *e = &elf->data.e[i];
		u64 skip = paddr > e->paddr ? paddr - e->paddr : 0;
		u64 data, hole;

		if (!file_next_data(in, e->off + skip, &data, &hole) ||
		    data >= e->off + e->size)
			continue;
		*next = e->paddr + (data - e->off);
		*len = min_u64(hole, e->off + e->size) - data;
		return true;
	}
	return false;
}

static bool elf_is_zero_by_size(const struct dump *in, u64 paddr)
{
	const struct elf *elf = in->container;

	return !extents_room(&elf->data, extents_find(&elf->data, paddr), paddr) &&
	       extents_room(&elf->zero, extents_find(&elf->zero, paddr), paddr);
}

const struct dump_ops dump_elf_ops = {
	.open = elf_open,
	.close = elf_close,
	.read = elf_read,
	.peek = elf_peek,
	.next_data = elf_next_data,
	.is_zero_by_size = elf_is_zero_by_size,
};
