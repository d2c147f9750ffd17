// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump_make.h"

#include <lzo/lzo1x.h>
#include <snappy-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

const char make_vmcoreinfo[] = "OSRELEASE=6.1.0-test\nCRASHTIME=1700000000\n";

/* --- the memory ---------------------------------------------------------- */

bool make_is_ram(unsigned int pfn)
{
	return pfn < MAKE_PAGES && (pfn < 5 || (pfn >= 8 && pfn < 50) || pfn >= 64);
}

bool make_is_dumped(unsigned int pfn)
{
	return make_is_ram(pfn) && pfn % 7 != 3;
}

/* Zeroes, text, noise, and a page that begins as a region does. */
void make_page(unsigned int pfn, uint32_t page_size, uint8_t *page)
{
	uint32_t x = pfn * 2654435761U + 1;

	memset(page, 0, page_size);
	for (uint32_t i = 0; i < page_size && pfn % 4; i++) {
		x = x * 1664525 + 1013904223;
		if (pfn % 4 == 1)
			page[i] = "what happened last? "[(i + pfn) % 20];
		else if (pfn % 4 == 2)
			page[i] = x >> 24;
		else if (i < 64 || i % 512 < 16)
			page[i] = i < 8 ? (uint8_t)"EPITAPH\x1a"[i] : x >> 28;
	}
}

/* --- the file ------------------------------------------------------------ */

static void need(struct image *image, size_t size)
{
	if (size <= image->room)
		return;
	image->data = realloc(image->data, 2 * size);
	if (!image->data)
		abort();
	memset(image->data + image->room, 0, 2 * size - image->room);
	image->room = 2 * size;
}

static void put_bytes(struct image *image, size_t off, const void *p, size_t len)
{
	need(image, off + len);
	memcpy(image->data + off, p, len);
	if (image->size < off + len)
		image->size = off + len;
}

void image_put(struct image *image, size_t off, uint64_t value, size_t width, bool big)
{
	uint8_t b[8];

	for (size_t i = 0; i < width; i++)
		b[i] = value >> 8 * (big ? width - 1 - i : i);
	put_bytes(image, off, b, width);
}

static void edge(struct image *image, size_t off)
{
	if (image->nr_edges < sizeof(image->edges) / sizeof(image->edges[0]))
		image->edges[image->nr_edges++] = off;
}

void image_free(struct image *image)
{
	free(image->data);
	image->data = NULL;
}

int image_fd(const struct image *image, size_t size)
{
	int fd = memfd_create("dump", MFD_CLOEXEC);

	if (fd < 0 || write(fd, image->data, size) != (ssize_t)size)
		abort();
	return fd;
}

/* Return: bytes of the note, padded. */
static size_t put_note(struct image *image, size_t off, const char *name, const void *desc,
		       size_t len, bool big)
{
	size_t name_len = strlen(name) + 1, at = 12 + ((name_len + 3) & ~3UL);

	edge(image, off);
	image_put(image, off, name_len, 4, big);
	image_put(image, off + 4, len, 4, big);
	image_put(image, off + 8, 0, 4, big);
	put_bytes(image, off + 12, name, name_len);
	put_bytes(image, off + at, desc, len);
	return at + ((len + 3) & ~3UL);
}

/* NT_PRSTATUS: pr_pid at 32, pr_reg from 112 on. */
static size_t put_cpu(struct image *image, size_t off, const struct make *make, uint32_t cpu)
{
	static const char registers[336];
	size_t len = put_note(image, off, "CORE", registers, sizeof(registers), make->big);

	if (!make->nr_cpus)
		return len;
	image_put(image, off + 8, 1, 4, make->big);
	image_put(image, off + 20 + 32, make->of_kernel ? 4711 + cpu : cpu + 1, 4, make->big);
	for (uint32_t i = 0; i < 20; i++)
		image_put(image, off + 20 + 112 + 8 * i, make_register(cpu, i), 8, make->big);
	return len;
}

static size_t put_notes(struct image *image, size_t off, const struct make *make)
{
	size_t len = 0;

	for (uint32_t i = 0; i < (make->nr_cpus ? make->nr_cpus : 1); i++)
		len += put_cpu(image, off + len, make, i);
	return len + put_note(image, off + len, "VMCOREINFO", make_vmcoreinfo,
			      strlen(make_vmcoreinfo), make->big);
}

struct machine {
	const char *name;		/* as uname has it */
	uint16_t elf;			/* e_machine */
	uint64_t virt;			/* where RAM is mapped, roughly */
};

