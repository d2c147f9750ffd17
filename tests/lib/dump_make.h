/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small dumps of a memory whose content is known, written from the formats'
 * descriptions; shares nothing with the extractor.
 */
#ifndef DUMP_MAKE_H
#define DUMP_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAKE_PAGES	96		/* page frames of the memory */
#define MAKE_PAGE_MAX	65536

enum make_method {			/* as in a page's descriptor */
	MAKE_RAW = 0,
	MAKE_ZLIB = 1,
	MAKE_LZO = 2,
	MAKE_SNAPPY = 4,
	MAKE_ZSTD = 0x20,
	MAKE_MIXED = 0x2f,		/* page by page another; not in a file */
};

enum make_machine {			/* none: x86-64, or s390x if big */
	MAKE_ANY, MAKE_X86_64, MAKE_ARM64, MAKE_S390X, MAKE_PPC64,
};

/* What the file is to be; all zero is a little-endian one of 4096-byte pages. */
struct make {
	bool big;
	enum make_machine machine;
	uint32_t page_size;		/* 0: 4096 */
	/* kdump */
	uint32_t version;		/* 0: 6 */
	enum make_method method;
	bool one_bitmap;
	bool incomplete;		/* ELF as well */
	bool split;			/* one part, with the pages from @first up to @end */
	uint32_t first, end;
	uint32_t salt;			/* of the time of the crash: parts of one dump agree */
	uint32_t nr_cpus;		/* of which there are registers: see make_register() */
	bool of_kernel;			/* their notes have pids of tasks, not numbers of CPUs */
	/* ELF */
	uint32_t odd_offset;		/* of the first segment, on top of a page */
	uint32_t nr_more_segments;	/* empty ones, in front */
	bool xnum;			/* count in a section header even if it fits */
	bool again;			/* the first segment twice, as kexec-tools gives the kernel */
};

/* A file in memory. */
struct image {
	uint8_t *data;
	size_t size;
	size_t room;
	/* where the structures begin, and the end */
	size_t edges[512];
	size_t nr_edges;
	/* where each page's bytes and its descriptor end; 0: not in the file */
	size_t page_end[MAKE_PAGES];
	size_t desc_off[MAKE_PAGES];
};

/* How an image is flattened; all zero is in order, 4096 bytes a piece, without holes. */
struct flatten {
	uint32_t piece;			/* bytes; 0: 4096 */
	bool backwards;			/* the last piece first */
	bool again;			/* wrong bytes first, all over the place; then the right ones */
	bool no_zeroes;			/* pieces of zeroes are left out */
	bool no_end;			/* no end mark */
};

extern const char make_vmcoreinfo[];

/* Is the page in RAM, and in the dump?  What is in it? */
bool make_is_ram(unsigned int pfn);
bool make_is_dumped(unsigned int pfn);
void make_page(unsigned int pfn, uint32_t page_size, uint8_t *page);

struct image make_kdump(const struct make *make);
struct image make_elf(const struct make *make);
/* @image as makedumpfile -F writes it; edges are those of the pieces. */
struct image make_flat(const struct image *image, const struct flatten *how);
void image_free(struct image *image);

/* A descriptor of the first @size bytes. */
int image_fd(const struct image *image, size_t size);

/* Overwrite numbers. */
/* A register of a CPU, by its place in elf_gregset_t. */
static inline uint64_t make_register(uint32_t cpu, uint32_t nr)
{
	return 0xc0de000000000000ULL + ((uint64_t)cpu << 16) + nr;
}

void image_put(struct image *image, size_t off, uint64_t value, size_t width, bool big);

#endif