static struct machine machine_of(const struct make *make)
{
	static const struct machine machines[] = {
		[MAKE_X86_64] = { "x86_64", 62, 0xffff888000000000ULL },
		[MAKE_ARM64] = { "aarch64", 183, 0xffff000000000000ULL },
		[MAKE_S390X] = { "s390x", 22, 0 },
		[MAKE_PPC64] = { "ppc64", 21, 0xc000000000000000ULL },
	};

	if (make->machine == MAKE_ANY)
		return machines[make->big ? MAKE_S390X :
				make->page_size > 4096 ? MAKE_ARM64 : MAKE_X86_64];
	return machines[make->machine];
}

/* --- kdump-compressed ---------------------------------------------------- */

struct packed {
	uint8_t data[2 * MAKE_PAGE_MAX];
	size_t len;
	enum make_method method;
};

static size_t pack_with(const uint8_t *page, uint32_t size, struct packed *p)
{
	static uint8_t work[LZO1X_1_MEM_COMPRESS] __attribute__((aligned(16)));
	size_t len = sizeof(p->data);
	uLongf zlib_len = len;
	lzo_uint lzo_len = len;

	switch (p->method) {
	case MAKE_ZLIB:
		return compress2(p->data, &zlib_len, page, size, 1) ? 0 : zlib_len;
	case MAKE_LZO:
		return lzo1x_1_compress(page, size, p->data, &lzo_len, work) ? 0 : lzo_len;
	case MAKE_SNAPPY:
		return snappy_compress((const char *)page, size, (char *)p->data, &len) ? 0 : len;
	case MAKE_ZSTD:
		len = ZSTD_compress(p->data, len, page, size, 1);
		return ZSTD_isError(len) ? 0 : len;
	default:
		return 0;
	}
}

/* As makedumpfile: a page that does not get smaller is stored as it is. */
static void pack(const struct make *make, unsigned int pfn, uint32_t size, struct packed *p)
{
	static const enum make_method mix[] = {
		MAKE_ZSTD, MAKE_LZO, MAKE_SNAPPY, MAKE_ZLIB, MAKE_RAW,
	};
	uint8_t page[MAKE_PAGE_MAX];

	make_page(pfn, size, page);
	p->method = make->method == MAKE_MIXED ? mix[pfn % 5] : make->method;
	p->len = pack_with(page, size, p);
	if (p->len && p->len < size)
		return;
	memcpy(p->data, page, size);
	p->len = size;
	p->method = MAKE_RAW;
}

static void put_kdump_header(struct image *image, const struct make *make, uint32_t size,
			     uint32_t version, uint32_t bitmap_blocks)
{
	static const char * const names[] = {
		"Linux", "host", "6.1.0-test", "#1 SMP", NULL, "(none)",
	};
	const char *machine = machine_of(make).name;

	put_bytes(image, 0, "KDUMP   ", 8);
	image_put(image, 8, version, 4, make->big);
	for (int i = 0; i < 6; i++)
		put_bytes(image, 12 + 65 * i, names[i] ? names[i] : machine,
			  strlen(names[i] ? names[i] : machine));
	image_put(image, 408, 1700000000 + make->salt, 8, make->big);
	image_put(image, 424, (make->method == MAKE_MIXED ? MAKE_ZLIB : make->method) | (make->incomplete ? 8 : 0), 4, make->big);
	image_put(image, 428, size, 4, make->big);
	image_put(image, 432, 1, 4, make->big);		/* sub_hdr_size */
	image_put(image, 436, bitmap_blocks, 4, make->big);
	image_put(image, 440, MAKE_PAGES, 4, make->big);	/* max_mapnr */
	image_put(image, 460, 1, 4, make->big);		/* nr_cpus */
	edge(image, 464);
}

static void put_sub_header(struct image *image, const struct make *make, uint32_t size,
			   uint32_t version)
{
	size_t sub = size, at = sub + 512, notes = sub + 1024;
	bool big = make->big;
	size_t len;

	image_put(image, sub + 8, 31, 4, big);			/* dump_level */
	if (version >= 2) {
		image_put(image, sub + 12, make->split, 4, big);
		image_put(image, sub + 16, make->first, 8, big);
		image_put(image, sub + 24, make->split ? make->end : MAKE_PAGES, 8, big);
	}
	if (version >= 3) {
		put_bytes(image, at, make_vmcoreinfo, strlen(make_vmcoreinfo));
		image_put(image, sub + 32, at, 8, big);
		image_put(image, sub + 40, strlen(make_vmcoreinfo), 8, big);
	}
	if (version >= 4) {
		len = put_notes(image, notes, make);
		image_put(image, sub + 48, notes, 8, big);
		image_put(image, sub + 56, len, 8, big);
	}
	if (version >= 6) {
		image_put(image, sub + 80, make->first, 8, big);
		image_put(image, sub + 88, make->split ? make->end : MAKE_PAGES, 8, big);
		image_put(image, sub + 96, MAKE_PAGES, 8, big);
	}
	edge(image, sub);
	edge(image, sub + 104);
}

static void put_bitmap(struct image *image, size_t off, bool (*is_set)(unsigned int))
{
	uint8_t map[MAKE_PAGES / 8] = { 0 };

	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
		map[pfn / 8] |= is_set(pfn) << pfn % 8;
	put_bytes(image, off, map, sizeof(map));
	edge(image, off);
	edge(image, off + sizeof(map));
}

static void put_desc(struct image *image, size_t off, const struct packed *p, size_t data,
		     bool big)
{
	image_put(image, off, data, 8, big);
	image_put(image, off + 8, p->len, 4, big);
	image_put(image, off + 12, p->method, 4, big);
	image_put(image, off + 16, 0, 8, big);
	edge(image, off);
}

/* Has this file the page's descriptor? */
static bool has_page(const struct make *make, unsigned int pfn)
{
	return make_is_dumped(pfn) && (!make->split || (pfn >= make->first && pfn < make->end));
}

struct image make_kdump(const struct make *make)
{
	uint32_t size = make->page_size ? make->page_size : 4096;
	uint32_t version = make->version ? make->version : 6;
	uint32_t bitmap_blocks = make->one_bitmap ? 1 : 2;
	struct image image = { 0 };
	size_t desc = (2 + bitmap_blocks) * (size_t)size, data = desc;
	struct packed p;

	put_kdump_header(&image, make, size, version, bitmap_blocks);
	put_sub_header(&image, make, size, version);
	put_bitmap(&image, 2 * size, make->one_bitmap ? make_is_dumped : make_is_ram);
	if (!make->one_bitmap)
		put_bitmap(&image, 3 * size, make_is_dumped);
	image_put(&image, desc - 1, 0, 1, make->big);
	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
		data += has_page(make, pfn) ? 24 : 0;
	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++) {
		if (!has_page(make, pfn))
			continue;
		pack(make, pfn, size, &p);
		put_desc(&image, desc, &p, data, make->big);
		put_bytes(&image, data, p.data, p.len);
		image.desc_off[pfn] = desc;
		edge(&image, data);
		desc += 24;
		data += p.len;
		image.page_end[pfn] = data;
	}
	edge(&image, image.size);
	return image;
}

/* --- ELF ----------------------------------------------------------------- */

static void put_phdr(struct image *image, size_t off, uint32_t type, const uint64_t v[5],
		     const struct make *make)
{
	bool big = make->big;

	image_put(image, off, type, 4, big);
	image_put(image, off + 4, 7, 4, big);
	image_put(image, off + 8, v[0], 8, big);		/* offset */
	image_put(image, off + 16, v[1] + machine_of(make).virt, 8, big);
	image_put(image, off + 24, v[1], 8, big);		/* paddr */
	image_put(image, off + 32, v[2], 8, big);		/* filesz */
	image_put(image, off + 40, v[3], 8, big);		/* memsz */
	image_put(image, off + 48, 0, 8, big);
	edge(image, off);
}

static void put_ehdr(struct image *image, const struct make *make, uint32_t nr)
{
	bool big = make->big, xnum = make->xnum || nr >= 0xffff;

	put_bytes(image, 0, "\177ELF\2", 5);
	image_put(image, 5, big ? 2 : 1, 1, big);
	image_put(image, 6, 1, 1, big);
	image_put(image, 16, 4, 2, big);			/* ET_CORE */
	image_put(image, 18, machine_of(make).elf, 2, big);
	image_put(image, 20, 1, 4, big);
	image_put(image, 32, 128, 8, big);			/* phoff */
	image_put(image, 40, xnum ? 64 : 0, 8, big);		/* shoff */
	image_put(image, 48, make->incomplete, 4, big);
	image_put(image, 52, 64, 2, big);
	image_put(image, 54, 56, 2, big);
	image_put(image, 56, xnum ? 0xffff : nr, 2, big);
	image_put(image, 58, 64, 2, big);
	image_put(image, 60, xnum, 2, big);
	if (xnum)
		image_put(image, 64 + 44, nr, 4, big);		/* sh_info */
	edge(image, 64);
	edge(image, 128);
}

/* Runs of RAM; a page that is not dumped ends a segment's bytes, not its memory. */
static unsigned int run_end(unsigned int pfn, bool dumped)
{
	while (make_is_ram(pfn) && make_is_dumped(pfn) == dumped)
		pfn++;
	return pfn;
}

static uint64_t elf_page(const struct make *make)
{
	return make->page_size ? make->page_size : 4096;
}

static void put_run(struct image *image, size_t *phdr, size_t *data, unsigned int from,
		    const struct make *make)
{
	unsigned int to = run_end(from, true), end = run_end(to, false);
	uint64_t size = elf_page(make);
	uint64_t v[5] = { *data, from * size, (to - from) * size, (end - from) * size };
	uint8_t page[MAKE_PAGE_MAX];

	put_phdr(image, *phdr, 1, v, make);
	*phdr += 56;
	edge(image, *data);
	for (; from < to; from++) {
		make_page(from, size, page);
		put_bytes(image, *data, page, size);
		*data += size;
		image->page_end[from] = *data;
	}
}

static uint32_t count_runs(void)
{
	uint32_t nr = 0;

	for (unsigned int pfn = 0; pfn < MAKE_PAGES; nr++) {
		while (pfn < MAKE_PAGES && !make_is_ram(pfn))
			pfn++;
		pfn = run_end(run_end(pfn, true), false);
	}
	return nr;
}

struct image make_elf(const struct make *make)
{
	uint32_t nr = 1 + make->again + make->nr_more_segments + count_runs();
	size_t phdr = 128, data = (phdr + nr * 56ULL + 4095) & ~4095ULL, notes = data;
	struct image image = { 0 };
	uint64_t v[5] = { notes, 0, 0, 0 };

	put_ehdr(&image, make, nr);
	v[2] = v[3] = put_notes(&image, notes, make);
	put_phdr(&image, phdr, 4, v, make);
	phdr += 56;
	for (uint32_t i = 0; i < make->nr_more_segments; i++, phdr += 56) {
		v[1] = 0x100000000ULL + i * 4096ULL;
		v[2] = v[3] = 0;
		put_phdr(&image, phdr, 1, v, make);
	}
	data += 4096 + make->odd_offset;
	if (make->again) {
		size_t again = data;

		v[0] = data;
		v[1] = 4096;
		v[2] = v[3] = 4096;
		put_phdr(&image, phdr, 1, v, make);
		make_page(1, 4096, (need(&image, again + 4096), image.data + again));
		phdr += 56;
		data += 4096;
	}
	for (unsigned int pfn = 0; pfn < MAKE_PAGES; ) {
		while (pfn < MAKE_PAGES && !make_is_ram(pfn))
			pfn++;
		put_run(&image, &phdr, &data, pfn, make);
		pfn = run_end(run_end(pfn, true), false);
	}
	edge(&image, image.size);
	return image;
}

/* --- flattened ----------------------------------------------------------- */

static void put_piece(struct image *flat, size_t off, const void *p, size_t len)
{
	size_t at = flat->size;

	edge(flat, at);
	image_put(flat, at, off, 8, true);
	image_put(flat, at + 8, len, 8, true);
	put_bytes(flat, at + 16, p, len);
	edge(flat, at + 16);
}

/* Pieces that the right ones must hide: longer, shorter, across and beside them. */
static void put_wrong_pieces(struct image *flat, size_t size)
{
	uint8_t *wrong = malloc(size);
	uint32_t x = 1;

	memset(wrong, 'w', size);
	put_piece(flat, 0, wrong, size);
	for (int i = 0; i < 200; i++) {
		size_t off, len;

		x = x * 1664525 + 1013904223;
		off = x % size;
		len = 1 + x / 7 % 9000;
		put_piece(flat, off, wrong, len < size - off ? len : size - off);
	}
	free(wrong);
}

static bool is_zeroes(const uint8_t *p, size_t len)
{
	return !*p && !memcmp(p, p + 1, len - 1);
}

struct image make_flat(const struct image *image, const struct flatten *how)
{
	size_t piece = how->piece ? how->piece : 4096, nr = (image->size + piece - 1) / piece;
	struct image flat = { 0 };

	put_bytes(&flat, 0, "makedumpfile", 12);
	image_put(&flat, 16, 1, 8, true);			/* type */
	image_put(&flat, 24, 1, 8, true);			/* version */
	image_put(&flat, 4095, 0, 1, true);
	if (how->again)
		put_wrong_pieces(&flat, image->size);
	for (size_t i = 0; i < nr; i++) {
		size_t off = (how->backwards ? nr - 1 - i : i) * piece;
		size_t len = image->size - off < piece ? image->size - off : piece;

		if (how->no_zeroes && off + len < image->size && is_zeroes(image->data + off, len))
			continue;
		put_piece(&flat, off, image->data + off, len);
	}
	if (!how->no_end)
		image_put(&flat, flat.size, ~0ULL, 8, true);
	if (!how->no_end)
		image_put(&flat, flat.size, ~0ULL, 8, true);
	return flat;
}
